// The most that a plan carries, and what is said to bind it.
#include "catch.h"
#include "serving_sample.h"

#include "gpusel/estimate/fit.h"

using namespace gpusel;
using namespace gpusel::workload;
using workload::test::Options;
using workload::test::shipped;
using workload::test::with;
using workload::test::work;

namespace {

estimate::ServiceCapacity capacity_on(const Options& options, const estimate::Machine& machine) {
  const auto w = work("llm-inference", options);
  SearchCount count;
  const auto plan = w->search(machine, count);
  REQUIRE(plan);
  const auto e = w->explain(*plan, machine);
  REQUIRE(e.capacity);
  return *e.capacity;
}

const Options kLlama = {{"model", "llama-3.1-8b"}};

}  // namespace

TEST_CASE("without a load the capacity is the throughput of the plan", "[workload]") {
  const auto machine = shipped().machine("nvidia-l4-24gb", 4);
  const auto w = work("llm-inference", kLlama);
  SearchCount count;
  const auto plan = w->search(machine, count);
  REQUIRE(plan);
  const auto c = capacity_on(kLlama, machine);
  CHECK(units::in_items_per_second(c.throughput) ==
        Approx(units::in_items_per_second(plan->figures.throughput)));
  CHECK(units::in_items_per_second(c.throughput) == Approx(c.requests * 256));
  CHECK(c.concurrency > 4);
}

TEST_CASE("a stated rate does not change what the machine carries at most", "[workload]") {
  const auto machine = shipped().machine("nvidia-l4-24gb", 1);
  const auto open = capacity_on(kLlama, machine);
  const auto half = capacity_on(
      with(kLlama, {{"rate", std::to_string(open.requests / 2) + "/s"}, {"nodes", "1"}}), machine);
  CHECK(half.requests == Approx(open.requests));
  CHECK(half.limit == open.limit);
}

TEST_CASE("what binds the load is named", "[workload]") {
  auto& s = shipped();
  const auto limit = [&](const char* gpu, const Options& extra) {
    return capacity_on(with(kLlama, extra), s.machine(gpu, 1)).limit;
  };
  const Options patient = {{"ttft", "20s"}, {"tpot", "10s"}};
  CHECK(limit("nvidia-l4-24gb", {}) == "memory");
  CHECK(limit("nvidia-h100-sxm5-80gb", {{"tpot", "15ms"}}) == "tpot");
  CHECK(limit("nvidia-h100-sxm5-80gb", {{"ttft", "75ms"}}) == "ttft");
  CHECK(limit("nvidia-h200-sxm5-141gb",
              with(patient, {{"input-tokens", "8000"}, {"output-tokens", "16"}})) == "compute");
  CHECK(limit("nvidia-l4-24gb", with(patient, {{"concurrency", "8"}})) == "memory");
  CHECK(limit("nvidia-h200-sxm5-141gb", {{"concurrency", "20"}}) == "tpot");
  CHECK(limit("nvidia-b200-sxm6-180gb", with(patient, {{"input-tokens", "16"},
                                                       {"output-tokens", "64"},
                                                       {"concurrency", "20"}})) == "engine");
}

TEST_CASE("clients are carried up to the first that misses a limit", "[workload]") {
  const auto machine = shipped().machine("nvidia-h200-sxm5-141gb", 1);
  const auto c = capacity_on(with(kLlama, {{"concurrency", "20"}}), machine);
  SearchCount count;
  const auto asked = [&](double clients) {
    return work("llm-inference",
                with(kLlama,
                     {{"concurrency", std::to_string(static_cast<int>(clients))}, {"nodes", "1"}}))
        ->search(machine, count)
        .has_value();
  };
  CHECK(asked(c.concurrency));
  CHECK_FALSE(asked(c.concurrency + 1));
}

TEST_CASE("a service that misses the memory by less than the error is borderline", "[workload]") {
  auto& s = shipped();
  SearchCount count;
  const auto judged = [&](const char* headroom) {
    const auto w = work("llm-inference", with(kLlama, {{"headroom", headroom}}));
    const auto plan = w->search(s.machine("nvidia-l4-24gb", 1), count);
    REQUIRE_FALSE(plan);
    REQUIRE(plan.error().resource == "gpu_memory");
    return estimate::judge_misfit(plan.error()).fit;
  };
  CHECK(judged("25%") == estimate::Fit::borderline);
  CHECK(judged("45%") == estimate::Fit::does_not_fit);
}
