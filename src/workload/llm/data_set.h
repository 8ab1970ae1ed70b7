// How much a training run reads: samples and passes over them, or the texts of an encoder.
#pragma once

#include "train_option_table.h"
#include "training_model.h"

#include "gpusel/data/option.h"
#include "gpusel/estimate/plan.h"
#include "gpusel/workload/workload.h"

#include <string_view>
#include <vector>

namespace gpusel::workload::llm {

/// What a data set is like where nothing is said about it.
struct UsualSamples {
  int batch = 0;  // sequences per step
  double samples = 0;
  std::string_view text;  // "52,000 samples"
  std::string_view source;
};

/// `--global-batch`, `--mean-seq-len`, `--tokens`, `--samples` and `--epochs` of a run over a data
/// set: sizes of `job`, whose sequence is known.
void read_samples(const data::OptionReader& read, const UsualSamples& usual, TrainingJob& job,
                  std::vector<estimate::Assumption>& assumptions);

/// The same of an encoder, whose model and framework are known, and what stands over it.
Head read_texts(const data::OptionReader& read, const Context& context, TrainingJob& job,
                std::vector<estimate::Assumption>& assumptions);

}  // namespace gpusel::workload::llm
