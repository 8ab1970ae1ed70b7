// Why each offer is out: of several node counts, the reason of the one that came nearest.
#pragma once

#include "gpusel/recommend/recommend.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gpusel::recommend {

/// How far an offer came before it was rejected: the later, the nearer.
enum class Progress {
  filter,
  offer_rule,
  machine_rule,
  fit,
  plan_rule,
  deadline,
  budget,
  cost_rule
};

class Rejections {
 public:
  /// Keeps the rejection unless one is held that came nearer. `overshoot` is value / bound, smaller
  /// is nearer.
  void add(Rejection rejection, Progress progress, double overshoot);
  void add_unfit(std::uint32_t offer, int nodes, const estimate::DoesNotFit& why);
  void erase(std::uint32_t offer) { nearest_.erase(offer); }
  /// The one that came nearest of all that passed the filters, without the offers that are ranked.
  [[nodiscard]] std::optional<Rejection> nearest(const std::set<std::uint32_t>& ranked) const;
  /// All that are held, by offer.
  [[nodiscard]] std::vector<Rejection> all() const;

 private:
  struct Nearest {
    Rejection rejection;
    Progress progress = Progress::filter;
    double overshoot = 0;
  };
  std::map<std::uint32_t, Nearest> nearest_;
};

/// How many were rejected for each reason, most frequent first.
std::vector<ReasonCount> count_reasons(const std::vector<Rejection>& rejected,
                                       const catalog::Catalog& catalog,
                                       const rules::RuleSet& rules);

}  // namespace gpusel::recommend
