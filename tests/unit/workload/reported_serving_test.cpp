// Questions and reports of the public about serving, with the answers that they found.
#include "catch.h"
#include "serving_sample.h"

#include "gpusel/estimate/fit.h"
#include "gpusel/workload/holding.h"

#include <algorithm>

using namespace gpusel;
using namespace gpusel::workload;
using workload::test::Options;
using workload::test::shipped;
using workload::test::work;

namespace {

struct Tried {
  std::optional<estimate::Plan> plan;
  estimate::Judgement judgement;
  std::string resource;  // of the misfit
  estimate::Estimate estimate;
};

Tried tried(const Options& options, const estimate::Machine& machine) {
  const auto w = work("llm-inference", options);
  SearchCount count;
  const auto verdict = w->search(machine, count);
  Tried t;
  if (!verdict) {
    t.judgement = estimate::judge_misfit(verdict.error());
    t.resource = verdict.error().resource;
    return t;
  }
  t.plan = *verdict;
  t.estimate = w->explain(*verdict, machine);
  t.judgement = estimate::judge_fit(*verdict, t.estimate, machine);
  return t;
}

Tried tried(const Options& options, const char* gpu, int count, int nodes = 1) {
  return tried(options, shipped().machine(gpu, count, nodes));
}

const ModelSet& models() {
  static const ModelSet kModels = load_models(shipped().set, shipped().faults);
  return kModels;
}

double cache_gib(const char* model, double tokens, double bytes = 2) {
  const ModelCard* card = models().find(model);
  INFO(model);
  REQUIRE(card != nullptr);
  return units::in_bytes(kv_bytes(*card, tokens, bytes)) / units::kGibi;
}

// Where an engine keeps whole sequences for the layers with a window.
double whole_gib(const char* model, double tokens) {
  ModelCard card = *models().find(model);
  card.sliding_window = static_cast<int>(tokens);
  return units::in_bytes(kv_bytes(card, tokens, 2)) / units::kGibi;
}

std::string assumed(const estimate::Estimate& e, std::string_view id) {
  for (const estimate::Assumption& a : e.assumptions) {
    if (a.id == id) return a.text + " = " + a.value;
  }
  return "";
}

}  // namespace

TEST_CASE("the cache of published configurations is exact", "[workload]") {
  struct Case {
    const char* source;
    const char* model;
    double tokens;
    double gib;
  };
  const Case c = GENERATE(Case{"huggingface/blog#2345", "llama-3.1-70b", 128000, 39.06},
                          Case{"8,192 tokens of 80 layers", "llama-3-70b", 8192, 2.5},
                          Case{"unslothai/unsloth#4757", "deepseek-v3", 163840, 10.72},
                          Case{"unslothai/unsloth#4757", "gemma-3-27b", 131072, 10.41},
                          Case{"unslothai/unsloth#4757, as Kimi-K2.5", "kimi-k2", 262144, 17.16},
                          Case{"vllm-project/recipes#12", "qwen3-coder-480b-a35b", 262144, 62});
  INFO(c.source);
  CHECK(cache_gib(c.model, c.tokens) == Approx(c.gib).epsilon(0.001));
}

TEST_CASE("windowed layers are counted both ways", "[workload]") {
  // alvarobartt/hf-mem#70 and sgl-project/sglang#30091: 32 sequences of 8,192 tokens.
  CHECK(32 * cache_gib("gpt-oss-20b", 8192) == Approx(6.09).epsilon(0.001));
  CHECK(32 * whole_gib("gpt-oss-20b", 8192) == Approx(12).epsilon(0.001));
  CHECK(whole_gib("gemma-3-27b", 131072) == Approx(62).epsilon(0.001));
  // ollama/ollama#17037: 2,560 MiB of global layers; its window layers keep 174 MiB, some pages
  // beyond the window of 1,024 (116 MiB).
  CHECK(cache_gib("gemma-3-4b", 131072) * 1024 == Approx(2560 + 116).epsilon(0.001));

  const Tried t =
      tried({{"model", "gpt-oss-20b"}, {"max-context", "8192"}}, "nvidia-h100-sxm5-80gb", 1);
  REQUIRE(t.plan);
  CHECK_THAT(assumed(t.estimate, "window_layers"),
             Catch::Matchers::Contains("takes 384 MiB") && Catch::Matchers::Contains("= 195 MiB"));
  const Tried dense = tried({{"model", "llama-3.1-8b"}}, "nvidia-h100-sxm5-80gb", 1);
  CHECK(assumed(dense.estimate, "window_layers").empty());
}

TEST_CASE("GGUF files have their published sizes", "[workload]") {
  // ggml-org/llama.cpp, tools/perplexity/README.md: files of Llama 3 8B, GiB.
  const auto [format, gib] = GENERATE(
      std::pair<const char*, double>{"q8_0", 7.95}, std::pair<const char*, double>{"q6_k", 6.14},
      std::pair<const char*, double>{"q5_k_m", 5.34},
      std::pair<const char*, double>{"q4_k_m", 4.58},
      std::pair<const char*, double>{"q3_k_m", 3.74}, std::pair<const char*, double>{"q2_k", 2.96});
  INFO(format);
  const Tried t =
      tried({{"model", "llama-3-8b"}, {"engine", "llama.cpp"}, {"weights-dtype", format}},
            "nvidia-rtx-4090-24gb", 1);
  REQUIRE(t.plan);
  CHECK(t.estimate.ledgers.front().lines.front().value / units::kGibi == Approx(gib).epsilon(0.01));
}

