// Calibration: factors on the estimates, from measured runs of one's own.
//
//   Calibration made = calibrate(rows, "runs", MeasuredKind::training, "runs.csv", today);
//   std::string file = calibration_text(made);         // what --write-calibration writes
//   CalibrationSet in_force = load_calibrations(data, sink);
//   const Factor* f = in_force.find({kind, "nvidia-a100-sxm4-80gb", "bf16", "megatron"},
//   Figure::time);
#pragma once

#include "gpusel/base/date.h"
#include "gpusel/data/data_set.h"
#include "gpusel/diag/diagnostic.h"
#include "gpusel/estimate/plan.h"
#include "gpusel/workload/measured.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpusel::workload {

/// What a factor multiplies: the step time of training, the time per token of serving, its
/// throughput where no load is given, the peak memory of both.
enum class Figure { time, throughput, memory };

/// On what a factor holds.
struct CalibrationKey {
  std::string gpu;
  std::string dtype;     // of the matrix products, or of the weights
  std::string software;  // framework or engine
  friend bool operator==(const CalibrationKey&, const CalibrationKey&) = default;
};

struct Factor {
  CalibrationKey key;
  Figure figure = Figure::time;
  double factor = 1;
  int n = 0;          // series of runs
  double spread = 0;  // 90th percentile of the distances of series from the middle one; 0.05 is 5 %
};

struct Calibration {
  std::string id;
  MeasuredKind kind = MeasuredKind::training;
  std::string source;  // the file of measured runs
  Date date;
  std::vector<Factor> factors;
};

/// The factors of all files in force.
class CalibrationSet {
 public:
  CalibrationSet() = default;
  /// The one that wins first.
  explicit CalibrationSet(std::vector<Calibration> all) : all_(std::move(all)) {}
  [[nodiscard]] bool empty() const { return all_.empty(); }
  /// 1 where no file has a factor; of several the file that overlays the others.
  [[nodiscard]] double factor(MeasuredKind kind, const CalibrationKey& key, Figure figure) const;
  /// One assumption for each factor that holds.
  [[nodiscard]] std::vector<estimate::Assumption> assumptions(MeasuredKind kind,
                                                              const CalibrationKey& key) const;

 private:
  struct Found {
    const Calibration* file = nullptr;
    const Factor* factor = nullptr;
  };
  [[nodiscard]] Found find(MeasuredKind kind, const CalibrationKey& key, Figure figure) const;
  std::vector<Calibration> all_;  // the one that wins first
};

/// Reads the files of kind `calibration`. Faulty ones are left out and reported.
CalibrationSet load_calibrations(data::DataSet& set, diag::Sink& sink);

/// The factors of measured rows: ln f = n / (n + 2) x median of ln(measured / predicted) over n
/// series.
Calibration calibrate(std::span<const MeasuredRow> rows, std::string id, MeasuredKind kind,
                      std::string source, Date date);
/// As a data file.
std::string calibration_text(const Calibration& calibration);

}  // namespace gpusel::workload

template <>
struct gpusel::data::EnumNames<gpusel::workload::Figure> {
  using E = gpusel::workload::Figure;
  static constexpr std::array<std::pair<std::string_view, E>, 3> kNames = {
      {{"time", E::time}, {"throughput", E::throughput}, {"memory", E::memory}}};
};
template <>
struct gpusel::data::EnumNames<gpusel::workload::MeasuredKind> {
  using E = gpusel::workload::MeasuredKind;
  static constexpr std::array<std::pair<std::string_view, E>, 2> kNames = {
      {{"training", E::training}, {"serving", E::serving}}};
};
