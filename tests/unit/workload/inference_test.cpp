// The serving kind: what fits, where it stops, what its figures rest on.
#include "catch.h"
#include "serving_sample.h"

#include <algorithm>

using namespace gpusel;
using namespace gpusel::workload;
using workload::test::Options;
using workload::test::shipped;
using workload::test::total_of;
using workload::test::with;
using workload::test::work;

namespace {

estimate::Verdict<estimate::Plan> plan_on(const Workload& w, const estimate::Machine& machine) {
  SearchCount count;
  return w.search(machine, count);
}

std::string blocked_by(const Options& options, const estimate::Machine& machine) {
  const auto verdict = plan_on(*work("llm-inference", options), machine);
  return verdict ? "" : verdict.error().resource;
}

}  // namespace

TEST_CASE("an 8B model serves on one 24 GB card, and the ledgers add up to the figures",
          "[workload]") {
  const auto w = work("llm-inference", {{"model", "llama-3.1-8b"}});
  const auto machine = shipped().machine("nvidia-l4-24gb", 1);
  const auto plan = plan_on(*w, machine);
  REQUIRE(plan);
  const auto& f = plan->figures;
  CHECK(f.memory <= f.capacity);
  CHECK(f.tpot <= units::seconds(0.1));
  CHECK(f.ttft <= units::seconds(2));
  CHECK(f.throughput > units::ItemsPerSecond{});
  const auto e = w->explain(*plan, machine);
  CHECK(total_of(e, "memory") == Approx(units::in_bytes(f.memory)));
  CHECK(total_of(e, "ttft") == Approx(units::in_seconds(f.ttft)));
  CHECK(total_of(e, "tpot") == Approx(units::in_seconds(f.tpot)));
  CHECK(total_of(e, "flops") == Approx(units::in_flops(f.flops)));
  CHECK(e.time_low < 1);
  CHECK(e.time_high > 1);
  CHECK(units::in_bytes(e.rule_of_thumb_memory) == Approx(8030261248.0 * 4 + 1280 * 4));
}

TEST_CASE("the defaults of a serving request are announced", "[workload]") {
  const auto w = work("llm-inference", {{"params", "8B"}});
  std::vector<std::string> ids;
  for (const auto& a : w->assumptions()) ids.push_back(a.id);
  for (const char* id : {"architecture", "engine", "weights_dtype", "kv_dtype", "input_tokens",
                         "output_tokens", "ttft", "tpot", "load", "load_headroom"}) {
    CHECK(std::count(ids.begin(), ids.end(), id) == 1);
  }
  CHECK(w->nature() == Nature::service);
  CHECK(w->traits().open_load);
  CHECK(w->throughput_unit() == "tokens/s");
}

TEST_CASE("faults of a serving request are reported together", "[workload]") {
  const auto made = test::make(
      "llm-inference",
      {{"model", "llama-3.1-70c"}, {"engine", "vlllm"}, {"rate", "20"}, {"concurrency", "5"}});
  CHECK(made.work == nullptr);
  CHECK(made.faults.size() >= 3);
  CHECK(test::make("llm-inference", {}).work == nullptr);
  CHECK(test::make("llm-inference", {{"model", "llama-3-8b"}, {"input-tokens", "100k"}}).work ==
        nullptr);
}

TEST_CASE("what blocks a plan is named: memory before latency", "[workload]") {
  auto& s = shipped();
  const Options big = {{"model", "llama-3.1-70b"}, {"ttft", "1ms"}};
  CHECK(blocked_by(big, s.machine("nvidia-h100-sxm5-80gb", 1)) == "gpu_memory");
  CHECK(blocked_by(big, s.machine("nvidia-h100-sxm5-80gb", 4)) == "latency");
  CHECK(blocked_by({{"model", "llama-3.1-70b"}, {"tpot", "1ms"}},
                   s.machine("nvidia-h100-sxm5-80gb", 8)) == "latency");
  CHECK(blocked_by({{"model", "llama-3.1-8b"}, {"rate", "100000/s"}, {"nodes", "1"}},
                   s.machine("nvidia-h100-sxm5-80gb", 8)) == "throughput");
  CHECK(blocked_by({{"model", "llama-3.1-8b"}, {"min-replicas", "9"}},
                   s.machine("nvidia-h100-sxm5-80gb", 8)) == "throughput");
  CHECK(blocked_by({{"model", "llama-3.1-8b"}, {"engine", "trt-llm"}},
                   s.machine("amd-mi300x-192gb", 1)) == "engine");
}

