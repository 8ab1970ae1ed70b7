// The workload of llm-train under the analytical estimator.
#pragma once

#include "train_options.h"

#include <memory>

namespace gpusel::workload::llm {

std::unique_ptr<const Workload> make_train_workload(TrainRequest request);

/// Bounds of measured over predicted (10th and 90th percentile) for a class of runs.
struct Interval {
  double time_low = 1;
  double time_high = 1;
  double memory_low = 1;
  double memory_high = 1;
  std::string_view runs;  // what they were measured on
};
Interval interval_of(const TrainingModel& model, const estimate::Machine& machine);

/// The ledgers and what they rest on.
estimate::Estimate explain_training(const TrainRequest& request, const TrainingModel& model,
                                    const estimate::Plan& plan, const estimate::Machine& machine);

}  // namespace gpusel::workload::llm
