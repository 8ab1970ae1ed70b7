#include "rejections.h"

#include "gpusel/recommend/filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace gpusel::recommend {

const Rejections::Nearest* Rejections::held(std::uint32_t offer) const {
  return offer < places_.size() && places_[offer] ? &nearest_[*places_[offer]] : nullptr;
}

bool Rejections::is_nearer(std::uint32_t offer, Progress progress, double overshoot) const {
  const Nearest* now = held(offer);
  if (now == nullptr || now->progress != progress)
    return now == nullptr || now->progress < progress;
  return overshoot < now->overshoot;
}

std::size_t Rejections::place_of(std::uint32_t offer) {
  if (offer >= places_.size()) places_.resize(offer + 1);
  if (!places_[offer]) {
    places_[offer] = static_cast<std::uint32_t>(nearest_.size());
    nearest_.emplace_back();
  }
  return *places_[offer];
}

void Rejections::add_unfit(std::uint32_t offer, int nodes, const estimate::DoesNotFit& why) {
  const double overshoot = why.available > 0 ? why.needed / why.available : 1e300;
  add(offer, Progress::fit, overshoot, [&] {
    return Rejection{offer, nodes, "fit." + why.resource, why.text, "", why.what_would_help};
  });
}

std::optional<Rejection> Rejections::nearest(const std::set<std::uint32_t>& ranked) const {
  const Nearest* best = nullptr;
  for (std::uint32_t offer = 0; offer < places_.size(); ++offer) {
    const Nearest* now = held(offer);
    if (now == nullptr || now->progress == Progress::filter || ranked.count(offer) > 0) continue;
    const bool nearer = best == nullptr || now->progress > best->progress ||
                        (now->progress == best->progress && now->overshoot < best->overshoot);
    if (nearer) best = now;
  }
  if (best == nullptr) return std::nullopt;
  return best->rejection;
}

std::vector<Rejection> Rejections::take_without(const std::set<std::uint32_t>& ranked,
                                                const std::set<std::uint32_t>& skipped) {
  std::vector<Rejection> result;
  result.reserve(nearest_.size());
  for (std::uint32_t offer = 0; offer < places_.size(); ++offer) {
    if (held(offer) == nullptr || ranked.count(offer) > 0 || skipped.count(offer) > 0) continue;
    result.push_back(std::move(nearest_[*places_[offer]].rejection));
  }
  places_.clear();
  nearest_.clear();
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
