// Render scores: how fast GPUs draw the same scenes, by version and backend of the benchmark.
#pragma once

#include "gpusel/base/id.h"
#include "gpusel/data/data_set.h"
#include "gpusel/diag/diagnostic.h"

#include <optional>
#include <string>
#include <vector>

namespace gpusel::workload::rendering {

struct Score {
  GpuId gpu;
  std::string version;  // of the benchmark, such as 4.5.0
  std::string backend;  // optix, hip, …: scores of different ones do not compare
  double score = 0;     // samples per minute
  std::string source;
};

/// Two scores of one version and backend.
struct Pairing {
  double reference = 0;
  double other = 0;
  std::string version;
  std::string backend;
  [[nodiscard]] double slowdown() const { return reference / other; }
};

class ScoreTable {
 public:
  ScoreTable() = default;
  explicit ScoreTable(std::vector<Score> scores) : scores_(std::move(scores)) {}
  [[nodiscard]] bool has(const GpuId& gpu) const;
  [[nodiscard]] std::vector<GpuId> gpus() const;
  /// The newest version and backend for which both have a score.
  [[nodiscard]] std::optional<Pairing> pair(const GpuId& reference, const GpuId& other) const;

 private:
  std::vector<Score> scores_;
};

/// Reads the files of kind `scores`.
ScoreTable load_scores(data::DataSet& set, diag::Sink& sink);

}  // namespace gpusel::workload::rendering
