// The cost of a service of a language model, as parts of the view of a recommendation.
#pragma once

#include "view_recommendation.h"

#include <vector>

namespace gpusel::cli {

/// `cost.service` of a row.
report::Value service_cost_value(const Shown& s, const recommend::Row& row);
/// Lines of the headline; empty where nothing is known.
std::vector<report::Fact> service_cost_facts(const Shown& s, const recommend::Row& row);

}  // namespace gpusel::cli
