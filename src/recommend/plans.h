// Machines of a catalog and the best plan on each, searched once: hardware that looks alike shares
// its plans.
#pragma once

#include "gpusel/recommend/recommend.h"

#include <map>
#include <vector>

namespace gpusel::recommend {

class Plans {
 public:
  Plans(const catalog::Catalog& catalog, const workload::Workload& work);

  [[nodiscard]] estimate::Machine machine(std::uint32_t hardware, int nodes) const;
  const estimate::Bound& bound(std::uint32_t hardware, int nodes);
  const estimate::Verdict<estimate::Plan>& best(std::uint32_t hardware, int nodes);
  /// The node counts worth a look; with a deadline also the smallest that meets it.
  std::vector<int> node_counts(std::uint32_t hardware,
                               const std::optional<units::Seconds>& deadline);

  [[nodiscard]] std::size_t machines() const { return plans_.size(); }
  [[nodiscard]] std::uint64_t evaluated() const { return evaluated_; }

 private:
  void add_deadline_count(std::uint32_t hardware, units::Seconds deadline,
                          std::vector<int>& counts);

  using Key = std::pair<std::uint32_t, int>;  // the first hardware that looks alike, and nodes

  const catalog::Catalog& catalog_;
  const workload::Workload& work_;
  std::vector<std::uint32_t>
      alike_;  // of each hardware, the first that an estimate cannot tell from it
  std::map<Key, estimate::Bound> bounds_;
  std::map<Key, estimate::Verdict<estimate::Plan>> plans_;
  std::map<std::uint32_t, std::vector<int>> node_counts_;
  std::uint64_t evaluated_ = 0;
};

}  // namespace gpusel::recommend
