// What is to be encoded, resolved: every option has a value, every default is an assumption.
#pragma once

#include "pass.h"

#include "gpusel/workload/workload.h"

#include <optional>
#include <vector>

namespace gpusel::workload::encoding {

struct Request {
  PassJob job;
  std::optional<double> sequences;  // of a job
  std::optional<double> rate;       // sequences per second of a service
  std::optional<int> batch;
  std::optional<int> nodes;
  int max_nodes = 64;
  std::vector<Field> fields;
  std::vector<estimate::Assumption> assumptions;
  Traits traits;
};

/// Reports every fault; nullopt after one.
std::optional<Request> resolve(const data::OptionValues& values, const Context& context,
                               diag::Sink& sink);

}  // namespace gpusel::workload::encoding
