// Verdicts near the edge of the memory.
#include "gpusel/estimate/fit.h"

#include "catch.h"

using namespace gpusel;
using namespace gpusel::estimate;

namespace {

catalog::Gpu gpu_of(double gib) {
  catalog::Gpu gpu;
  gpu.usable_memory = units::gib(gib);
  return gpu;
}

Judgement judged(double memory, double high) {
  const catalog::Gpu gpu = gpu_of(80);
  Machine machine;
  machine.gpu = &gpu;
  Plan plan;
  plan.figures.memory = units::gib(memory);
  plan.figures.capacity = units::gib(76);
  Estimate estimate;
  estimate.memory_high = high;
  return judge_fit(plan, estimate, machine);
}

Judgement serving(double fixed, double cache) {
  const catalog::Gpu gpu = gpu_of(80);
  Machine machine;
  machine.gpu = &gpu;
  Plan plan;
  plan.figures.memory = units::gib(fixed + cache);
  plan.figures.capacity = units::gib(72);
  Estimate estimate;
  estimate.memory_high = 1.5;
  estimate.ledgers = {{"memory",
                       "bytes",
                       {{"weights", "", units::in_bytes(units::gib(fixed)), ""},
                        {"kv_cache", "", units::in_bytes(units::gib(cache)), ""}},
                       {}}};
  return judge_fit(plan, estimate, machine);
}

}  // namespace

TEST_CASE("a plan is borderline where its memory may reach above the GPU's", "[estimate]") {
  CHECK(judged(60, 1.15).fit == Fit::fits);
  CHECK(judged(60, 1.15).reason.empty());
  CHECK(judged(75, 1.15).fit == Fit::borderline);
  CHECK(judged(75, 1.15).reason ==
        "memory may reach 86.2 GiB at the high end of its class, the GPU has 80.0 GiB");
  CHECK(judged(75, 1).fit == Fit::fits);
}

TEST_CASE("a service is borderline where little is left for the cache", "[estimate]") {
  CHECK(serving(40, 30).fit == Fit::fits);  // the cache takes what is left
  CHECK(serving(66, 5).fit == Fit::borderline);
  CHECK(serving(66, 5).reason.starts_with("only 6.0 GiB of 80.0 GiB are left for the cache"));
}

TEST_CASE("what does not fit is borderline where the low end would", "[estimate]") {
  DoesNotFit why{"gpu_memory", 80, 76, "", ""};
  CHECK(judge_misfit(why).fit == Fit::does_not_fit);
  why.least = 70;
  CHECK(judge_misfit(why).fit == Fit::borderline);
  why.least = 77;
  CHECK(judge_misfit(why).fit == Fit::does_not_fit);
  CHECK(judge_misfit({"latency", 2, 1, "", ""}).fit == Fit::does_not_fit);
}

TEST_CASE("verdicts have the names of the JSON form", "[estimate]") {
  CHECK(name_of(Fit::fits) == "fits");
  CHECK(name_of(Fit::borderline) == "borderline");
  CHECK(name_of(Fit::does_not_fit) == "does_not_fit");
}
