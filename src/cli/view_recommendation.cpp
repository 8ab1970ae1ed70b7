#include "view_recommendation.h"

#include <algorithm>

namespace gpusel::cli {

std::optional<int> age_of(const Shown& s, const catalog::Offer& offer) {
  if (!offer.price || !offer.price->date) return std::nullopt;
  return s.request.as_of.days_since(*offer.price->date);
}

std::string unit_of(const Shown& s) {
  const std::string_view unit = s.work.throughput_unit();
  return std::string(unit.substr(0, unit.find('/')));  // tokens/s -> tokens
}

std::string price_unit_of(const Shown& s) {
  const std::string unit = unit_of(s);
  if (unit == "speech-seconds") return "hour of speech";
  return unit == "tokens" ? "1M tokens" : unit;
}

std::optional<double> unit_price_of(const Shown& s, const recommend::Row& row) {
  constexpr double kMillion = 1e6;
  if (!row.per_unit) return std::nullopt;
  const std::string unit = unit_of(s);
  const double hour = unit == "speech-seconds" ? units::kSecondsPerHour : 1;
  return in_usd_per_item(*row.per_unit) * (unit == "tokens" ? kMillion : hour);
}

std::optional<recommend::ServiceCost> service_cost_of(const Shown& s, const recommend::Row& row) {
  const auto& tokens = s.work.traits().tokens;
  if (!tokens) return std::nullopt;
  return recommend::service_cost(row, s.offer(row), *tokens);
}

std::string region_of(const Shown& s, const catalog::Offer& offer) {
  return offer.region ? s.catalog.regions[*offer.region].id.text() : "unknown";
}

std::string_view objective_name(recommend::Objective objective) {
  switch (objective) {
    case recommend::Objective::balanced:
      return "balanced";
    case recommend::Objective::cost:
      return "cost";
    case recommend::Objective::time:
      return "time";
    case recommend::Objective::throughput_per_dollar:
      return "throughput-per-dollar";
  }
  return "balanced";
}

std::vector<Warning> warnings_of(const Shown& s) {
  std::vector<Warning> warnings;
  for (std::size_t i = 0; i < s.answer.rows.size(); ++i) {
    for (const rules::Finding& finding : s.answer.rows[i].findings) {
      auto found = std::find_if(warnings.begin(), warnings.end(),
                                [&](const Warning& w) { return w.rule == finding.rule; });
      if (found == warnings.end()) found = warnings.insert(warnings.end(), {finding.rule, {}});
      found->ranks.push_back(std::to_string(i + 1));
    }
  }
  return warnings;
}

report::Document view_recommendation(const recommend::Recommendation& answer,
                                     const recommend::Request& request,
                                     const workload::Workload& work,
                                     const catalog::Catalog& catalog, Rejected rejected) {
  const Shown s{answer, request, work, catalog};
  report::Document document;
  document.value = recommendation_value(s, rejected);
  document.sections = recommendation_sections(s, rejected);
  document.csv = ranking_table(s);
  return document;
}

}  // namespace gpusel::cli
