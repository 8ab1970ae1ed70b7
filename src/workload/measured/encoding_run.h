// A serving row that is a pass of an encoder: its cells as the options of encoder-inference.
#pragma once

#include "run.h"

namespace gpusel::workload::measured {

/// Rows of the kind `encode`.
bool is_encoding_run(const Cells& cells);
OrSkip<Predicted> predict_encoding(const Cells& cells, const Context& context,
                                   const ModelNames& models);

}  // namespace gpusel::workload::measured
