// Measured runs: each row of a CSV file becomes option values and a layout, takes the way of every
// request, and is compared with what was measured.
//
//   auto rows = MeasuredRows::open(source, context, sink);
//   while (std::optional<MeasuredRow> row = rows->next()) all.push_back(*row);
//   Summary summary = summarize(all, By::gpu);
#pragma once

#include "gpusel/data/csv.h"
#include "gpusel/data/value_reader.h"
#include "gpusel/workload/model.h"
#include "gpusel/workload/workload.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpusel::workload {

enum class MeasuredKind { training, serving };

enum class Metric {
  step_time,         // s
  throughput,        // tokens/s of all GPUs; serving: output tokens
  total_throughput,  // tokens/s, prompts too
  request_rate,      // requests/s
  tpot,              // s
  ttft,              // s
  whole_time,        // s, of a request or of a static batch
  peak_memory,       // bytes per GPU
};

/// One figure of a run, measured and predicted, in canonical units.
struct Comparison {
  Metric metric = Metric::step_time;
  double measured = 0;
  double predicted = 0;
  [[nodiscard]] double error() const { return predicted / measured - 1; }
};

/// One row: who and what it is, and how far the estimate is from it.
struct MeasuredRow {
  std::string id;
  std::size_t line = 0;
  std::string source;
  std::string series;
  std::string model;
  std::string gpu;
  std::string dtype;
  std::string software;  // the framework or engine of the data that the row means
  std::string workload;
  std::string kind;
  std::string alike;    // the same for rows that differ in nothing but the GPU
  std::string skipped;  // why nothing is predicted; empty where something is
  std::vector<Comparison> comparisons;
  std::optional<std::size_t> primary;  // of the comparisons: the one that the row is about
};

/// Reads a file of training or serving rows; which of them, its columns say.
class MeasuredRows {
 public:
  /// nullopt after an error: no table, a column missing.
  static std::optional<MeasuredRows> open(const diag::SourcePtr& source, const Context& context,
                                          diag::Sink& sink);
  MeasuredRows(MeasuredRows&&) noexcept;
  MeasuredRows& operator=(MeasuredRows&&) = delete;
  MeasuredRows(const MeasuredRows&) = delete;
  MeasuredRows& operator=(const MeasuredRows&) = delete;
  ~MeasuredRows();

  [[nodiscard]] MeasuredKind kind() const;
  /// nullopt at the end. Cells that cannot be read are reported, and their row is left out.
  [[nodiscard]] std::optional<MeasuredRow> next();

 private:
  struct Parts;
  explicit MeasuredRows(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

/// What slices are made of.
enum class By { source, series, gpu, dtype, framework, engine, workload, kind, model };

/// Errors of one metric over some rows; those of one series are averaged first.
struct Slice {
  std::string name;
  std::optional<Metric> metric;  // none: no row of it could be predicted, or several metrics
  std::size_t rows = 0;
  std::size_t series = 0;
  double median = 0;  // of the absolute errors; 0.08 is 8 %
  double p90 = 0;
  double bias = 0;  // median of the signed errors
  std::size_t skipped = 0;
};

struct SkipCount {
  std::string reason;
  std::size_t rows = 0;
};

/// Pairs of rows that differ in nothing but the GPU and were measured at least 5 % apart.
struct PairCount {
  std::size_t pairs = 0;
  std::size_t right = 0;  // predicted in the measured order
};

struct Summary {
  std::vector<Slice> slices;
  Slice overall;  // one error per row, that of its primary metric
  std::vector<SkipCount> skipped;
  PairCount pairs;
};
Summary summarize(std::span<const MeasuredRow> rows, By by);

/// With linear interpolation; of at least one value.
double quantile(std::vector<double> values, double share);

}  // namespace gpusel::workload

template <>
struct gpusel::data::EnumNames<gpusel::workload::By> {
  using E = gpusel::workload::By;
  static constexpr std::array<std::pair<std::string_view, E>, 9> kNames = {
      {{"source", E::source},
       {"series", E::series},
       {"gpu", E::gpu},
       {"dtype", E::dtype},
       {"framework", E::framework},
       {"engine", E::engine},
       {"workload", E::workload},
       {"kind", E::kind},
       {"model", E::model}}};
};
template <>
struct gpusel::data::EnumNames<gpusel::workload::Metric> {
  using E = gpusel::workload::Metric;
  static constexpr std::array<std::pair<std::string_view, E>, 8> kNames = {
      {{"step_time", E::step_time},
       {"throughput", E::throughput},
       {"total_throughput", E::total_throughput},
       {"request_rate", E::request_rate},
       {"tpot", E::tpot},
       {"ttft", E::ttft},
       {"e2e", E::whole_time},
       {"peak_memory", E::peak_memory}}};
};
