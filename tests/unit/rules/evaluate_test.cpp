// Values of expressions: three-valued logic, texts, numbers.
#include "catch.h"
#include "facts_fixture.h"

#include "gpusel/base/bug.h"
#include "gpusel/rules/expression.h"

#include <limits>
#include <string>

using namespace gpusel;
using namespace gpusel::rules;
using namespace std::string_view_literals;
using rules::test::kFacts;
using rules::test::Values;

namespace {

Expression compiled(const std::string& text) {
  auto result = Expression::compile(text, kFacts);
  if (!result) throw std::invalid_argument(text + ": " + result.error().error.message);
  return *std::move(result);
}

Truth evaluate(const std::string& text, const Values& values) {
  return compiled(text).evaluate(values.facts());
}

}  // namespace

TEST_CASE("and, or and not follow Kleene", "[rules]") {
  struct Row {
    const char* left;
    const char* right;
    Truth both;
    Truth either;
  };
  // `workload.trains` is true, `workload.service` false, `offer.gpu.link` unknown.
  const Values facts({{"workload.trains", true}, {"workload.service", false}});
  constexpr const char* kYes = "workload.trains";
  constexpr const char* kNo = "workload.service";
  constexpr const char* kUnknown = "offer.gpu.link";
  const Row row = GENERATE_COPY(values<Row>({
      {kYes, kYes, Truth::yes, Truth::yes},
      {kYes, kNo, Truth::no, Truth::yes},
      {kYes, kUnknown, Truth::unknown, Truth::yes},
      {kNo, kNo, Truth::no, Truth::no},
      {kNo, kUnknown, Truth::no, Truth::unknown},
      {kUnknown, kUnknown, Truth::unknown, Truth::unknown},
  }));
  const std::string left = row.left;
  const std::string right = row.right;
  CAPTURE(left, right);
  CHECK(evaluate(left + " and " + right, facts) == row.both);
  CHECK(evaluate(right + " and " + left, facts) == row.both);
  CHECK(evaluate(left + " or " + right, facts) == row.either);
  CHECK(evaluate(right + " or " + left, facts) == row.either);
}

TEST_CASE("an unknown fact makes its comparison unknown", "[rules]") {
  const Values none;
  CHECK(evaluate("cluster.nodes > 1", none) == Truth::unknown);
  CHECK(evaluate("1 > cluster.nodes", none) == Truth::unknown);
  CHECK(evaluate("cluster.nodes != cluster.nodes", none) == Truth::unknown);
  CHECK(evaluate("offer.purchase != spot", none) == Truth::unknown);
  CHECK(evaluate("not workload.trains", none) == Truth::unknown);
  CHECK(evaluate("not not workload.trains", none) == Truth::unknown);
  CHECK(evaluate("cluster.nodes + 1 > 1", none) == Truth::unknown);
  CHECK(evaluate("min(cluster.nodes, 0) < 1", none) == Truth::unknown);
  CHECK(evaluate("contains(offer.region, 'eu')", none) == Truth::unknown);
  CHECK(evaluate("matches(offer.region, '*')", none) == Truth::unknown);
  CHECK(evaluate("cluster.nodes * 0 == 0", none) == Truth::unknown);
}

TEST_CASE("is unknown and is known are never unknown", "[rules]") {
  const Values values({{"cluster.nodes", 2.0}});
  CHECK(evaluate("cluster.nodes is known", values) == Truth::yes);
  CHECK(evaluate("cluster.nodes is unknown", values) == Truth::no);
  CHECK(evaluate("offer.gpu.link is known", values) == Truth::no);
  CHECK(evaluate("offer.gpu.link is unknown", values) == Truth::yes);
  CHECK(evaluate("offer.gpu.link is unknown or not offer.gpu.link", values) == Truth::yes);
  CHECK(evaluate("not offer.gpu.link is unknown", values) == Truth::no);
  CHECK(evaluate("(offer.purchase) is unknown", values) == Truth::yes);
}

