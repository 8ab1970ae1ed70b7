// What is to be encoded, resolved: every option has a value, every default is an assumption.
#pragma once

#include "../batch_work.h"
#include "pass.h"

#include <optional>

namespace gpusel::workload::encoding {

struct Request : BatchRequest {
  PassJob job;
  std::optional<double> sequences;  // of a job
  std::optional<double> rate;       // sequences per second of a service
};

/// Reports every fault; nullopt after one.
std::optional<Request> resolve(const data::OptionValues& values, const Context& context,
                               diag::Sink& sink);

}  // namespace gpusel::workload::encoding
