#include "score.h"

#include "subject.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gpusel::recommend {
namespace {

// How much dearer a job is expected to become for each way in which its price is uncertain.
// Planning values of ours: list prices of GPU instances moved by 10 % a year or more in 2025 and
// 2026.
constexpr double kRiskPerYearOfAge = 0.10;
constexpr double kDaysPerYear = 365;
constexpr std::array<double, 7> kRiskByConfidence = {0.0, 0.02, 0.05, 0.10, 0.20, 0.30, 0.50};

// Memory above this share of the GPU leaves less than the estimate's own error.
constexpr double kTightMemory = 0.90;
constexpr double kRiskOfTightMemory = 0.10;

double price_risk(const catalog::Offer& offer, Date as_of) {
  const int days =
      std::max(price_age_days(offer, as_of).value_or(static_cast<int>(kDaysPerYear)), 0);
  const auto confidence = static_cast<std::size_t>(offer.price->confidence);
  return 1 + kRiskPerYearOfAge * days / kDaysPerYear + kRiskByConfidence[confidence];
}

// Chance that at least one node is reclaimed within the time, from the published monthly share.
double spot_risk(const catalog::Interruption& interruption, int nodes, units::Seconds duration) {
  constexpr double kOpenBand = 0.30;  // stands for an open band that begins at 20 %
  constexpr double kMostMonths = 1;
  const double share =
      std::clamp(interruption.high.value_or(std::max(interruption.low, kOpenBand)), 0.0, 0.99);
  const double months = std::min(units::in_hours(duration) / units::kHoursPerMonth, kMostMonths);
  return 2 - std::pow(1 - share, months * nodes);
}

}  // namespace

Weights weights_of(Objective objective, const Weights& balanced) {
  switch (objective) {
    case Objective::balanced:
      return balanced;
    case Objective::cost:
    case Objective::throughput_per_dollar:
      return {1, 0, 0};
    case Objective::time:
      return {0, 1, 0};
  }
  return balanced;
}

double raw_score(const TermValues& values, const Weights& weights) {
  const auto term = [](double value, double weight) {
    return weight == 0 ? 1.0 : std::pow(value, weight);
  };
  return term(values.cost, weights.cost) * term(values.time, weights.time) *
         term(values.risk, weights.risk);
}

double time_value(const Request& request, const workload::Workload& work, units::Seconds duration,
                  units::Seconds latency) {
  const bool balanced = request.objective == Objective::balanced;
  if (work.nature() == workload::Nature::service)
    return balanced ? 1 : std::max(in_seconds(latency), 1e-9);
  if (!balanced) return in_seconds(duration);
  return in_seconds(units::max(duration, request.constraints.deadline.value_or(kPatience)));
}

double cost_value(const Request& request, const workload::Workload& work, units::Usd total,
                  units::ItemsPerSecond throughput) {
  const bool per_unit =
      work.traits().open_load || request.objective == Objective::throughput_per_dollar;
  if (!per_unit || throughput <= units::ItemsPerSecond{}) return in_usd(total);
  return in_usd(total) / in_items_per_second(throughput);
}

double risk_value(const catalog::Offer& offer, const Request& request, int nodes,
                  units::Seconds duration, double memory_share) {
  double risk = price_risk(offer, request.as_of);
  if (offer.purchase == catalog::Purchase::spot) {
    // Where no figure is published a spot offer is taken to be as bad as the worst published band.
    risk *= spot_risk(offer.interruption.value_or(catalog::Interruption{}), nodes, duration);
  }
  if (memory_share > kTightMemory) risk *= 1 + kRiskOfTightMemory;
  return risk;
}

double rule_factor(const std::vector<rules::Finding>& findings) {
  double factor = 1;
  for (const rules::Finding& finding : findings) {
    const double by = finding.rule->by ? finding.rule->by->value : 0;
    if (finding.rule->effect == rules::Effect::penalise) factor *= 1 - by;
    if (finding.rule->effect == rules::Effect::prefer) factor *= 1 + by;
  }
  return factor;
}

void fill_scores(std::vector<Row>& rows, const std::vector<TermValues>& values,
                 const Weights& weights) {
  TermValues best{1e300, 1e300, 1e300};
  for (const TermValues& v : values) {
    best = {std::min(best.cost, v.cost), std::min(best.time, v.time), std::min(best.risk, v.risk)};
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto part = [](ScoreTerm term, double value, double least, double weight) {
      return ScorePart{term, value, weight, weight == 0 ? 1.0 : std::pow(least / value, weight)};
    };
    rows[i].parts = {part(ScoreTerm::cost, values[i].cost, best.cost, weights.cost),
                     part(ScoreTerm::time, values[i].time, best.time, weights.time),
                     part(ScoreTerm::risk, values[i].risk, best.risk, weights.risk)};
    rows[i].score = rows[i].rule_factor;
    for (const ScorePart& p : rows[i].parts) rows[i].score *= p.contribution;
  }
}

}  // namespace gpusel::recommend
