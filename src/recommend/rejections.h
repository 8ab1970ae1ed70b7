// Why each offer is out: of several node counts, the reason of the one that came nearest.
#pragma once

#include "gpusel/recommend/recommend.h"

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <utility>
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
  /// Keeps the rejection that `make()` returns unless one is held that came nearer: its texts are
  /// made only then. `overshoot` is value / bound, smaller is nearer.
  template <class Make>
  void add(std::uint32_t offer, Progress progress, double overshoot, Make&& make) {
    if (is_nearer(offer, progress, overshoot))
      nearest_[place_of(offer)] = Nearest{std::forward<Make>(make)(), progress, overshoot};
  }
  void add_unfit(std::uint32_t offer, int nodes, const estimate::DoesNotFit& why);
  void erase(std::uint32_t offer) {
    if (offer < places_.size()) places_[offer].reset();
  }
  /// The one that came nearest of all that passed the filters, without the offers that are ranked.
  [[nodiscard]] std::optional<Rejection> nearest(const std::set<std::uint32_t>& ranked) const;
  /// Those that are held of offers that are not in the sets, by offer; none is held any more.
  [[nodiscard]] std::vector<Rejection> take_without(const std::set<std::uint32_t>& ranked,
                                                    const std::set<std::uint32_t>& skipped);

 private:
  struct Nearest {
    Rejection rejection;
    Progress progress = Progress::filter;
    double overshoot = 0;
  };
  [[nodiscard]] bool is_nearer(std::uint32_t offer, Progress progress, double overshoot) const;
  std::size_t place_of(std::uint32_t offer);
  [[nodiscard]] const Nearest* held(std::uint32_t offer) const;

  std::vector<std::optional<std::uint32_t>> places_;  // in nearest_, by offer
  std::deque<Nearest> nearest_;                       // a deque moves nothing when it grows
};

/// How many were rejected for each reason, most frequent first.
std::vector<ReasonCount> count_reasons(const std::vector<Rejection>& rejected,
                                       const catalog::Catalog& catalog,
                                       const rules::RuleSet& rules);

}  // namespace gpusel::recommend
