// Encoding as a piece of work: one copy of the model on each GPU, passes of equal batches.
#pragma once

#include "request.h"

#include <memory>

namespace gpusel::workload::encoding {

std::unique_ptr<const Workload> make_encoding(Request request);

/// The batch of a pass where none is asked for.
double usual_batch(const PassJob& job);

}  // namespace gpusel::workload::encoding