TEST_CASE("quantities compare in canonical units", "[rules]") {
  const Values values({{"estimate.duration", 6.0 * 3600},
                       {"offer.gpu.memory", 80.0 * 1024 * 1024 * 1024},
                       {"estimate.memory_share", 0.9},
                       {"offer.network.bandwidth", 50e9},
                       {"cost.per_hour", 98.32 / 3600}});
  CHECK(evaluate("estimate.duration > 6 h", values) == Truth::no);
  CHECK(evaluate("estimate.duration >= 6 h", values) == Truth::yes);
  CHECK(evaluate("estimate.duration == 360 min", values) == Truth::yes);
  CHECK(evaluate("offer.gpu.memory > 80 GB", values) == Truth::yes);
  CHECK(evaluate("offer.gpu.memory > 80 GiB", values) == Truth::no);
  CHECK(evaluate("estimate.memory_share > 90 %", values) == Truth::no);
  CHECK(evaluate("estimate.memory_share > 89.9 %", values) == Truth::yes);
  CHECK(evaluate("offer.network.bandwidth == 400 Gbps", values) == Truth::yes);
  CHECK(evaluate("cost.per_hour < 98.33 USD/h and cost.per_hour > 98.31 USD/h", values) ==
        Truth::yes);
  CHECK(evaluate("50 % * offer.gpu.memory == 40 GiB", values) == Truth::yes);
  CHECK(evaluate("offer.gpu.memory / 40 GiB == 2", values) == Truth::yes);
}

TEST_CASE("texts compare by content", "[rules]") {
  const std::string held = std::string("llm-") + "train";  // not the literal's own bytes
  const Values values({{"workload.kind", std::string_view(held)},
                       {"offer.region", "eu-west-3"sv},
                       {"offer.gpu.family", "rtx-4090"sv}});
  CHECK(evaluate("workload.kind == llm-train", values) == Truth::yes);
  CHECK(evaluate("workload.kind != llm-train", values) == Truth::no);
  CHECK(evaluate("llm-inference == workload.kind", values) == Truth::no);
  CHECK(evaluate("offer.region == 'EU-west-3'", values) == Truth::no);
  CHECK(evaluate("contains(offer.region, 'west')", values) == Truth::yes);
  CHECK(evaluate("contains(offer.region, 'east')", values) == Truth::no);
  CHECK(evaluate("contains(offer.region, '')", values) == Truth::yes);
  CHECK(evaluate("matches(offer.region, 'eu-*')", values) == Truth::yes);
  CHECK(evaluate("matches(offer.region, 'eu')", values) == Truth::no);
  CHECK(evaluate("matches(offer.gpu.family, 'rtx-?090')", values) == Truth::yes);
  CHECK(evaluate("'a b' == 'a b'", values) == Truth::yes);
}

TEST_CASE("a value that is no number is unknown", "[rules]") {
  const Values values({{"cluster.nodes", 0.0},
                       {"estimate.mfu", std::numeric_limits<double>::quiet_NaN()},
                       {"estimate.duration", std::numeric_limits<double>::infinity()}});
  CHECK(evaluate("1 / cluster.nodes > 0", values) == Truth::unknown);
  CHECK(evaluate("cluster.nodes / cluster.nodes == 1", values) == Truth::unknown);
  CHECK(evaluate("1e308 * 10 > 1", values) == Truth::unknown);
  CHECK(evaluate("estimate.mfu < 50 %", values) == Truth::unknown);
  CHECK(evaluate("estimate.duration > 6 h", values) == Truth::unknown);
  CHECK(evaluate("estimate.duration is unknown", values) == Truth::yes);
}

TEST_CASE("a value of another type than the table's is a bug", "[rules]") {
  CHECK_THROWS_AS(evaluate("cluster.nodes > 1", Values({{"cluster.nodes", true}})), BugError);
  CHECK_THROWS_AS(evaluate("workload.trains", Values({{"workload.trains", 1.0}})), BugError);
  CHECK_THROWS_AS(evaluate("offer.region == eu", Values({{"offer.region", 1.0}})), BugError);
}

TEST_CASE("an expression knows its facts and its stage", "[rules]") {
  const Expression both =
      compiled("estimate.duration > 6 h and offer.purchase == spot and estimate.duration < 9 h");
  REQUIRE(both.facts().size() == 2);
  CHECK(kFacts[both.facts()[0]].name == "offer.purchase");
  CHECK(kFacts[both.facts()[1]].name == "estimate.duration");
  CHECK(both.stage() == Stage::plan);
  CHECK(compiled("offer.purchase == spot").stage() == Stage::offer);
  CHECK(compiled("cluster.nodes > 1 and workload.trains").stage() == Stage::machine);
  CHECK(compiled("cost.total is known or cluster.nodes > 1").stage() == Stage::cost);
  CHECK(compiled("true").stage() == Stage::offer);
}

TEST_CASE("types and stages have names", "[rules]") {
  CHECK(name_of(FactType::size) == "size");
  CHECK(name_of(FactType::money) == "amount of money");
  CHECK(name_of(Stage::offer) == "offer");
  CHECK(name_of(Stage::cost) == "cost");
}
