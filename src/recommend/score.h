// Score of a row: the weighted geometric mean of best / value over cost, time and risk, times the
// factors of rules.
#pragma once

#include "gpusel/recommend/recommend.h"

#include <vector>

namespace gpusel::recommend {

/// The values of the three terms, all positive, lower is better.
struct TermValues {
  double cost = 0;
  double time = 0;
  double risk = 1;
};

/// cost^w * time^w * risk^w: the rank order, before the factors of rules.
double raw_score(const TermValues& values, const Weights& weights);

/// What counts as time: in `balanced` a job's time down to the deadline (or kPatience), nothing for
/// a service within its limits.
double time_value(const Request& request, const workload::Workload& work, units::Seconds duration,
                  units::Seconds latency);

/// What counts as cost: the total, or the price of a unit of work where the load is open.
double cost_value(const Request& request, const workload::Workload& work, units::Usd total,
                  units::ItemsPerSecond throughput);

/// A factor of 1 or more for what may go wrong with an offer: age and confidence of its price, spot
/// interruptions within the duration, little memory headroom.
double risk_value(const catalog::Offer& offer, const Request& request, int nodes,
                  units::Seconds duration, double memory_share);

/// Product of (1 - by) and (1 + by) over the findings that penalise and prefer.
double rule_factor(const std::vector<rules::Finding>& findings);

/// Fills score and parts of the rows against the best value of each term among them.
void fill_scores(std::vector<Row>& rows, const std::vector<TermValues>& values,
                 const Weights& weights);

}  // namespace gpusel::recommend
