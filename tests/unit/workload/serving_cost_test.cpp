// What the cost of a service depends on: duty, prices of an API, headroom and replicas.
#include "../../../src/workload/serving/api_prices.h"
#include "catch.h"
#include "serving_sample.h"

#include "gpusel/workload/model.h"

#include <set>

using namespace gpusel;
using namespace gpusel::workload;
using workload::test::Options;
using workload::test::shipped;
using workload::test::with;
using workload::test::work;

namespace {

const Options kLlama = {{"model", "llama-3.1-8b"}};

std::string fault_of(const Options& options) {
  const auto made = test::make("llm-inference", with(kLlama, options));
  CHECK(made.work == nullptr);
  return made.faults.empty() ? "" : made.faults[0].message + " / " + made.faults[0].help;
}

estimate::Plan plan_of(const Workload& w, const estimate::Machine& machine) {
  SearchCount count;
  const auto plan = w.search(machine, count);
  REQUIRE(plan);
  return *plan;
}

double rate_with(const Options& options, const estimate::Machine& machine) {
  const auto plan = plan_of(*work("llm-inference", with(kLlama, options)), machine);
  return units::in_items_per_second(plan.figures.throughput);
}

std::string assumption_of(const std::vector<estimate::Assumption>& all, std::string_view id) {
  for (const estimate::Assumption& a : all) {
    if (a.id == id) return a.text + " = " + a.value + " [" + a.source + "]";
  }
  return "";
}

}  // namespace

TEST_CASE("a service knows its duty and the prices of an API", "[workload]") {
  const auto w = work("llm-inference", with(kLlama, {{"duty", "30%"}, {"api-price", "$0.6/2.40"}}));
  const auto& tokens = w->traits().tokens;
  REQUIRE(tokens);
  CHECK(tokens->duty == Approx(0.3));
  CHECK(tokens->prompt == 1024);
  CHECK(tokens->answer == 256);
  REQUIRE(tokens->api);
  CHECK(in_usd_per_item(tokens->api->input) == Approx(0.6e-6));
  CHECK(in_usd_per_item(tokens->api->output) == Approx(2.4e-6));
  CHECK_FALSE(tokens->api->listing);
  const auto plain = work("llm-inference", kLlama);
  CHECK(plain->traits().tokens->duty == 1);
  CHECK_FALSE(plain->traits().tokens->api);
  CHECK(assumption_of(plain->assumptions(), "duty") ==
        "share of the month at this load = 100 % [default]");
}

TEST_CASE("a list price has its source", "[workload]") {
  const auto w = work("llm-inference", with(kLlama, {{"api-price", "groq/llama-3.3-70b"}}));
  const auto& api = w->traits().tokens->api;
  REQUIRE(api);
  REQUIRE(api->listing);
  CHECK(api->listing->name == "groq/llama-3.3-70b");
  CHECK(api->listing->citation.date);
  CHECK(api->input > units::UsdPerItem{});
  const std::string text = assumption_of(w->assumptions(), "api_price");
  CHECK_THAT(text, Catch::Matchers::Contains("list price of groq/llama-3.3-70b"));
  CHECK_THAT(text, Catch::Matchers::Contains(api->listing->citation.url));
}

TEST_CASE("every list price is of a decoder that can be served", "[workload]") {
  auto& s = shipped();
  diag::Buffer faults;
  const auto prices = serving::load_api_prices(s.set, faults);
  CHECK_FALSE(faults.has_errors());
  CHECK(prices.size() > 50);
  const ModelSet models = load_models(s.set, faults);
  std::set<std::string> names;
  for (const ApiPrice& price : prices) {
    const std::string& name = price.listing->name;
    INFO(name);
    CHECK(names.insert(name).second);
    CHECK(models.find(name.substr(name.find('/') + 1)) != nullptr);
  }
}

