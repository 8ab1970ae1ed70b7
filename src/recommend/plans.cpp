#include "plans.h"

#include <algorithm>
#include <tuple>

namespace gpusel::recommend {
namespace {

// What an estimate sees: processors, disk and virtualization make no difference to it, and the
// host's memory only where work waits there.
auto seen_by_estimates(const catalog::Hardware& h, const workload::Traits& traits) {
  const bool host = traits.sees_host_memory && h.memory;
  return std::make_tuple(h.gpu, h.count, h.fabric, h.network ? h.network->canonical() : -1.0,
                         host ? h.memory->canonical() : -1.0);
}

}  // namespace

Plans::Plans(const catalog::Catalog& catalog, const workload::Workload& work)
    : catalog_(catalog), work_(work) {
  std::map<decltype(seen_by_estimates({}, {})), std::uint32_t> first;
  for (std::uint32_t i = 0; i < catalog.hardware.size(); ++i) {
    alike_.push_back(
        first.emplace(seen_by_estimates(catalog.hardware[i], work.traits()), i).first->second);
  }
}

estimate::Machine Plans::machine(std::uint32_t hardware, int nodes) const {
  return estimate::make_machine(catalog_, catalog_.hardware[hardware], nodes);
}

const estimate::Bound& Plans::bound(std::uint32_t hardware, int nodes) {
  const auto [found, fresh] = bounds_.try_emplace({alike_[hardware], nodes});
  if (fresh) found->second = work_.bound(machine(alike_[hardware], nodes));
  return found->second;
}

const estimate::Verdict<estimate::Plan>& Plans::best(std::uint32_t hardware, int nodes) {
  const Key key(alike_[hardware], nodes);
  const auto found = plans_.find(key);
  if (found != plans_.end()) return found->second;
  workload::SearchCount count;
  estimate::Verdict<estimate::Plan> verdict = work_.search(machine(key.first, nodes), count);
  evaluated_ += count.evaluated;
  return plans_.emplace(key, std::move(verdict)).first->second;
}

std::vector<int> Plans::node_counts(std::uint32_t hardware,
                                    const std::optional<units::Seconds>& deadline) {
  const auto [found, fresh] = node_counts_.try_emplace(alike_[hardware]);
  if (fresh) found->second = work_.node_counts(catalog_, catalog_.hardware[alike_[hardware]]);
  std::vector<int> counts = found->second;
  const bool job = work_.nature() == workload::Nature::job;
  if (deadline && job && counts.size() > 1) add_deadline_count(hardware, *deadline, counts);
  return counts;
}

// The smallest count that meets the deadline lies between two counts that were given.
void Plans::add_deadline_count(std::uint32_t hardware, units::Seconds deadline,
                               std::vector<int>& counts) {
  const auto meets = [&](int nodes) {
    const auto& verdict = best(hardware, nodes);
    return verdict && verdict->figures.duration <= deadline;
  };
  const auto first = std::find_if(counts.begin(), counts.end(), meets);
  if (first == counts.end() || first == counts.begin()) return;
  int low = *(first - 1);
  int high = *first;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (meets(middle) ? high : low) = middle;
  }
  if (high != *first) counts.insert(first, high);
}

}  // namespace gpusel::recommend
