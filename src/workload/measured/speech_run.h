// A serving row that transcribes speech: its cells as the options of speech-inference.
#pragma once

#include "run.h"

namespace gpusel::workload::measured {

/// Rows of the kind `transcribe`.
bool is_speech_run(const Cells& cells);
OrSkip<Predicted> predict_speech(const Cells& cells, const Context& context,
                                 const ModelNames& models);

}  // namespace gpusel::workload::measured
