// What the kinds of training share: their options become a workload with the factors of measured
// runs.
#pragma once

#include "llm/train_options.h"

#include "gpusel/workload/workload.h"

#include <memory>

namespace gpusel::workload {

/// Null after a report.
std::unique_ptr<const Workload> make_training(const data::OptionValues& values,
                                              const Context& context, llm::Purpose purpose,
                                              diag::Sink& sink);

}  // namespace gpusel::workload
