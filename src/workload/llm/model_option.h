// The model of an LLM kind from `--model`, `--params` and `--active-params`.
#pragma once

#include "gpusel/data/option.h"
#include "gpusel/estimate/plan.h"
#include "gpusel/workload/model.h"
#include "gpusel/workload/workload.h"

#include <optional>
#include <string_view>
#include <vector>

namespace gpusel::workload::llm {

struct ModelChoice {
  ModelCard card;
  double nominal_params = 0;  // as asked, else of the card
  bool chosen_for_size = false;
};

/// Reports every fault; nullopt after one.
std::optional<ModelChoice> resolve_model(const data::OptionReader& read, const Context& context,
                                         std::vector<estimate::Assumption>& assumptions);

/// An encoder of texts by its name.
std::optional<ModelCard> resolve_encoder(const data::OptionReader& read, const Context& context);

/// A value that may be a name or a file: a file when it looks like a path.
bool looks_like_path(std::string_view value);

}  // namespace gpusel::workload::llm
