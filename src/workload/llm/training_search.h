// Search of the fastest layout of a training job that fits on a machine.
#pragma once

#include "training_model.h"

#include "gpusel/estimate/plan.h"
#include "gpusel/workload/workload.h"

#include <optional>
#include <string>
#include <vector>

namespace gpusel::workload::llm {

/// The degrees to try, each list rising.
struct SearchSpace {
  std::vector<int> tp;
  std::vector<int> cp;
  std::vector<int> ep;
  std::vector<int> zero;
  std::vector<int> micro_batch;
  std::vector<int> interleave;
  std::vector<Recompute> recompute;
  std::vector<int> pp;
};
SearchSpace search_space(const TrainingModel& model);

/// Whether the degrees go together; `dp` follows from the GPUs.
bool is_possible(const TrainingModel& model, const Layout& layout);
/// dp for the other degrees, or 0 where they don't divide the GPUs.
int data_parallel_ranks(const TrainingModel& model, const Layout& layout);

struct SearchResult {
  bool found = false;
  bool any_possible = false;
  Layout layout;
  units::Seconds step;
  units::Bytes memory;
  units::Bytes smallest_memory;  // of the possible layouts; where none was found
  units::Bytes smallest_host;    // of each node: of the layouts that no host holds
};
/// The fastest layout; or one that needs no more than `comfortable` memory, if it takes at most
/// kCalmLoss longer: repeated runs scatter more than that, and a run that dies costs more.
SearchResult search_layouts(const TrainingModel& model, SearchCount& count,
                            units::Bytes comfortable);
inline constexpr double kCalmLoss = 0.03;

/// Why no layout is possible or none fits, with what would help.
estimate::DoesNotFit explain_misfit(const TrainingModel& model, const estimate::Machine& machine,
                                    const SearchResult& result);

}  // namespace gpusel::workload::llm
