#include "rejections.h"

#include "gpusel/recommend/filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace gpusel::recommend {

bool Rejections::is_nearer(std::uint32_t offer, Progress progress, double overshoot) {
  if (offer >= nearest_.size()) nearest_.resize(offer + 1);
  const std::optional<Nearest>& held = nearest_[offer];
  if (!held || held->progress != progress) return !held || held->progress < progress;
  return overshoot < held->overshoot;
}

void Rejections::add_unfit(std::uint32_t offer, int nodes, const estimate::DoesNotFit& why) {
  const double overshoot = why.available > 0 ? why.needed / why.available : 1e300;
  add(offer, Progress::fit, overshoot, [&] {
    return Rejection{offer, nodes, "fit." + why.resource, why.text, "", why.what_would_help};
  });
}

std::optional<Rejection> Rejections::nearest(const std::set<std::uint32_t>& ranked) const {
  const Nearest* best = nullptr;
  for (const std::optional<Nearest>& held : nearest_) {
    if (!held || held->progress == Progress::filter || ranked.count(held->rejection.offer) > 0)
      continue;
    const bool nearer = best == nullptr || held->progress > best->progress ||
                        (held->progress == best->progress && held->overshoot < best->overshoot);
    if (nearer) best = &*held;
  }
  if (best == nullptr) return std::nullopt;
  return best->rejection;
}

std::vector<Rejection> Rejections::take() {
  std::vector<Rejection> result;
  for (std::optional<Nearest>& held : std::exchange(nearest_, {})) {
    if (held) result.push_back(std::move(held->rejection));
  }
  return result;
}

namespace {

std::string text_of(const Rejection& r, const catalog::Catalog& catalog,
                    const rules::RuleSet& rules) {
  if (const rules::Rule* rule = rules.find(RuleId(r.reason))) return rule->because;
  if (r.reason == "filter.deadline") return "misses the deadline";
  if (r.reason == "filter.budget") return "above the budget";
  const std::string text = filter_text(r.reason);
  if (!text.empty()) return text;
  return "such as " + catalog.id_of(catalog.offers[r.offer]) + ": " + r.figure;
}

}  // namespace

std::vector<ReasonCount> count_reasons(const std::vector<Rejection>& rejected,
                                       const catalog::Catalog& catalog,
                                       const rules::RuleSet& rules) {
  std::map<std::string, ReasonCount> counts;
  for (const Rejection& r : rejected) {
    ReasonCount& count = counts[r.reason];
    if (count.count++ == 0) {
      count.reason = r.reason;
      count.text = text_of(r, catalog, rules);
    }
  }
  std::vector<ReasonCount> result;
  for (auto& [reason, count] : counts) result.push_back(std::move(count));
  std::stable_sort(result.begin(), result.end(),
                   [](const ReasonCount& a, const ReasonCount& b) { return a.count > b.count; });
  return result;
}

}  // namespace gpusel::recommend
