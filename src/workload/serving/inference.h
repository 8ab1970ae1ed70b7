// LLM serving as a Workload.
#pragma once

#include "request.h"

#include <memory>

namespace gpusel::workload::serving {

std::unique_ptr<const Workload> make_inference(const Request& request);

}  // namespace gpusel::workload::serving
