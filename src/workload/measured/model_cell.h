// The model of a measured run: a card by its name, or the shape that the row states.
#pragma once

#include "cells.h"

#include "gpusel/workload/model.h"

#include <map>
#include <string>

namespace gpusel::workload::measured {

/// What `--model` takes, and the file behind it where the shape is the row's own.
struct ModelCell {
  std::string option;
  std::map<std::string, std::string> files;
  bool moe = false;
};

/// Cards by names in which only letters and digits count ("Llama3.1 8B" is llama-3.1-8b).
class ModelNames {
 public:
  explicit ModelNames(const ModelSet& models);
  [[nodiscard]] const ModelCard* find(std::string_view name) const;

 private:
  std::map<std::string, const ModelCard*, std::less<>> cards_;  // null: several share the name
};

/// `params_scale`: what one of `params_total` stands for.
OrSkip<ModelCell> model_of(const Cells& cells, const ModelNames& models, double params_scale);

}  // namespace gpusel::workload::measured