TEST_CASE("a mixture of experts needs memory for all of them", "[workload]") {
  // vllm-project/vllm#3285, #2363: 87 GiB of weights; 96 GB are too few at default settings, 128
  // GB hold them.
  const Options mixtral = {{"model", "mixtral-8x7b"}};
  CHECK(tried(mixtral, "nvidia-rtx-4090-24gb", 4).resource == "gpu_memory");
  CHECK(tried(mixtral, "nvidia-rtx-4090-24gb", 4).judgement.fit == estimate::Fit::does_not_fit);
  CHECK(tried(mixtral, "nvidia-rtx-a6000-48gb", 2).judgement.fit == estimate::Fit::borderline);
  CHECK(tried(mixtral, "nvidia-a100-sxm4-80gb", 2).judgement.fit == estimate::Fit::fits);
  const ParameterCount n = count_parameters(*models().find("mixtral-8x7b"));
  CHECK(2 * n.total / units::kGibi == Approx(87.0).epsilon(0.001));
}

TEST_CASE("DeepSeek-V3 on nodes of eight", "[workload]") {
  // InternLM/lmdeploy#2960, deepseek-ai/DeepSeek-V3#11 and #855, xorbitsai/inference#2864.
  const Options fp8 = {{"model", "deepseek-v3"}};
  const Options bf16 = {{"model", "deepseek-v3"}, {"weights-dtype", "bf16"}};
  CHECK(tried(fp8, "nvidia-h800-sxm5-80gb", 8).resource == "gpu_memory");
  const Tried h20 = tried(fp8, "nvidia-h20-96gb", 8);
  REQUIRE(h20.plan);
  CHECK(units::in_bytes(h20.plan->figures.memory) / 1e9 == Approx(83).epsilon(0.1));
  CHECK(tried(fp8, "nvidia-a100-sxm4-80gb", 8).resource == "dtype");
  CHECK(tried(bf16, "nvidia-a100-sxm4-80gb", 8, 2).resource == "gpu_memory");
  CHECK(tried(bf16, "nvidia-a100-sxm4-80gb", 8, 4).plan);
  CHECK_FALSE(tried(bf16, "nvidia-rtx-a6000-48gb", 8).plan);
  const Tried int4 =
      tried({{"model", "deepseek-v3"}, {"weights-dtype", "int4"}}, "nvidia-a100-sxm4-80gb", 8);
  REQUIRE(int4.plan);
  CHECK(test::total_of(int4.estimate, "memory") < 80e9);
}

TEST_CASE("no fp8 before Ada and Hopper", "[workload]") {
  // skypilot-org/skypilot#4723, huggingface/huggingface-llama-recipes#21.
  CHECK(tried({{"model", "deepseek-r1"}}, "nvidia-a100-sxm4-80gb", 8).resource == "dtype");
  CHECK(tried({{"model", "llama-3.1-405b"}, {"weights-dtype", "fp8"}}, "nvidia-a100-sxm4-80gb", 8)
            .resource == "dtype");
}

TEST_CASE("a context that the cache cannot hold is a matter of memory", "[workload]") {
  // vllm-project/vllm#11230, #4168, #10517; ai-dynamo/aiconfigurator#437.
  CHECK(tried({{"model", "qwen2.5-72b"}, {"weights-dtype", "int4"}, {"max-context", "8192"}},
              "nvidia-l40s-48gb", 1)
            .judgement.fit != estimate::Fit::fits);
  const Options tight = {{"model", "llama-3.1-8b"}, {"max-context", "128k"}, {"tpot", "1ms"}};
  const Tried long_one = tried(tight, "nvidia-rtx-4090-24gb", 1);
  CHECK(long_one.resource == "gpu_memory");
  CHECK_FALSE(long_one.plan);
  CHECK(tried({{"model", "llama-3.1-70b"}, {"max-context", "128k"}}, "nvidia-h100-sxm5-80gb", 2)
            .resource == "gpu_memory");
}

TEST_CASE("the longest sequence is the one that engines print", "[workload]") {
  // kaito-project/kaito#2156: Qwen3-8B on an A10 has room for 20,272 tokens.
  diag::Buffer faults;
  auto holdings = Holdings::open(shipped().set, {"vllm", 8192}, faults);
  REQUIRE(holdings);
  const auto held =
      holdings->of(*models().find("qwen3-8b"), shipped().machine("nvidia-a10-24gb", 1));
  REQUIRE(held.front().format == "bf16");
  CHECK(held.front().longest == Approx(20272).epsilon(0.15));
}

