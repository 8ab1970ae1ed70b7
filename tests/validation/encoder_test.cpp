// Predictions of published training runs of BERT by the shipped data.
#include "catch.h"
#include "shipped.h"

using namespace gpusel;
using validation::Score;
using workload::MeasuredRow;

namespace {

/// Largest allowed median and 90th percentile of |predicted / measured - 1|.
struct Limit {
  std::string_view name;
  double median;
  double p90;
};
constexpr Limit kLimits[] = {{"MLPerf BERT", 0.15, 0.31},
                             {"DeepLearningExamples on many GPUs", 0.14, 0.27},
                             {"DeepLearningExamples, A100", 0.10, 0.27}};

std::string_view class_of(const MeasuredRow& row) {
  if (row.id.starts_with("mlperf")) return "MLPerf BERT";
  return row.id.starts_with("lambda") ? "DeepLearningExamples on many GPUs"
                                      : "DeepLearningExamples, A100";
}

}  // namespace

TEST_CASE("published training runs of encoders are predicted within the bounds", "[validation]") {
  std::map<std::string_view, std::vector<double>> errors;
  for (const MeasuredRow& row : validation::rows_of("encoder")) {
    INFO(row.id << " " << row.model << " on " << row.gpu << ": " << row.skipped);
    REQUIRE(row.skipped.empty());
    REQUIRE(row.comparisons.size() == 1);
    errors[class_of(row)].push_back(row.comparisons.front().error());
  }
  for (const Limit& limit : kLimits) {
    INFO(limit.name);
    REQUIRE(errors.count(limit.name) == 1);
    const Score score = validation::print(limit.name, "throughput", errors[limit.name]);
    CHECK(score.median <= limit.median);
    CHECK(score.p90 <= limit.p90);
  }
}
