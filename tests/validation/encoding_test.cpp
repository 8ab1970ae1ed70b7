// Predictions of published passes of encoders by the shipped data.
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
constexpr Limit kLimits[] = {{"demoBERT, TensorRT", 0.08, 0.18},
                             {"MLPerf BERT offline, TensorRT", 0.06, 0.19},
                             {"FasterTransformer, fp16", 0.15, 0.34},
                             {"FasterTransformer, int8", 0.15, 0.32},
                             {"TorchScript", 0.06, 0.50},
                             {"infinity, L4", 0.18, 0.21}};

std::string_view class_of(const MeasuredRow& row) {
  if (row.id.starts_with("trt")) return "demoBERT, TensorRT";
  if (row.id.starts_with("mlperf")) return "MLPerf BERT offline, TensorRT";
  if (row.id.starts_with("inf")) return "infinity, L4";
  if (row.software == "pytorch") return "TorchScript";
  return row.dtype == "int8" ? "FasterTransformer, int8" : "FasterTransformer, fp16";
}

}  // namespace

TEST_CASE("published passes of encoders are predicted within the bounds", "[validation]") {
  std::map<std::string_view, std::vector<double>> errors;
  for (const MeasuredRow& row : validation::rows_of("encoding")) {
    INFO(row.id << " " << row.model << " on " << row.gpu << ": " << row.skipped);
    REQUIRE(row.skipped.empty());
    REQUIRE(row.primary.has_value());
    errors[class_of(row)].push_back(row.comparisons[*row.primary].error());
  }
  for (const Limit& limit : kLimits) {
    INFO(limit.name);
    REQUIRE(errors.count(limit.name) == 1);
    const Score score = validation::print(limit.name, "time or rate", errors[limit.name]);
    CHECK(score.median <= limit.median);
    CHECK(score.p90 <= limit.p90);
  }
}
