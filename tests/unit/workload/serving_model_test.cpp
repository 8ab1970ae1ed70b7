// The serving model itself: steps, memory and loops against figures worked out elsewhere.
#include "../../../src/workload/serving/load.h"
#include "catch.h"
#include "serving_sample.h"

#include <string>

using namespace gpusel;
using namespace gpusel::workload;
using namespace gpusel::workload::serving;
using workload::test::shipped;

namespace {

// A replica with everything that it points to.
struct Bench {
  Engine engine;
  Shape shape;
  Device device;
  Profile profile;
  Replica replica;
  units::Bytes pool;

  Bench(const char* model, const char* gpu_name, const char* dtype, const char* engine_name,
        const char* profile_name, Layout layout, Traffic traffic) {
    auto& s = shipped();
    const ModelCard card = *load_models(s.set, s.faults).find(model);
    engine = *load_engines(s.set, s.faults).find(engine_name);
    profile = *engine.profile(profile_name);
    const Weights weights =
        *resolve_weights(*find_weight_format(dtype), card, s.gpu(gpu_name), profile);
    shape = shape_of(card);
    device = *device_of(s.gpu(gpu_name), weights, profile);
    replica = {&shape, &device, &profile, weights, default_kv_bytes(weights, profile),
               layout, traffic, {},       {}};
    pool = cache_pool(replica, device.memory * profile.memory_share);
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  double fit() const {
    return sequences_that_fit(replica, pool, replica.traffic.prompt + replica.traffic.answer);
  }
};

constexpr double kTolerance = 0.005;

}  // namespace

TEST_CASE("closed loops match the reference computation", "[workload]") {
  struct Row {
    const char* model;
    const char* gpu;
    const char* dtype;
    const char* engine;
    const char* profile;
    Layout layout;
    Traffic traffic;
    double clients;
    double ttft_ms;
    double tpot_ms;
    double fit;
  };
  const Row rows[] = {{"gpt-oss-120b",
                       "nvidia-b200-sxm6-180gb",
                       "mxfp4",
                       "trt-llm",
                       "v1",
                       {},
                       {8192, 1024},
                       256,
                       1489,
                       38.09,
                       671.1},
                      {"gpt-oss-120b",
                       "nvidia-h100-sxm5-80gb",
                       "mxfp4",
                       "vllm",
                       "v1b",
                       {2, 1, 1, 1},
                       {1024, 8192},
                       4,
                       65.88,
                       5.442,
                       246.7},
                      {"llama-3.1-70b",
                       "nvidia-h200-sxm5-141gb",
                       "fp8",
                       "vllm",
                       "v1",
                       {},
                       {8192, 1024},
                       16,
                       2421,
                       50.38,
                       19.61},
                      {"llama-3.1-70b",
                       "nvidia-b200-sxm6-180gb",
                       "nvfp4",
                       "vllm",
                       "v1",
                       {},
                       {1024, 8192},
                       16,
                       135.5,
                       17.11,
                       41.89},
                      {"qwen3-235b-a22b",
                       "nvidia-h100-sxm5-80gb",
                       "fp8",
                       "trt-llm",
                       "v1",
                       {4, 1, 1, 4},
                       {256, 256},
                       128,
                       556.9,
                       41.76,
                       1624},
                      {"qwen3-32b",
                       "nvidia-h100-sxm5-80gb",
                       "bf16",
                       "sglang",
                       "current",
                       {},
                       {1024, 512},
                       16,
                       14360,
                       29.61,
                       8.209}};
  for (const Row& row : rows) {
    const Bench b(row.model, row.gpu, row.dtype, row.engine, row.profile, row.layout, row.traffic);
    const Operating at = closed_loop(b.replica, row.clients, b.fit());
    INFO(row.model << " on " << row.gpu);
    CHECK(b.fit() == Approx(row.fit).epsilon(kTolerance));
    CHECK(units::in_seconds(at.ttft()) * 1e3 == Approx(row.ttft_ms).epsilon(kTolerance));
    CHECK(units::in_seconds(at.token.mean()) * 1e3 == Approx(row.tpot_ms).epsilon(kTolerance));
  }
}

TEST_CASE("offline rates match the reference computation", "[workload]") {
  const Bench cards("mixtral-8x7b", "nvidia-l40s-48gb", "fp8", "trt-llm", "v0", {4, 1, 1, 1},
                    {2048, 128});
  CHECK(offline_rate(cards.replica, cards.pool) * 128 == Approx(791.9).epsilon(kTolerance));
  const Bench a100("llama-3-70b", "nvidia-a100-sxm4-80gb", "fp16", "trt-llm", "v0", {4, 1, 1, 1},
                   {5000, 500});
  CHECK(offline_rate(a100.replica, a100.pool) * 500 == Approx(402.6).epsilon(kTolerance));
  const Bench pcie("llama-3.1-70b", "nvidia-a100-pcie-80gb", "fp16", "trt-llm", "v0", {2, 1, 1, 1},
                   {128, 128});
  CHECK(offline_rate(pcie.replica, pcie.pool) * 128 == Approx(918.6).epsilon(kTolerance));
}

TEST_CASE("one step matches the reference computation", "[workload]") {
  // Layer splitting gives one stream no speed.
  const Bench split("llama-2-70b", "nvidia-a10g-24gb", "int4", "llama.cpp", "current", {1, 2, 1, 1},
                    {7, 256});
  CHECK(units::in_seconds(total(step_time(split.replica, {1, 135, 0, 0}))) * 1e3 ==
        Approx(82.05).epsilon(kTolerance));
  const Bench prompt("llama-3-8b", "nvidia-rtx-a6000-48gb", "q4_k_m", "llama.cpp", "current", {},
                     {4096, 0});
  CHECK(units::in_seconds(prefill_time(prompt.replica, 1)) == Approx(1.390).epsilon(kTolerance));
}

TEST_CASE("memory adds up: weights, cache, activations, overhead", "[workload]") {
  const Bench b("llama-3.1-8b", "nvidia-h100-sxm5-80gb", "bf16", "vllm", "v1b", {}, {1024, 256});
  const ServingMemory m = memory_of(b.replica, 10, 1280, 8192);
  CHECK(units::in_bytes(m.weights) == Approx(2.0 * 8030261248.0));
  CHECK(units::in_bytes(m.kv_cache) == Approx(10 * 1280 * 131072.0));
  CHECK(units::in_bytes(m.activations) == Approx(2 * 8192 * (13.4 * 4096 + 1.63 * 14336)));
  CHECK(units::in_bytes(m.overhead) == Approx(1.25e9));
  const Bench split("llama-3.1-70b", "nvidia-h100-sxm5-80gb", "fp8", "vllm", "v1b", {8, 1, 1, 1},
                    {1024, 256});
  CHECK(units::in_bytes(cache_per_gpu(split.replica, 1000)) == Approx(327680.0 / 8 * 1000));
  // Four key and value heads on eight GPUs: each head twice.
  const Bench few("qwen3-235b-a22b", "nvidia-h100-sxm5-80gb", "fp8", "vllm", "v1b", {8, 1, 1, 1},
                  {1024, 256});
  CHECK(units::in_bytes(cache_per_gpu(few.replica, 1000)) == Approx(192512.0 / 4 * 1000));
  // Latent attention: a copy on every rank.
  const Bench latent("deepseek-r1", "nvidia-h200-sxm5-141gb", "fp8", "vllm", "v1b", {8, 1, 1, 1},
                     {1024, 256});
  CHECK(units::in_bytes(cache_per_gpu(latent.replica, 1000)) == Approx(70272.0 * 1000));
}

TEST_CASE("an all-reduce takes longer with more peers, and none takes no time", "[workload]") {
  const Bench sxm("llama-3.1-8b", "nvidia-h100-sxm5-80gb", "bf16", "vllm", "v1b", {}, {1024, 256});
  const Bench pcie("llama-3.1-8b", "nvidia-l40s-48gb", "bf16", "vllm", "v1b", {}, {1024, 256});
  const units::Bytes message = units::bytes(16 * 4096 * 2);
  CHECK(all_reduce(sxm.device, 1, message) == units::seconds(0));
  units::Seconds last;
  for (const int n : {2, 4, 8}) {
    CHECK(all_reduce(sxm.device, n, message) > last);
    CHECK(all_reduce(sxm.device, n, message) < all_reduce(pcie.device, n, message));
    last = all_reduce(sxm.device, n, message);
  }
}
