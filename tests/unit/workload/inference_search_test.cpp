// Properties of the serving search: exact bounds, node counts, monotony.
#include "catch.h"
#include "serving_sample.h"

#include <cmath>

using namespace gpusel;
using namespace gpusel::workload;
using workload::test::Options;
using workload::test::shipped;
using workload::test::with;
using workload::test::work;

namespace {

estimate::Verdict<estimate::Plan> plan_on(const Workload& w, const estimate::Machine& machine) {
  SearchCount count;
  return w.search(machine, count);
}

const char* const kGpus[] = {"nvidia-t4-16gb",         "nvidia-l4-24gb",
                             "nvidia-l40s-48gb",       "nvidia-a100-sxm4-80gb",
                             "nvidia-h100-sxm5-80gb",  "nvidia-h200-sxm5-141gb",
                             "nvidia-b200-sxm6-180gb", "amd-mi300x-192gb"};

}  // namespace

TEST_CASE("the bound is never above what the search finds", "[workload]") {
  auto& s = shipped();
  const Options works[] = {
      {{"model", "llama-3.1-8b"}},
      {{"model", "llama-3.1-8b"}, {"rate", "3/s"}},
      {{"model", "llama-3.1-8b"}, {"concurrency", "12"}},
      {{"model", "mixtral-8x7b"}, {"weights-dtype", "int4"}, {"output-tokens", "32"}},
      {{"model", "llama-3.1-70b"}, {"input-tokens", "8000"}, {"ttft", "30s"}, {"tpot", "1s"}},
      {{"model", "deepseek-r1"},
       {"weights-dtype", "int4"},
       {"engine", "sglang"},
       {"ttft", "30s"},
       {"tpot", "1s"}},
      {{"model", "gpt-oss-120b"},
       {"engine", "generic"},
       {"input-tokens", "64"},
       {"output-tokens", "2000"}}};
  for (const Options& options : works) {
    const auto w = work("llm-inference", options);
    for (const char* gpu : kGpus) {
      for (const int count : {1, 4, 8}) {
        const auto machine = s.machine(gpu, count);
        const auto bound = w->bound(machine);
        const auto plan = plan_on(*w, machine);
        if (!plan) continue;
        INFO(gpu << " x " << count << ", " << options[0].second);
        CHECK(bound.memory <= plan->figures.memory);
        CHECK(units::in_seconds(bound.time) <=
              1.000001 / units::in_items_per_second(plan->figures.throughput));
      }
    }
  }
}

TEST_CASE("a rate takes the smallest number of nodes that carries it", "[workload]") {
  auto& s = shipped();
  for (const char* rate : {"1/s", "25/s", "300/s"}) {
    for (const char* gpu : kGpus) {
      const auto w =
          work("llm-inference", {{"model", "llama-3.1-8b"}, {"rate", rate}, {"max-nodes", "500"}});
      const auto& node = s.node(gpu, 2);
      const auto counts = w->node_counts(s.catalog, node);
      REQUIRE(counts.size() == 1);
      const auto plan = plan_on(*w, estimate::make_machine(s.catalog, node, counts[0]));
      INFO(gpu << " " << rate << " on " << counts[0]);
      if (!plan) {
        CHECK(plan.error().resource == "latency");
        continue;
      }
      CHECK(units::in_items_per_second(plan->figures.throughput) ==
            Approx(std::stod(rate) * 256).epsilon(1e-6));
      if (counts[0] == 1) continue;
      const auto fewer = plan_on(*w, estimate::make_machine(s.catalog, node, counts[0] - 1));
      REQUIRE_FALSE(fewer);
      CHECK(fewer.error().resource == "throughput");
    }
  }
}

TEST_CASE("clients take the smallest number of nodes that holds them", "[workload]") {
  auto& s = shipped();
  const auto w = work("llm-inference",
                      {{"model", "llama-3.1-70b"}, {"concurrency", "600"}, {"max-nodes", "200"}});
  const auto& node = s.node("nvidia-a100-sxm4-80gb", 4);
  const auto counts = w->node_counts(s.catalog, node);
  REQUIRE(counts.size() == 1);
  REQUIRE(counts[0] > 1);
  CHECK(plan_on(*w, estimate::make_machine(s.catalog, node, counts[0])));
  CHECK_FALSE(plan_on(*w, estimate::make_machine(s.catalog, node, counts[0] - 1)));
}

TEST_CASE("the largest load of a node is a rate that the node carries", "[workload]") {
  auto& s = shipped();
  for (const char* gpu : kGpus) {
    const auto open = work("llm-inference", {{"model", "llama-3.1-8b"}});
    const auto machine = s.machine(gpu, 4);
    const auto most = plan_on(*open, machine);
    if (!most) continue;
    const double requests = units::in_items_per_second(most->figures.throughput) / 256;
    const auto asked = [&](double share) {
      return work("llm-inference", {{"model", "llama-3.1-8b"},
                                    {"nodes", "1"},
                                    {"rate", std::to_string(requests * share) + "/s"}});
    };
    INFO(gpu);
    CHECK(plan_on(*asked(0.999), machine));
    CHECK_FALSE(plan_on(*asked(1.01), machine));
  }
}

TEST_CASE("more bandwidth is never slower, and a looser limit never carries less", "[workload]") {
  auto& s = shipped();
  for (const char* name : kGpus) {
    catalog::Gpu fast = s.gpu(name);
    fast.memory_bandwidth = *fast.memory_bandwidth * 2;
    for (const Options& load :
         {Options{}, Options{{"rate", "1/s"}}, Options{{"concurrency", "8"}}}) {
      const auto w = work("llm-inference", with({{"model", "llama-3.1-8b"}}, load));
      const auto machine = s.machine(name, 4);
      auto faster = machine;
      faster.gpu = &fast;
      const auto slow_plan = plan_on(*w, machine);
      const auto fast_plan = plan_on(*w, faster);
      if (!slow_plan) continue;
      REQUIRE(fast_plan);
      INFO(name);
      CHECK(fast_plan->figures.throughput >= slow_plan->figures.throughput * 0.999);
      const auto loose =
          work("llm-inference",
               with({{"model", "llama-3.1-8b"}, {"tpot", "200ms"}, {"ttft", "4s"}}, load));
      CHECK(plan_on(*loose, machine)->figures.throughput >= slow_plan->figures.throughput * 0.999);
    }
  }
}

TEST_CASE("the search is as good as every fixed layout", "[workload]") {
  auto& s = shipped();
  const Options base = {{"model", "llama-3.1-70b"}, {"weights-dtype", "int8"}};
  const auto machine = s.machine("nvidia-h100-sxm5-80gb", 8);
  const auto best = plan_on(*work("llm-inference", base), machine);
  REQUIRE(best);
  int tried = 0;
  for (const char* tp : {"1", "2", "4", "8"}) {
    for (const char* pp : {"1", "2", "4", "8"}) {
      const auto fixed =
          plan_on(*work("llm-inference", with(base, {{"tp", tp}, {"pp", pp}})), machine);
      if (!fixed) continue;
      ++tried;
      CHECK(fixed->figures.throughput <= best->figures.throughput * 1.000001);
    }
  }
  CHECK(tried >= 4);
}
