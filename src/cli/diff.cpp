#include "diff.h"

#include "gpusel/base/number.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace gpusel::cli {
namespace {

using report::Value;

// Members that follow from others or from the day of the run.
constexpr std::string_view kLeftOut[] = {"unknown",        "patched",
                                         "price.age_days", "price.per_gpu_usd_per_hour",
                                         "price.amount",   "price.currency"};
constexpr std::string_view kPrice = "price.usd_per_hour";

using Members = std::map<std::string, Value>;

void flatten(const Value& value, const std::string& path, Members& members) {
  if (std::find(std::begin(kLeftOut), std::end(kLeftOut), path) != std::end(kLeftOut)) return;
  if (const auto* object = value.get<report::Object>()) {
    for (const report::Member& m : *object)
      flatten(m.value, path.empty() ? m.key : path + "." + m.key, members);
    return;
  }
  if (const auto* list = value.get<report::List>()) {
    std::string text;
    for (const Value& v : *list) text += (text.empty() ? "" : ", ") + v.shown();
    members.emplace(path, report::text(text));
    return;
  }
  members.emplace(path, value);
}

// An offer without a price has an unknown in place of the whole object.
Value member_of(const Members& members, const std::string& path) {
  const auto found = members.find(path);
  return found == members.end() ? report::null() : found->second;
}

std::optional<double> amount_of(const Value& value) {
  const auto* money = value.get<report::Money>();
  if (money == nullptr) return std::nullopt;
  const Result<double> amount = parse_number(money->amount);
  return amount ? std::optional(*amount) : std::nullopt;
}

void compare_price(const Change& base, const Members& was, const Members& now, double threshold,
                   Difference& difference) {
  Change change = base;
  change.field = std::string(kPrice);
  change.was = member_of(was, change.field);
  change.now = member_of(now, change.field);
  const std::optional<double> before = amount_of(change.was);
  const std::optional<double> after = amount_of(change.now);
  if (before == after) return;
  if (before && after && *before > 0) {
    change.share = *after / *before - 1;
    if (std::fabs(*change.share) < threshold) return;
  }
  difference.prices.push_back(std::move(change));
}

void compare(const Change& base, const Value& was, const Value& now, double threshold,
             Difference& difference) {
  Members before;
  Members after;
  flatten(was, "", before);
  flatten(now, "", after);
  compare_price(base, before, after, threshold, difference);
  Members all = before;
  all.insert(after.begin(), after.end());
  for (const auto& [path, value] : all) {
    if (path == kPrice || path == "price") continue;
    Change change = base;
    change.field = path;
    change.was = member_of(before, path);
    change.now = member_of(after, path);
    if (change.was.shown() != change.now.shown()) difference.changed.push_back(std::move(change));
  }
}

std::map<std::string, const Value*> by_id(const std::vector<Value>& records) {
  std::map<std::string, const Value*> index;
  for (const Value& record : records) index.emplace(record.find("id")->shown(), &record);
  return index;
}

}  // namespace

void add_difference(std::string_view record, const std::vector<Value>& was,
                    const std::vector<Value>& now, double threshold, Difference& difference) {
  const auto before = by_id(was);
  const auto after = by_id(now);
  const auto change_of = [&](const std::string& id) {
    return Change{std::string(record), id, {}, report::null(), report::null(), std::nullopt};
  };
  for (const auto& [id, value] : before) {
    const auto found = after.find(id);
    if (found == after.end()) {
      difference.removed.push_back(change_of(id));
    } else {
      compare(change_of(id), *value, *found->second, threshold, difference);
    }
  }
  for (const auto& [id, value] : after) {
    if (before.count(id) == 0) difference.added.push_back(change_of(id));
  }
}

}  // namespace gpusel::cli
