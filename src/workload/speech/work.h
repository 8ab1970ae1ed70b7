// Transcription as a piece of work: one copy of the model on each GPU, batches of pieces.
#pragma once

#include "request.h"

#include <memory>

namespace gpusel::workload::speech {

std::unique_ptr<const Workload> make_transcription(Request request);

}  // namespace gpusel::workload::speech