TEST_CASE("what an engine needs beside weights and cache grows with the model", "[workload]") {
  // kaito-project/kaito#2139: a flat 2.3 GiB is too little for a model of the class of Mistral
  // Medium (5.5 GiB per GPU were measured).
  const auto beside = [](const char* model, const char* gpu, int count) {
    const Tried t = tried({{"model", model}, {"concurrency", "1"}}, gpu, count);
    REQUIRE(t.plan);
    double bytes = 0;
    for (const estimate::LedgerLine& line : t.estimate.ledgers.front().lines) {
      if (line.id == "activations" || line.id == "overhead") bytes += line.value;
    }
    return bytes / units::kGibi;
  };
  const double large = beside("mistral-large-123b", "nvidia-h100-sxm5-80gb", 4);
  CHECK(large > 3);
  CHECK(large < 5.5);
  CHECK(large > 1.5 * beside("mistral-7b-v0.1", "nvidia-h100-sxm5-80gb", 1));
}

TEST_CASE("needed memory is told apart from what the engine reserves", "[workload]") {
  // vllm-project/vllm#2304: 69 GB on the card for a model that needs 14.5 GB and its cache.
  const Tried t =
      tried({{"model", "mistral-7b-v0.1"}, {"concurrency", "1"}}, "nvidia-a100-sxm4-80gb", 1);
  REQUIRE(t.plan);
  CHECK(units::in_bytes(t.plan->figures.memory) / 1e9 < 20);
  CHECK(units::in_bytes(t.plan->figures.capacity) / 1e9 > 69);
  CHECK(assumed(t.estimate, "memory_share") ==
        "share of each GPU's memory that the engine fills = 90 %");
}

TEST_CASE("decoding a mixture of experts reads the active ones", "[workload]") {
  // AlexsJones/llmfit#449 to #474: estimates by total bytes are far off, by active bytes alone too
  // fast. Qwen3-30B-A3B against a dense model of the same size.
  const auto tpot = [](const char* model) {
    const Tried t =
        tried({{"model", model}, {"concurrency", "1"}, {"tpot", "1s"}}, "nvidia-h100-sxm5-80gb", 1);
    REQUIRE(t.plan);
    return units::in_seconds(t.plan->figures.tpot);
  };
  const double active_only = 3.3e9 * 2 / 3.35e12;
  CHECK(tpot("qwen3-30b-a3b") < tpot("qwen3-32b") / 2);
  CHECK(tpot("qwen3-30b-a3b") > active_only);
}

TEST_CASE("more tensor parallel is not that much faster", "[workload]") {
  // lm-sys/FastChat#2746 and reports of consumer cards: the link decides.
  const auto rate = [](const char* gpu, const char* tp) {
    const Tried t = tried({{"model", "llama-3.1-8b"}, {"concurrency", "1"}, {"tp", tp}}, gpu, 4);
    REQUIRE(t.plan);
    return 1 / units::in_seconds(t.plan->figures.tpot);
  };
  CHECK(rate("nvidia-rtx-4090-24gb", "4") < 3 * rate("nvidia-rtx-4090-24gb", "1"));
  CHECK(rate("nvidia-a100-sxm4-80gb", "4") < 4 * rate("nvidia-a100-sxm4-80gb", "1"));
  CHECK(rate("nvidia-a100-sxm4-80gb", "4") / rate("nvidia-a100-sxm4-80gb", "1") >
        rate("nvidia-rtx-4090-24gb", "4") / rate("nvidia-rtx-4090-24gb", "1"));
}

TEST_CASE("old GPUs: fp16 in place of bf16, or no engine", "[workload]") {
  // vllm-project/vllm#1157, #946, #1284.
  const Tried t4 = tried({{"model", "qwen2.5-7b"}, {"weights-dtype", "int8"}}, "nvidia-t4-16gb", 1);
  REQUIRE(t4.plan);
  CHECK(t4.plan->figures.format == catalog::NumberFormat::fp16);
  CHECK(tried({{"model", "qwen2.5-7b"}}, "nvidia-v100-sxm2-32gb", 1).resource == "engine");
  const Tried v100 =
      tried({{"model", "qwen2.5-7b"}, {"engine-profile", "v1"}}, "nvidia-v100-sxm2-32gb", 1);
  REQUIRE(v100.plan);
  CHECK(v100.plan->figures.format == catalog::NumberFormat::fp16);
  CHECK(tried({{"model", "qwen2.5-7b"}, {"engine-profile", "v1"}}, "nvidia-p100-pcie-16gb", 1)
            .resource == "engine");
}

TEST_CASE("slices of a GPU do not join", "[workload]") {
  // ollama/ollama#4814, vllm-project/vllm#7211, NVIDIA-AI-Blueprints/rag#51.
  const char* slice = "nvidia-h100-pcie-80gb-mig-4g.40gb";
  const Tried two = tried({{"model", "qwen2.5-32b"}}, slice, 2);
  CHECK(two.resource == "gpu_memory");
  const Tried fitting = tried({{"model", "qwen2.5-7b"}}, slice, 2);
  REQUIRE(fitting.plan);
  CHECK(fitting.plan->choices[0] == 1);
  CHECK(fitting.plan->choices[1] == 1);
  CHECK(fitting.plan->figures.replicas == 2);
}
