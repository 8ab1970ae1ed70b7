// What predicts one row of a file of measured runs.
#pragma once

#include "cells.h"
#include "model_cell.h"

#include "gpusel/workload/measured.h"

#include <vector>

namespace gpusel::workload::measured {

/// Identity and comparisons of a row that can be predicted; what cannot is a reason.
struct Predicted {
  std::string software;
  std::string dtype;  // the format in force
  std::vector<Comparison> comparisons;
};

class Predictor {
 public:
  Predictor() = default;
  Predictor(const Predictor&) = delete;
  Predictor& operator=(const Predictor&) = delete;
  virtual ~Predictor() = default;
  [[nodiscard]] virtual OrSkip<Predicted> predict(const Cells& cells) const = 0;
  /// The metric that a row is about, from the most wanted on.
  [[nodiscard]] virtual std::vector<Metric> primaries(const Cells& cells) const = 0;
};

/// `context` and `models` must outlive it.
std::unique_ptr<Predictor> training_predictor(const Context& context, const ModelNames& models,
                                              diag::Sink& sink);
std::unique_ptr<Predictor> serving_predictor(const Context& context, const ModelNames& models,
                                             diag::Sink& sink);

/// The index of a GPU of the catalog by its id or alias.
OrSkip<std::size_t> gpu_of(const Cells& cells, const catalog::Catalog& catalog);
/// The year that a text begins with, such as 2024 of `2024-05`.
std::optional<int> year_of(std::string_view text);

}  // namespace gpusel::workload::measured
