// How far the serving model is from published results. Fails when a class gets worse than it was.
#include "catch.h"
#include "shipped.h"

using namespace gpusel;
using validation::Score;
using workload::MeasuredRow;
using workload::Metric;

namespace {

/// |predicted / measured - 1| of a class of rows: what was reached, with a little room.
struct Class {
  std::string_view kind;
  Metric metric;
  double median;
  double p90;
};
constexpr Class kClasses[] = {{"closed-loop", Metric::tpot, 0.09, 0.27},
                              {"closed-loop", Metric::throughput, 0.15, 0.50},
                              {"closed-loop", Metric::ttft, 0.37, 1.20},
                              {"offline-max", Metric::throughput, 0.10, 0.27},
                              {"static-batch", Metric::whole_time, 0.06, 0.22},
                              {"static-batch", Metric::throughput, 0.08, 0.22},
                              {"static-batch", Metric::tpot, 0.15, 0.26},
                              {"static-batch", Metric::ttft, 0.23, 0.32},
                              {"decode", Metric::tpot, 0.21, 0.42},
                              {"prefill", Metric::ttft, 0.06, 0.39}};

bool is_bounded(std::string_view kind, Metric metric) {
  return std::any_of(std::begin(kClasses), std::end(kClasses), [&](const Class& c) {
    // A decode rate is its time per token once more.
    return kind == c.kind &&
           (metric == c.metric || (kind == "decode" && metric == Metric::throughput));
  });
}

}  // namespace

TEST_CASE("serving estimates stay as near to published results as they were", "[validation]") {
  const std::vector<MeasuredRow> rows = validation::rows_of("serving");
  REQUIRE(rows.size() >= 60);
  std::map<std::pair<std::string, Metric>, std::vector<double>> errors;
  for (const MeasuredRow& row : rows) {
    INFO(row.id << " " << row.model << " on " << row.gpu << ": " << row.skipped);
    REQUIRE(row.skipped.empty());
    REQUIRE(row.primary.has_value());
    for (const workload::Comparison& c : row.comparisons)
      errors[{row.kind, c.metric}].push_back(c.error());
  }
  for (const Class& c : kClasses) {
    INFO(c.kind << " " << data::name_of(c.metric));
    const std::vector<double>& found = errors[{std::string(c.kind), c.metric}];
    REQUIRE_FALSE(found.empty());
    const Score score = validation::print(c.kind, data::name_of(c.metric), found);
    CHECK(score.median <= c.median);
    CHECK(score.p90 <= c.p90);
  }
  for (const auto& entry : errors) {
    INFO(entry.first.first << " " << data::name_of(entry.first.second));
    CHECK(is_bounded(entry.first.first, entry.first.second));
  }
}