TEST_CASE("number formats need their units", "[workload]") {
  auto& s = shipped();
  const Options fp8 = {{"model", "llama-3.1-8b"}, {"weights-dtype", "fp8"}};
  CHECK(blocked_by(fp8, s.machine("nvidia-a100-sxm4-80gb", 1)) == "dtype");
  CHECK(blocked_by(fp8, s.machine("nvidia-l40s-48gb", 1)).empty());
  const Options fp4 = {{"model", "llama-3.1-8b"}, {"weights-dtype", "nvfp4"}};
  CHECK(blocked_by(fp4, s.machine("nvidia-h100-sxm5-80gb", 1)) == "dtype");
  CHECK(blocked_by(fp4, s.machine("nvidia-b200-sxm6-180gb", 1)).empty());
  CHECK(blocked_by({{"model", "gpt-oss-20b"}}, s.machine("nvidia-a100-sxm4-80gb", 1)).empty());
  const Options old_engine = {{"engine-profile", "v1"}};
  CHECK(blocked_by(with(old_engine, {{"model", "gpt-oss-20b"}}),
                   s.machine("nvidia-v100-sxm2-32gb", 1)) == "dtype");
  CHECK(blocked_by({{"model", "llama-3.1-8b"}}, s.machine("nvidia-v100-sxm2-32gb", 1)) == "engine");

  const auto w = work("llm-inference", with(old_engine, {{"model", "llama-3.1-8b"}}));
  const auto on_v100 = plan_on(*w, s.machine("nvidia-v100-sxm2-32gb", 1));
  REQUIRE(on_v100);
  CHECK(on_v100->figures.format == catalog::NumberFormat::fp16);
  const auto on_a100 = plan_on(*w, s.machine("nvidia-a100-sxm4-80gb", 1));
  REQUIRE(on_a100);
  CHECK(on_a100->figures.format == catalog::NumberFormat::bf16);
}

TEST_CASE("tensor parallel degrees divide the heads and stay within the link", "[workload]") {
  auto& s = shipped();
  const auto tensor = [&](const Options& options, const estimate::Machine& machine) {
    const auto plan = plan_on(*work("llm-inference", options), machine);
    return plan ? plan->choices[0] : 0;
  };
  // 28 query heads and 4 key and value heads: 4 divides them, 8 does not.
  CHECK(blocked_by({{"model", "qwen2.5-7b"}, {"tp", "8"}}, s.machine("nvidia-h100-sxm5-80gb", 8)) ==
        "layout");
  CHECK(tensor({{"model", "qwen2.5-7b"}, {"tp", "4"}}, s.machine("nvidia-h100-sxm5-80gb", 8)) == 4);
  CHECK(tensor({{"model", "llama-3.1-70b"}}, s.machine("nvidia-l40s-48gb", 8)) <= 2);
  CHECK(tensor({{"model", "llama-3.1-70b"}, {"tp", "8"}}, s.machine("nvidia-l40s-48gb", 8)) == 8);
  CHECK(tensor({{"model", "llama-3.2-1b"}, {"weights-dtype", "fp16"}},
               s.machine("nvidia-h100-pcie-80gb-mig-1g.10gb", 7)) == 1);
}

TEST_CASE("every expert is resident, and experts may spread over GPUs", "[workload]") {
  auto& s = shipped();
  CHECK(blocked_by({{"model", "mixtral-8x7b"}}, s.machine("nvidia-h100-sxm5-80gb", 1)) ==
        "gpu_memory");
  const auto w = work("llm-inference", {{"model", "deepseek-r1"}});
  const auto machine = s.machine("nvidia-h200-sxm5-141gb", 8);
  const auto plan = plan_on(*w, machine);
  REQUIRE(plan);
  CHECK(plan->figures.memory > units::gb(671.0 / 8));
  CHECK(plan->choices[0] * plan->choices[1] * plan->choices[2] == 8);
}

TEST_CASE("a replica may need several nodes: stages across, tensor parallel within", "[workload]") {
  auto& s = shipped();
  const Options options = {
      {"model", "llama-3.1-405b"}, {"weights-dtype", "bf16"}, {"tpot", "400ms"}, {"ttft", "10s"}};
  const auto w = work("llm-inference", options);
  const auto& node = s.node("nvidia-h100-sxm5-80gb", 8);
  const auto counts = w->node_counts(s.catalog, node);
  REQUIRE(counts == std::vector<int>{2});
  const auto plan = plan_on(*w, estimate::make_machine(s.catalog, node, 2));
  REQUIRE(plan);
  CHECK(plan->choices[0] * plan->choices[1] == 16);
  CHECK(plan->choices[1] >= 2);
  catalog::Hardware unknown = node;
  unknown.network.reset();
  const auto blind = plan_on(*w, estimate::make_machine(s.catalog, unknown, 2));
  REQUIRE_FALSE(blind);
  CHECK(blind.error().resource == "network");
}

TEST_CASE("headroom and longer contexts leave less for the cache", "[workload]") {
  auto& s = shipped();
  const auto machine = s.machine("nvidia-a10g-24gb", 1);
  const auto capacity = [&](const Options& extra) {
    Options options = {{"model", "llama-3.1-8b"}};
    options.insert(options.end(), extra.begin(), extra.end());
    const auto plan = plan_on(*work("llm-inference", options), machine);
    return plan ? units::in_gib(plan->figures.capacity) : 0;
  };
  CHECK(capacity({{"headroom", "20%"}}) == Approx(units::in_gib(machine.gpu_memory()) * 0.8));
  CHECK(capacity({}) == Approx(units::in_gib(machine.gpu_memory()) * 0.9));
  CHECK(blocked_by({{"model", "llama-3.1-8b"}, {"max-context", "128k"}}, machine) == "gpu_memory");
}

TEST_CASE("the documents' estimator serves too", "[workload]") {
  auto& s = shipped();
  const auto w =
      work("llm-inference", {{"params", "7B"}, {"estimator", "document"}, {"concurrency", "4"}});
  const auto plan = plan_on(*w, s.machine("nvidia-a100-sxm4-80gb", 1));
  REQUIRE(plan);
  CHECK(units::in_flops(plan->figures.flops) == Approx(2 * 7e9 * 1280 * 4));
}
