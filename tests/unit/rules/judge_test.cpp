// RuleSet: which rules fire at which stage.
#include "catch.h"
#include "facts_fixture.h"

#include "gpusel/base/bug.h"
#include "gpusel/rules/expression.h"
#include "gpusel/rules/rule.h"

#include <string>

using namespace gpusel;
using namespace gpusel::rules;
using namespace std::string_view_literals;
using rules::test::kFacts;
using rules::test::Values;

namespace {

Rule rule(const std::string& id, const std::string& when) {
  auto expression = Expression::compile(when, kFacts);
  if (!expression) throw std::invalid_argument(when);
  Rule result;
  result.id = RuleId(id);
  result.when = when;
  result.expression = std::make_shared<const Expression>(*std::move(expression));
  result.stage = result.expression->stage();
  return result;
}

std::string fired(const RuleSet& rules, Stage stage, const Values& values) {
  std::string ids;
  for (const Finding& finding : rules.judge(stage, values.facts()))
    ids += finding.rule->id.text() + " ";
  return ids;
}

}  // namespace

TEST_CASE("a rule is judged at the stage of its latest fact only", "[rules]") {
  const RuleSet rules({rule("cost", "cost.total > 100 USD and offer.purchase == spot"),
                       rule("plan", "estimate.duration > 6 h or offer.purchase == spot"),
                       rule("machine", "cluster.nodes > 1"),
                       rule("offer", "offer.purchase == spot"),
                       rule("another-offer", "offer.gpu.count >= 8")});
  const Values values({{"offer.purchase", "spot"sv},
                       {"offer.gpu.count", 8.0},
                       {"cluster.nodes", 2.0},
                       {"estimate.duration", 1.0},
                       {"cost.total", 101.0}});
  CHECK(fired(rules, Stage::offer, values) == "another-offer offer ");
  CHECK(fired(rules, Stage::machine, values) == "machine ");
  CHECK(fired(rules, Stage::plan, values) == "plan ");
  CHECK(fired(rules, Stage::cost, values) == "cost ");
}

TEST_CASE("an unknown fact fires no rule except through is unknown", "[rules]") {
  const RuleSet rules({rule("less", "offer.gpu.count < 8"), rule("not", "not offer.gpu.count < 8"),
                       rule("other", "offer.purchase != spot"),
                       rule("asked", "offer.gpu.count is unknown")});
  CHECK(fired(rules, Stage::offer, Values()) == "asked ");
  CHECK(fired(rules, Stage::offer, Values({{"offer.gpu.count", 4.0}})) == "less ");
}

TEST_CASE("rules are sorted and found by id", "[rules]") {
  const RuleSet rules({rule("b", "true"), rule("a", "false"), rule("c", "true")});
  REQUIRE(rules.all().size() == 3);
  CHECK(rules.all()[0].id == RuleId("a"));
  REQUIRE(rules.find(RuleId("b")) != nullptr);
  CHECK(rules.find(RuleId("b"))->when == "true");
  CHECK(rules.find(RuleId("bb")) == nullptr);
  CHECK(rules.find(RuleId("d")) == nullptr);
  CHECK(RuleSet().find(RuleId("a")) == nullptr);
  CHECK(fired(rules, Stage::offer, Values()) == "b c ");
}

TEST_CASE("a rule without a compiled condition is a bug", "[rules]") {
  CHECK_THROWS_AS(RuleSet({Rule{}}), BugError);
}
