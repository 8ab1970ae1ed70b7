// Shared by the two halves of the view of a recommendation: its value tree and its sections.
#pragma once

#include "view.h"

#include "gpusel/recommend/service_cost.h"

#include <optional>
#include <string>
#include <vector>

namespace gpusel::cli {

// Everything the parts of this view read.
struct Shown {
  const recommend::Recommendation& answer;
  const recommend::Request& request;
  const workload::Workload& work;
  const catalog::Catalog& catalog;
  [[nodiscard]] bool service() const { return work.nature() == workload::Nature::service; }
  [[nodiscard]] const catalog::Offer& offer(const recommend::Row& row) const {
    return catalog.offers[row.offer];
  }
};

std::optional<int> age_of(const Shown& s, const catalog::Offer& offer);
/// The unit of work: "tokens", "requests", "frames".
std::string unit_of(const Shown& s);
/// What a price of work is stated for: "1M tokens", "frame"; and the amount, nullopt without a
/// throughput.
std::string price_unit_of(const Shown& s);
std::optional<double> unit_price_of(const Shown& s, const recommend::Row& row);
/// None for work that is not counted in tokens, or whose load the estimate says nothing about.
std::optional<recommend::ServiceCost> service_cost_of(const Shown& s, const recommend::Row& row);
std::string region_of(const Shown& s, const catalog::Offer& offer);
std::string_view objective_name(recommend::Objective objective);

// Rules that warn about the rows shown, once each, with the ranks.
struct Warning {
  const rules::Rule* rule;
  std::vector<std::string> ranks;
};
std::vector<Warning> warnings_of(const Shown& s);

/// Those of the work, and the factors of calibrations that hold for a row shown.
std::vector<estimate::Assumption> assumptions_of(const Shown& s);

report::Value recommendation_value(const Shown& s, Rejected rejected);
/// The ranking as people see it, and as CSV prints it: every figure, raw.
report::Section ranking_section(const Shown& s);
report::Table ranking_table(const Shown& s);
std::vector<report::Section> recommendation_sections(const Shown& s, Rejected rejected);

}  // namespace gpusel::cli
