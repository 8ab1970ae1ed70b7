#include "view_recommendation.h"
#include "view_service_cost.h"

#include "gpusel/base/text.h"
#include "gpusel/units/format.h"

#include <array>

namespace gpusel::cli {

using recommend::Row;
using report::Value;

namespace {

constexpr std::array<std::string_view, 3> kTermNames = {"cost", "time", "risk"};

Value strings(const std::vector<std::string>& list) {
  Value v = report::list();
  for (const std::string& text : list) v.add(report::text(text));
  return v;
}

template <class Q, class F>
Value range_value(const std::optional<units::Interval<Q>>& interval, F&& number) {
  if (!interval) return report::null();
  Value v = report::object();
  v.set("low", interval->low ? number(*interval->low) : report::null());
  v.set("high", interval->high ? number(*interval->high) : report::null());
  return v;
}

Value request_value(const Shown& s) {
  const recommend::Constraints& c = s.request.constraints;
  Value v = report::object();
  v.set("optimize", report::text(std::string(objective_name(s.request.objective))));
  Value weights = report::object();
  weights.set("cost", report::number(s.request.weights.cost));
  weights.set("time", report::number(s.request.weights.time));
  weights.set("risk", report::number(s.request.weights.risk));
  v.set("weights", std::move(weights));
  std::vector<std::string> purchases;
  for (const catalog::Purchase p : c.purchases) purchases.emplace_back(data::name_of(p));
  v.set("purchase", strings(purchases));
  v.set("deadline_s", c.deadline ? report::number(in_seconds(*c.deadline)) : report::null());
  v.set("budget", c.budget ? report::money(units::money(in_usd(*c.budget))) : report::null());
  v.set("max_price", c.max_price ? report::money(units::money(in_usd_per_hour(*c.max_price), 4))
                                 : report::null());
  v.set("max_age_days", c.max_age_days ? report::whole(*c.max_age_days) : report::null());
  v.set("provider", strings(c.providers));
  v.set("exclude_provider", strings(c.excluded_providers));
  v.set("region", strings(c.regions));
  v.set("country", strings(c.countries));
  std::vector<std::string> gpus;
  for (const std::uint32_t g : c.gpus) gpus.push_back(s.catalog.gpus[g].id.text());
  v.set("gpu", strings(gpus));
  v.set("gpu_memory_bytes",
        range_value(c.gpu_memory, [](units::Bytes b) { return report::whole_of(in_bytes(b)); }));
  v.set("gpu_count",
        range_value(c.gpu_count, [](units::Count n) { return report::whole_of(n.value); }));
  v.set("bare_metal", report::boolean(c.bare_metal));
  v.set("compliance", strings(c.compliance));
  v.set("top", report::whole(static_cast<std::int64_t>(s.request.top)));
  v.set("all", report::boolean(s.request.detail == recommend::Detail::every_row));
  return v;
}

Value offer_value(const Shown& s, const Row& row) {
  const catalog::Offer& offer = s.offer(row);
  const catalog::Hardware& hardware = s.catalog.hardware_of(offer);
  Value v = report::object();
  v.set("id", report::text(s.catalog.id_of(offer)));
  v.set("provider", report::text(s.catalog.provider_of(offer).id.text()));
  v.set("instance", report::text(s.catalog.instance_of(offer).id.text()));
  v.set("region", report::text(region_of(s, offer)));
  v.set("purchase", report::text(std::string(data::name_of(offer.purchase))));
  v.set("gpu", gpu_value(hardware, s.catalog));
  v.set("virtualization", report::text(std::string(data::name_of(hardware.virtualization))));
  v.set("network", network_value(hardware, s.catalog));
  v.set("patched", patched_value(s.catalog.patches_of(offer), s.catalog));
  return v;
}

Value price_value(const Shown& s, const catalog::Offer& offer) {
  const catalog::Price& price = *offer.price;
  Value v = report::object();
  v.set("amount", report::money(units::money(in_usd_per_hour(price.rate), 6)));
  v.set("listed", report::text(price.literal));
  v.set("date",
        price.date ? report::text(price.date->text()) : report::unknown("the source is undated"));
  const auto age = age_of(s, offer);
  v.set("age_days", age ? report::whole(*age) : report::unknown("the source is undated"));
  v.set("source", report::text(s.catalog.citations[price.provenance.citation].url));
  v.set("confidence", report::text(std::string(data::name_of(price.confidence))));
  return v;
}

Value interruption_value(const catalog::Offer& offer) {
  if (offer.purchase != catalog::Purchase::spot) return report::null();
  if (!offer.interruption)
    return report::unknown("no interruption figure is published for this size and region");
  Value v = report::object();
  v.set("monthly_share_low", report::number(offer.interruption->low));
  v.set("monthly_share_high", offer.interruption->high ? report::number(*offer.interruption->high)
                                                       : report::unknown("an open band"));
  return v;
}

Value cost_object(const Shown& s, const Row& row) {
  const catalog::Offer& offer = s.offer(row);
  const double total = in_usd(row.total);
  Value v = report::object();
  v.set("currency", report::text("USD"));
  v.set("period", report::text(s.service() ? "month" : "job"));
  v.set("total", report::money(units::money(total)));
  // A service pays by the month whatever its speed; a job pays for the time that it takes.
  const double low = s.service() ? 1 : row.estimate.time_low;
  const double high = s.service() ? 1 : row.estimate.time_high;
  v.set("low", report::money(units::money(total * low)));
  v.set("high", report::money(units::money(total * high)));
  v.set("per_hour", report::money(units::money(in_usd_per_hour(offer.price->rate) * row.nodes, 4)));
  Value unit = report::object();
  const std::optional<double> per = unit_price_of(s, row);
  unit.set("amount", per ? report::money(units::money(*per, 6)) : report::unknown("no throughput"));
  unit.set("unit", report::text(price_unit_of(s)));
  v.set("per_unit", std::move(unit));
  Value breakdown = report::list();
  for (const auto& term : cost::kCostTerms) {
    Value line = report::object();
    line.set("item", report::text(std::string(term.id)));
    line.set("amount", report::money(units::money(in_usd(row.cost.*(term.member)))));
    breakdown.add(std::move(line));
  }
  v.set("breakdown", std::move(breakdown));
  if (s.work.traits().tokens) v.set("service", service_cost_value(s, row));
  v.set("price", price_value(s, offer));
  v.set("interruption", interruption_value(offer));
  return v;
}

Value terms_value(const Row& row) {
  Value list = report::list();
  for (const recommend::ScorePart& part : row.parts) {
    Value v = report::object();
    v.set("term", report::text(std::string(kTermNames[static_cast<std::size_t>(part.term)])));
    v.set("value", report::number(part.value));
    v.set("weight", report::number(part.weight));
    v.set("contribution", report::number(part.contribution));
    list.add(std::move(v));
  }
  return list;
}

Value findings_value(const Row& row) {
  Value list = report::list();
  for (const rules::Finding& finding : row.findings) {
    Value v = report::object();
    v.set("id", report::text(finding.rule->id.text()));
    v.set("effect", report::text(std::string(data::name_of(finding.rule->effect))));
    v.set("message", report::text(finding.rule->because));
    v.set("source",
          finding.rule->source.empty() ? report::null() : report::text(finding.rule->source));
    list.add(std::move(v));
  }
  return list;
}

Value row_value(const Shown& s, const Row& row, std::size_t rank) {
  Value v = report::object();
  v.set("rank", report::whole(static_cast<std::int64_t>(rank)));
  v.set("score", report::number(row.score));
  v.set("pareto", report::boolean(row.pareto));
  v.set("stands_for", report::whole(static_cast<std::int64_t>(row.stands_for)));
  Value tied = report::list();
  for (const std::size_t other : row.tied_with)
    tied.add(report::whole(static_cast<std::int64_t>(other)));
  v.set("tied_with", std::move(tied));
  v.set("offer", offer_value(s, row));
  v.set("cluster", cluster_value(s.work, row.machine, row.plan));
  v.set("estimate", estimate_value(s.work, row.machine, row.plan, row.estimate));
  v.set("cost", cost_object(s, row));
  v.set("score_terms", terms_value(row));
  v.set("rules", findings_value(row));
  add_unknown(v);
  return v;
}

Value unpriced_value(const Shown& s) {
  Value offers = report::list();
  for (const recommend::Unpriced& u : s.answer.unpriced) {
    Value v = report::object();
    v.set("id", report::text(s.catalog.id_of(s.catalog.offers[u.offer])));
    v.set("nodes", report::whole(u.nodes));
    v.set("duration_s", s.service() ? report::null() : report::number(in_seconds(u.duration)));
    offers.add(std::move(v));
  }
  Value v = report::object();
  v.set("total", report::whole(static_cast<std::int64_t>(s.answer.unpriced.size())));
  v.set("offers", std::move(offers));
  return v;
}

Value rejected_value(const Shown& s, Rejected detail) {
  Value reasons = report::list();
  for (const recommend::ReasonCount& r : s.answer.by_reason) {
    Value v = report::object();
    v.set("reason", report::text(r.reason));
    v.set("count", report::whole(static_cast<std::int64_t>(r.count)));
    v.set("text", report::text(r.text));
    reasons.add(std::move(v));
  }
  Value v = report::object();
  v.set("total", report::whole(static_cast<std::int64_t>(s.answer.rejected.size())));
  v.set("by_reason", std::move(reasons));
  if (detail == Rejected::counted) return v;
  Value offers = report::list();
  for (const recommend::Rejection& r : s.answer.rejected) {
    Value o = report::object();
    o.set("id", report::text(s.catalog.id_of(s.catalog.offers[r.offer])));
    o.set("nodes", report::whole(r.nodes));
    o.set("reason", report::text(r.reason));
    o.set("figure", report::text(r.figure));
    o.set("bound", r.bound.empty() ? report::null() : report::text(r.bound));
    o.set("remedy", r.remedy.empty() ? report::null() : report::text(r.remedy));
    offers.add(std::move(o));
  }
  v.set("offers", std::move(offers));
  return v;
}

Value searched_value(const Shown& s) {
  const recommend::Searched& searched = s.answer.searched;
  Value v = report::object();
  v.set("machines", report::whole(static_cast<std::int64_t>(searched.machines)));
  v.set("evaluated", report::whole(static_cast<std::int64_t>(searched.evaluated)));
  v.set("ranked_offers", report::whole(static_cast<std::int64_t>(searched.ranked_offers)));
  v.set("skipped_offers", report::whole(static_cast<std::int64_t>(searched.skipped_offers)));
  return v;
}

Value warnings_value(const Shown& s) {
  Value list = report::list();
  for (const Warning& w : warnings_of(s)) {
    Value v = report::object();
    v.set("id", report::text(w.rule->id.text()));
    v.set("text", report::text(w.rule->because + " (rows " + join(w.ranks, ", ") + ")"));
    list.add(std::move(v));
  }
  return list;
}

}  // namespace

std::vector<estimate::Assumption> assumptions_of(const Shown& s) {
  std::vector<estimate::Assumption> all = s.work.assumptions();
  for (const recommend::Row& row : s.answer.rows) {
    for (const estimate::Assumption& a : row.estimate.assumptions) {
      const bool known = std::any_of(all.begin(), all.end(), [&](const estimate::Assumption& k) {
        return k.id == a.id && k.text == a.text;
      });
      if (a.id.starts_with("calibration_") && !known) all.push_back(a);
    }
  }
  return all;
}

Value recommendation_value(const Shown& s, Rejected rejected) {
  Value v = report::object();
  v.set("schema_version", report::text(kSchemaVersion));
  v.set("gpusel_version", report::text(GPUSEL_VERSION));
  v.set("command", report::text("recommend"));
  v.set("as_of", report::text(s.request.as_of.text()));
  v.set("catalog", catalog_value(s.catalog));
  v.set("request", request_value(s));
  v.set("workload", workload_value(s.work));
  v.set("assumptions", assumptions_value(assumptions_of(s)));
  Value rows = report::list();
  for (std::size_t i = 0; i < s.answer.rows.size(); ++i)
    rows.add(row_value(s, s.answer.rows[i], i + 1));
  v.set("recommendations", std::move(rows));
  v.set("unpriced", unpriced_value(s));
  v.set("rejected", rejected_value(s, rejected));
  v.set("searched", searched_value(s));
  v.set("warnings", warnings_value(s));
  return v;
}

}  // namespace gpusel::cli
