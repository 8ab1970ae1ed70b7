// Options of llm-train, llm-finetune and encoder-train: names, defaults and what follows from them.
#pragma once

#include "train_option_table.h"
#include "training_model.h"

#include "gpusel/data/option.h"
#include "gpusel/workload/workload.h"

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace gpusel::workload::llm {

enum class Purpose { pretraining, fine_tuning, encoder };

/// A training request, resolved.
struct TrainRequest {
  std::string_view kind = "llm-train";
  TrainingJob job;
  double nominal_params = 0;  // as asked: what the documents' formulas use
  std::optional<int> nodes;
  int max_nodes = 64;
  Estimator estimator = Estimator::analytical;
  Traits traits;
  std::vector<Field> fields;
  std::vector<estimate::Assumption> assumptions;
};

/// Reports every fault; nullopt after one.
std::optional<TrainRequest> read_train_request(const data::OptionValues& values,
                                               const Context& context, Purpose purpose,
                                               diag::Sink& sink);

/// 1, 2, 4, … up to the most, or the one that was asked for.
std::vector<int> node_counts_of(const TrainRequest& request);

}  // namespace gpusel::workload::llm
