// Predictions of published training runs by the shipped data: a table per class, and a bound for
// each.
#include "catch.h"
#include "shipped.h"

using namespace gpusel;
using validation::Score;
using workload::MeasuredRow;
using workload::Metric;

namespace {

/// Largest allowed median and 90th percentile of |predicted / measured - 1|.
struct Limit {
  std::string_view name;
  double median;
  double p90;
};
constexpr Limit kStepLimits[] = {
    {"Megatron papers, A100", 0.05, 0.12},
    {"vTrain, A100", 0.07, 0.16},
    {"BigScience, A100 and V100", 0.08, 0.16},
    {"llm-foundry, A100 and H100", 0.06, 0.12},
    {"recipes, H100 and H200", 0.06, 0.15},
    {"recipes, Blackwell", 0.08, 0.18},
    {"independent Megatron, H800 and A800", 0.06, 0.15},
    {"FSDP, A100 and H100", 0.10, 0.20},
    {"JAX, H100 and B200", 0.16, 0.35},
    {"LoRA and QLoRA", 0.11, 0.20},
    {"mixture of experts", 0.14, 0.38},
};
constexpr Limit kMemoryLimits[] = {{"full training", 0.06, 0.13}, {"LoRA and QLoRA", 0.08, 0.21}};

bool is_blackwell(const std::string& gpu) {
  return gpu.find("b200") != std::string::npos || gpu.find("b300") != std::string::npos;
}

bool is_mixture(const std::string& model) {
  for (const char* part : {"mixtral", "a22b", "a3b", "a17b", "deepseek-v", "gpt-oss", "grok"}) {
    if (model.find(part) != std::string::npos) return true;
  }
  return false;
}

std::string_view class_of(const MeasuredRow& row) {
  const std::string family = row.id.substr(0, row.id.find('-'));
  if (row.workload == "llm-lora" || row.workload == "llm-qlora") return "LoRA and QLoRA";
  if (is_mixture(row.model)) return "mixture of experts";
  if (family == "korthikanti" || family == "narayanan" || family == "megatron")
    return "Megatron papers, A100";
  if (family == "vtrain") return "vTrain, A100";
  if (family == "bigscience") return "BigScience, A100 and V100";
  if (is_blackwell(row.gpu)) return "recipes, Blackwell";
  if (row.software == "llm-foundry") return "llm-foundry, A100 and H100";
  if (row.software == "megatron-bridge") return "recipes, H100 and H200";
  if (row.software == "jax") return "JAX, H100 and B200";
  if (row.software == "megatron" || row.software == "internevo")
    return "independent Megatron, H800 and A800";
  return row.software.starts_with("fsdp") ? "FSDP, A100 and H100" : "other software";
}

}  // namespace

TEST_CASE("published training runs are predicted within the bounds", "[validation]") {
  std::map<std::string_view, std::vector<double>> steps;
  std::map<std::string_view, std::vector<double>> memory;
  std::vector<double> korthikanti;
  for (const MeasuredRow& row : validation::rows_of("training")) {
    INFO(row.id << ": " << row.skipped);
    REQUIRE(row.skipped.empty());
    for (const workload::Comparison& c : row.comparisons) {
      if (c.metric == Metric::peak_memory) {
        const bool adapters = class_of(row) == "LoRA and QLoRA";
        memory[adapters ? "LoRA and QLoRA" : "full training"].push_back(c.error());
        continue;
      }
      steps[class_of(row)].push_back(c.error());
      if (row.id.starts_with("korthikanti")) korthikanti.push_back(c.error());
    }
  }
  for (const Limit& limit : kStepLimits) {
    INFO(limit.name);
    REQUIRE(steps.count(limit.name) == 1);
    const Score score = validation::print(limit.name, "step time", steps[limit.name]);
    CHECK(score.median <= limit.median);
    CHECK(score.p90 <= limit.p90);
  }
  for (const Limit& limit : kMemoryLimits) {
    INFO(limit.name);
    const Score score = validation::print(limit.name, "peak memory", memory[limit.name]);
    CHECK(score.median <= limit.median);
    CHECK(score.p90 <= limit.p90);
  }
  // Korthikanti 2022, table 5: step times of 22B, 175B, 530B and 1T.
  REQUIRE(korthikanti.size() == 4);
  for (const double e : korthikanti) CHECK(std::abs(e) <= 0.06);
}
