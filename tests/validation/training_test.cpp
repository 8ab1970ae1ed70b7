// Predictions of published training runs by the shipped data: a table per slice, and a bound for
// each.
#include "catch.h"
#include "training_rows.h"

#include "gpusel/base/io.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace {

using namespace gpusel;

/// Largest allowed median and 90th percentile of |predicted / measured - 1|.
struct Limit {
  std::string_view slice;
  double median;
  double p90;
};
constexpr Limit kStepLimits[] = {
    {"Megatron papers, A100", 0.06, 0.16},
    {"vTrain, A100", 0.07, 0.16},
    {"BigScience, A100 and V100", 0.08, 0.16},
    {"llm-foundry, A100 and H100", 0.06, 0.12},
    {"recipes, H100 and H200", 0.06, 0.15},
    {"recipes, Blackwell", 0.12, 0.25},
    {"independent Megatron, H800 and A800", 0.06, 0.15},
    {"FSDP, A100 and H100", 0.10, 0.20},
    {"mixture of experts", 0.20, 0.45},
};
constexpr Limit kMemoryLimit = {"memory", 0.10, 0.22};

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double at = share * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (values[high] - values[low]) * (at - static_cast<double>(low));
}

struct Score {
  double median = 0;
  double p90 = 0;
};
Score print(std::string_view slice, const std::vector<double>& errors) {
  std::vector<double> sizes;
  for (const double e : errors) sizes.push_back(std::abs(e));
  const Score score{quantile(sizes, 0.5), quantile(sizes, 0.9)};
  fmt::print("{:38} n {:3}  median {:5.1f} %  p90 {:5.1f} %  bias {:+5.1f} %\n", slice,
             errors.size(), 100 * score.median, 100 * score.p90, 100 * quantile(errors, 0.5));
  return score;
}

TEST_CASE("published training runs are predicted within the bounds", "[validation]") {
  const std::string folder = GPUSEL_SOURCE_DIR;
  validation::Shipped shipped(folder + "/data");
  const Result<std::string> text = system_files().read(folder + "/tests/validation/training.csv");
  REQUIRE(text.has_value());
  std::map<std::string, std::vector<double>, std::less<>> steps;
  std::vector<double> memory;
  std::vector<double> korthikanti;
  for (const validation::Row& row : validation::read_table(*text)) {
    std::string why;
    const auto p = validation::predict(shipped, row, why);
    INFO(row.at("id") << ": " << why);
    REQUIRE(p.has_value());
    if (p->measured_step > 0) steps[p->slice].push_back(p->step / p->measured_step - 1);
    if (p->measured_memory > 0) memory.push_back(p->memory / p->measured_memory - 1);
    if (p->id.rfind("korthikanti", 0) == 0) korthikanti.push_back(p->step / p->measured_step - 1);
  }
  for (const Limit& limit : kStepLimits) {
    const auto at = steps.find(limit.slice);
    INFO(limit.slice);
    REQUIRE(at != steps.end());
    const Score score = print(limit.slice, at->second);
    CHECK(score.median <= limit.median);
    CHECK(score.p90 <= limit.p90);
  }
  const Score fit = print("peak memory", memory);
  CHECK(fit.median <= kMemoryLimit.median);
  CHECK(fit.p90 <= kMemoryLimit.p90);
  // Korthikanti 2022, table 5: step times of 22B, 175B, 530B and 1T.
  REQUIRE(korthikanti.size() == 4);
  for (const double e : korthikanti) CHECK(std::abs(e) <= 0.06);
}

}  // namespace
