// Why each offer is out: of several node counts, the reason of the one that came nearest.
#pragma once

#include "gpusel/recommend/recommend.h"

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
      nearest_[offer] = Nearest{std::forward<Make>(make)(), progress, overshoot};
  }
  void add_unfit(std::uint32_t offer, int nodes, const estimate::DoesNotFit& why);
  void erase(std::uint32_t offer) {
    if (offer < nearest_.size()) nearest_[offer].reset();
  }
  /// The one that came nearest of all that passed the filters, without the offers that are ranked.
  [[nodiscard]] std::optional<Rejection> nearest(const std::set<std::uint32_t>& ranked) const;
  /// All that are held, by offer; none is held any more.
  [[nodiscard]] std::vector<Rejection> take();

 private:
  struct Nearest {
    Rejection rejection;
    Progress progress = Progress::filter;
    double overshoot = 0;
  };
  // Makes room for the offer; true unless what is held came as near.
  bool is_nearer(std::uint32_t offer, Progress progress, double overshoot);

  std::vector<std::optional<Nearest>> nearest_;  // by offer
};

/// How many were rejected for each reason, most frequent first.
std::vector<ReasonCount> count_reasons(const std::vector<Rejection>& rejected,
                                       const catalog::Catalog& catalog,
                                       const rules::RuleSet& rules);

}  // namespace gpusel::recommend
