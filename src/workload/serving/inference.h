// LLM serving as a Workload.
#pragma once

#include <memory>

#include "request.h"

namespace gpusel::workload::serving {

std::unique_ptr<const Workload> make_inference(Request request);

}  // namespace gpusel::workload::serving