TEST_CASE("faults of duty, API price and headroom say what is expected", "[workload]") {
  using Catch::Matchers::Contains;
  CHECK_THAT(fault_of({{"duty", "0%"}}), Contains("above 0 and at most 100 %"));
  CHECK_THAT(fault_of({{"duty", "101%"}}), Contains("above 0 and at most 100 %"));
  CHECK_THAT(fault_of({{"duty", "often"}}), Contains("duty"));
  CHECK_THAT(fault_of({{"api-price", "0.60"}}), Contains("two prices") && Contains("0.60/2.40"));
  CHECK_THAT(fault_of({{"api-price", "0.60/x"}}), Contains("'x' is not a price"));
  CHECK_THAT(fault_of({{"api-price", "-1/2"}}), Contains("'-1' is not a price"));
  CHECK_THAT(fault_of({{"api-price", "0/0"}}), Contains("above zero"));
  CHECK_THAT(fault_of({{"api-price", "grok/llama-3.3-70b"}}), Contains("'groq/llama-3.3-70b'"));
  CHECK_THAT(fault_of({{"api-price", "elsewhere"}}), Contains("0.60/2.40"));
  CHECK_THAT(fault_of({{"load-headroom", "100%"}}), Contains("below 100 %"));
  CHECK_THAT(fault_of({{"load-headroom", "30%"}, {"concurrency", "4"}}), Contains("--rate"));
  CHECK_THAT(fault_of({{"min-replicas", "0"}}), Contains("min-replicas"));
}

TEST_CASE("headroom for bursts takes its share of the rate", "[workload]") {
  // Wide limits: the saturated rate alone binds.
  const Options wide = {{"ttft", "60s"}, {"tpot", "10s"}};
  const auto machine = shipped().machine("nvidia-h100-sxm5-80gb", 1);
  const double usual = rate_with(wide, machine);
  CHECK(rate_with(with(wide, {{"load-headroom", "20%"}}), machine) == Approx(usual));
  CHECK(rate_with(with(wide, {{"load-headroom", "60%"}}), machine) ==
        Approx(usual / 2).epsilon(0.01));
  CHECK(rate_with(with(wide, {{"load-headroom", "0%"}}), machine) > usual * 1.1);
}

TEST_CASE("more headroom never needs fewer nodes", "[workload]") {
  auto& s = shipped();
  const auto& node = s.node("nvidia-l4-24gb", 1);
  int before = 0;
  for (const char* share : {"0%", "20%", "40%", "60%", "80%"}) {
    const auto w = work("llm-inference", with(kLlama, {{"rate", "6/s"}, {"load-headroom", share}}));
    const int nodes = w->node_counts(s.catalog, node).front();
    CHECK(nodes >= before);
    before = nodes;
  }
  CHECK(before > 1);
}

TEST_CASE("replicas are added until there are as many as asked", "[workload]") {
  auto& s = shipped();
  const auto& node = s.node("nvidia-l4-24gb", 1);
  const Options light = with(kLlama, {{"rate", "0.1/s"}});
  CHECK(work("llm-inference", light)->node_counts(s.catalog, node).front() == 1);
  const auto w = work("llm-inference", with(light, {{"min-replicas", "3"}}));
  REQUIRE(w->node_counts(s.catalog, node).front() == 3);
  const auto machine = estimate::make_machine(s.catalog, node, 3);
  const auto plan = plan_of(*w, machine);
  CHECK(plan.figures.replicas == 3);
  CHECK_THAT(assumption_of(w->assumptions(), "replicas"),
             Catch::Matchers::Contains("in one region") &&
                 Catch::Matchers::Contains("= 3 [--min-replicas]"));
  CHECK(assumption_of(work("llm-inference", light)->assumptions(), "replicas").empty());
  CHECK_THAT(assumption_of(w->explain(plan, machine).assumptions, "spread"),
             Catch::Matchers::Contains("region of the offer") &&
                 Catch::Matchers::Contains("= 1 replica per node"));
}

TEST_CASE("replicas of one node are said to fail together", "[workload]") {
  const auto machine = shipped().machine("nvidia-l4-24gb", 4);
  const auto w = work("llm-inference", with(kLlama, {{"min-replicas", "4"}, {"tp", "1"}}));
  const auto e = w->explain(plan_of(*w, machine), machine);
  CHECK_THAT(assumption_of(e.assumptions, "spread"),
             Catch::Matchers::Contains("= 4 replicas per node"));
  const auto one = shipped().machine("nvidia-l4-24gb", 1);
  const auto alone = work("llm-inference", kLlama);
  CHECK(assumption_of(alone->explain(plan_of(*alone, one), one).assumptions, "spread").empty());
}
