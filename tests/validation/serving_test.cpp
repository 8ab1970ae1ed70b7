// How far the serving model is from published results. Fails when a class gets worse than it was.
#include "catch.h"
#include "serving_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

using namespace gpusel;
using validation::ServingRow;

namespace {

/// |ln(predicted / measured)| of a class of rows: what was reached, with a little room for
/// rounding.
struct Class {
  const char* kind;
  const char* metric;
  double median;
  double p90;
};
constexpr Class kClasses[] = {{"closed-loop", "tpot", 0.09, 0.25},
                              {"closed-loop", "output tokens/s", 0.14, 0.42},
                              {"closed-loop", "ttft", 0.40, 0.96},
                              {"offline-max", "output tokens/s", 0.10, 0.25},
                              {"static-batch", "whole batch", 0.06, 0.21},
                              {"static-batch", "output tokens/s", 0.08, 0.20},
                              {"static-batch", "tpot", 0.14, 0.24},
                              {"static-batch", "ttft", 0.22, 0.28},
                              {"decode", "tpot", 0.22, 0.43},
                              {"prefill", "ttft", 0.06, 0.33}};

using Errors = std::map<std::pair<std::string, std::string>, std::vector<double>>;

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double at = share * static_cast<double>(values.size() - 1);
  const std::size_t below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

void collect(const ServingRow& row, const validation::ServingPrediction& p, Errors& errors) {
  const auto add = [&](const char* metric, const std::optional<double>& measured,
                       double predicted) {
    if (measured && *measured > 0)
      errors[{row.kind, metric}].push_back(std::log(predicted / *measured));
  };
  add("ttft", row.ttft, p.ttft);
  add("tpot", row.tpot, p.tpot);
  add("whole batch", row.whole, p.whole);
  if (row.kind != "decode") add("output tokens/s", row.throughput, p.throughput);
}

std::vector<double> sizes_of(std::vector<double> values) {
  for (double& v : values) v = std::fabs(v);
  return values;
}

std::string file() {
  return (std::filesystem::path(__FILE__).parent_path() / "serving.csv").string();
}

}  // namespace

TEST_CASE("serving estimates stay as near to published results as they were", "[validation]") {
  const validation::ServingData data = validation::load_serving_data();
  const std::vector<ServingRow> rows = validation::read_serving_rows(file());
  REQUIRE(rows.size() >= 60);
  Errors errors;
  for (const ServingRow& row : rows) {
    const auto prediction = validation::predict(row, data);
    INFO(row.id << " " << row.model << " on " << row.gpu);
    REQUIRE(prediction);
    collect(row, *prediction, errors);
  }
  fmt::print("{:<14}{:<18}{:>4}{:>9}{:>8}{:>8}\n", "kind", "metric", "n", "median", "p90", "bias");
  for (const Class& c : kClasses) {
    const std::vector<double>& signed_errors = errors[{c.kind, c.metric}];
    INFO(c.kind << " " << c.metric);
    REQUIRE_FALSE(signed_errors.empty());
    const std::vector<double> sizes = sizes_of(signed_errors);
    const double median = quantile(sizes, 0.5);
    const double p90 = quantile(sizes, 0.9);
    fmt::print("{:<14}{:<18}{:>4}{:>9.3f}{:>8.3f}{:>8.2f}\n", c.kind, c.metric, sizes.size(),
               median, p90, std::exp(quantile(signed_errors, 0.5)));
    CHECK(median <= c.median);
    CHECK(p90 <= c.p90);
  }
  for (const auto& entry : errors) {
    const auto& key = entry.first;
    const bool bounded = std::any_of(std::begin(kClasses), std::end(kClasses), [&](const Class& c) {
      return key.first == c.kind && key.second == c.metric;
    });
    INFO(key.first << " " << key.second);
    CHECK(bounded);
  }
}
