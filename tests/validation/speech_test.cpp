// Predictions of published runs of Whisper by the shipped data.
#include "catch.h"
#include "shipped.h"

using namespace gpusel;
using workload::MeasuredRow;

TEST_CASE("published runs of Whisper are predicted within the bounds", "[validation]") {
  std::vector<double> errors;
  for (const MeasuredRow& row : validation::rows_of("speech")) {
    INFO(row.id << " on " << row.gpu << ": " << row.skipped);
    REQUIRE(row.skipped.empty());
    REQUIRE(row.primary.has_value());
    errors.push_back(row.comparisons[*row.primary].error());
  }
  REQUIRE(errors.size() == 8);
  const validation::Score score =
      validation::print("MLPerf Whisper offline, TensorRT", "throughput", errors);
  CHECK(score.median <= 0.08);
  CHECK(score.p90 <= 0.15);
}
