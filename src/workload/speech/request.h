// What is to be transcribed, resolved.
#pragma once

#include "../batch_work.h"
#include "model.h"

#include <optional>

namespace gpusel::workload::speech {

struct Request : BatchRequest {
  SpeechJob job;
  std::optional<double> seconds;  // of speech, of a job
  std::optional<double> streams;  // seconds of speech per second of a service
};

/// Reports every fault; nullopt after one.
std::optional<Request> resolve(const data::OptionValues& values, const Context& context,
                               diag::Sink& sink);

}  // namespace gpusel::workload::speech
