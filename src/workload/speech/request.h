// What is to be transcribed, resolved.
#pragma once

#include "model.h"

#include "gpusel/workload/workload.h"

#include <optional>
#include <vector>

namespace gpusel::workload::speech {

struct Request {
  SpeechJob job;
  std::optional<double> seconds;  // of speech, of a job
  std::optional<double> streams;  // seconds of speech per second of a service
  std::optional<int> batch;       // pieces at once
  std::optional<int> nodes;
  int max_nodes = 64;
  std::vector<Field> fields;
  std::vector<estimate::Assumption> assumptions;
  Traits traits;
};

/// Reports every fault; nullopt after one.
std::optional<Request> resolve(const data::OptionValues& values, const Context& context,
                               diag::Sink& sink);

}  // namespace gpusel::workload::speech
