// `catalog list --group`: offers counted by one of their properties, with the spread of prices.
#include "records.h"
#include "view.h"

#include "gpusel/base/number.h"
#include "gpusel/units/format.h"

#include <algorithm>
#include <map>
#include <set>

namespace gpusel::cli {
namespace {

using report::Align;
using report::Value;

constexpr ListColumn kColumns[] = {
    {"id", "group"},
    {"instances", "instances", Align::right},
    {"offers", "offers", Align::right},
    {"priced", "priced", Align::right},
    {"per_gpu_usd_per_hour.low", "least $/GPU-h", Align::right},
    {"per_gpu_usd_per_hour.median", "median", Align::right},
    {"per_gpu_usd_per_hour.high", "most", Align::right},
    {"oldest_days", "oldest price d", Align::right, 1},
};

struct Group {
  std::set<std::string> instances;
  std::int64_t offers = 0;
  std::int64_t priced = 0;
  std::vector<double> per_gpu;  // US dollars per hour
  std::int64_t oldest = -1;     // days
};

void add(Group& group, const Value& offer) {
  ++group.offers;
  group.instances.insert(offer.find("provider")->shown() + "/" + offer.find("instance")->shown());
  const Value price = member_at(offer, "price.per_gpu_usd_per_hour");
  const Value listed = member_at(offer, "price.usd_per_hour");
  if (listed.get<report::Money>() != nullptr) ++group.priced;
  if (const auto* money = price.get<report::Money>()) {
    if (const Result<double> amount = parse_number(money->amount)) group.per_gpu.push_back(*amount);
  }
  const Value age = member_at(offer, "price.age_days");
  if (const auto* days = age.get<report::WholeNumber>())
    group.oldest = std::max(group.oldest, days->value);
}

Value dollars(double amount) {
  return report::money(units::money(amount, 6), "USD", units::money(amount, 3));
}

Value group_record(const std::string& id, Group& group) {
  std::sort(group.per_gpu.begin(), group.per_gpu.end());
  Value spread = report::unknown("no price per GPU is known");
  if (!group.per_gpu.empty()) {
    spread = report::object();
    spread.set("low", dollars(group.per_gpu.front()));
    spread.set("median", dollars(group.per_gpu[(group.per_gpu.size() - 1) / 2]));
    spread.set("high", dollars(group.per_gpu.back()));
  }
  Value v = report::object();
  v.set("id", report::text(id));
  v.set("instances", report::whole(static_cast<std::int64_t>(group.instances.size())));
  v.set("offers", report::whole(group.offers));
  v.set("priced", report::whole(group.priced));
  v.set("per_gpu_usd_per_hour", std::move(spread));
  v.set("oldest_days",
        group.oldest < 0 ? report::unknown("no dated price") : report::whole(group.oldest));
  add_unknown(v);
  return v;
}

std::map<std::string, std::string> countries(const catalog::Catalog& catalog) {
  std::map<std::string, std::string> all;
  for (const catalog::Region& region : catalog.regions)
    all.emplace(catalog.providers[region.provider].id.text() + "/" + region.id.text(),
                region.country);
  return all;
}

}  // namespace

diag::ExitCode list_groups(std::string_view by, Invocation& invocation) {
  std::optional<Session> session = open_session(invocation);
  if (!session) return diag::ExitCode::bad_data;
  const ListAnswer offers = kOfferRecords.read(*session, invocation);
  if (invocation.diagnostics.has_errors()) return diag::ExitCode::usage;
  const std::map<std::string, std::string> country = countries(session->catalog);
  std::map<std::string, Group> groups;
  for (const Value& offer : offers.records) {
    std::string id = by == "gpu" ? member_at(offer, "gpu.id").shown()
                                 : offer.find(by == "country" ? "region" : by)->shown();
    if (by == "country") {
      const auto found = country.find(offer.find("provider")->shown() + "/" + id);
      id = found == country.end() || found->second.empty() ? "unknown" : found->second;
    }
    if (by == "gpu" && offer.find("gpu")->find("id")->get<std::string>() == nullptr) id = "none";
    add(groups[id], offer);
  }
  ListAnswer answer{kOfferRecords.list,
                    "groups",
                    "Offers by group",
                    catalog_value(session->catalog),
                    {},
                    kColumns};
  for (auto& [id, group] : groups) answer.records.push_back(group_record(id, group));
  sort_records(answer, invocation);
  if (invocation.diagnostics.has_errors()) return diag::ExitCode::usage;
  return invocation.print(view_list(answer), diag::ExitCode::answered);
}

}  // namespace gpusel::cli
