#include "view_recommendation.h"
#include "view_service_cost.h"

#include "gpusel/base/text.h"
#include "gpusel/units/format.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpusel::cli {

using recommend::Row;

namespace {

std::string cost_text(const Shown& s, const Row& row) {
  const double total = in_usd(row.total);
  if (s.service()) return fmt::format("${} per month", units::money_grouped(total));
  return fmt::format("${} (${} to ${})", units::money_grouped(total),
                     units::money_grouped(total * row.estimate.time_low),
                     units::money_grouped(total * row.estimate.time_high));
}

std::string speed_text(const Shown& s, const Row& row) {
  const estimate::Figures& f = row.plan.figures;
  const std::string throughput = throughput_text(s.work, f.throughput);
  if (s.service()) {
    return fmt::format("{}, {} ({})", latency_text(f, row.estimate), throughput,
                       count_text(f.replicas, "replica"));
  }
  const std::string mfu = f.mfu > 0 ? fmt::format(", MFU {:.0f} %", f.mfu * 100) : "";
  return fmt::format("{} per {}, {}{}", units::show_duration(f.step),
                     unit_of(s) == "frames" ? "frame" : "step", throughput, mfu);
}

// "a", "a and b", "a, b and c"
std::string listed(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += i + 1 == parts.size() ? " and " : ", ";
    text += parts[i];
  }
  return text;
}

std::string rows_text(const std::vector<std::string>& ranks) {
  return (ranks.size() == 1 ? "row " : "rows ") + listed(ranks);
}

std::string why_first(const Shown& s) {
  const Row& best = s.answer.rows.front();
  std::vector<std::string> leads;
  const char* words[] = {"the lowest cost", "the shortest time that counts", "the least risk"};
  for (std::size_t i = 0; i < best.parts.size(); ++i) {
    const bool lead = std::all_of(s.answer.rows.begin(), s.answer.rows.end(), [&](const Row& r) {
      return best.parts[i].value <= r.parts[i].value;
    });
    if (lead && best.parts[i].weight > 0) leads.emplace_back(words[i]);
  }
  std::string text = leads.empty() ? "the best balance" : listed(leads);
  text += fmt::format(" of the rows shown (score {:.3f}: cost {:.2f}, time {:.2f}, risk {:.2f})",
                      best.score, best.parts[0].contribution, best.parts[1].contribution,
                      best.parts[2].contribution);
  if (!best.tied_with.empty()) {
    std::vector<std::string> ranks;
    for (const std::size_t r : best.tied_with) ranks.push_back(std::to_string(r));
    text += "; within the estimate's error of " + rows_text(ranks);
  }
  return text;
}

std::string band_text(const catalog::Offer& offer) {
  if (!offer.interruption) return "interruption rate not published";
  const catalog::Interruption& i = *offer.interruption;
  const std::string band = i.high ? fmt::format("{:.0f} to {:.0f} %", i.low * 100, *i.high * 100)
                                  : fmt::format("more than {:.0f} %", i.low * 100);
  return band + " of such instances reclaimed per month; work lost to it is not priced";
}

// The price as listed, and in US dollars where that differs.
std::string price_text(const Shown& s, const catalog::Offer& offer) {
  const catalog::Price& price = *offer.price;
  std::string text = price.literal + " per instance";
  if (price.listed.currency != "USD") {
    text += fmt::format(" (= {} USD/h at the month's exchange rate)",
                        units::money(in_usd_per_hour(price.rate)));
  }
  const auto age = age_of(s, offer);
  text += fmt::format(", {}, {}, {}", price.date ? price.date->text() : "undated",
                      age ? fmt::format("{} days old", *age) : "age unknown",
                      data::name_of(price.confidence));
  return text;
}

std::string cheaper_text(const Shown& s, const Row& row) {
  const catalog::Offer& other = s.catalog.offers[*row.cheaper];
  std::string text =
      fmt::format("{} at {} per instance", data::name_of(other.purchase), other.price->literal);
  if (const auto age = age_of(s, other)) text += fmt::format(", {} days old", *age);
  if (const auto term = cost::term_of(other.purchase)) {
    return text + fmt::format(", committed for {}", units::show_duration(*term));
  }
  return text + ", " + band_text(other);
}

report::Section headline(const Shown& s) {
  report::Section section;
  section.title = "Recommended";
  const Row& best = s.answer.rows.front();
  const catalog::Offer& offer = s.offer(best);
  auto& facts = section.facts;
  facts.push_back({"work", work_text(s.work)});
  facts.push_back({"offer", fmt::format("{}  ({} of {}, {})", s.catalog.id_of(offer),
                                        count_text(best.nodes, "node"), gpus_text(best.machine),
                                        data::name_of(best.machine.hardware->virtualization))});
  facts.push_back({"layout", fmt::format("{}: {}", count_text(best.machine.gpus(), "GPU"),
                                         layout_text(s.work, best.plan))});
  if (!s.service()) facts.push_back({"time", time_text(best.plan.figures.duration, best.estimate)});
  facts.push_back({"speed", speed_text(s, best)});
  if (best.estimate.capacity)
    facts.push_back({"carries", capacity_text(s.work, *best.estimate.capacity)});
  facts.push_back({"cost", cost_text(s, best)});
  for (report::Fact& fact : service_cost_facts(s, best)) facts.push_back(std::move(fact));
  facts.push_back({"price", price_text(s, offer)});
  for (std::string& text : patched_texts(s.catalog.patches_of(offer), s.catalog))
    facts.push_back({"patched", std::move(text)});
  if (offer.purchase == catalog::Purchase::spot) facts.push_back({"spot", band_text(offer)});
  const estimate::Figures& f = best.plan.figures;
  facts.push_back(
      {"memory", fmt::format("{} of {} per GPU, {:.0f} % free", units::show_gib(f.memory),
                             units::show_gib(f.capacity), 100 * (1 - f.memory / f.capacity))});
  const estimate::Judgement edge = estimate::judge_fit(best.plan, best.estimate, best.machine);
  if (edge.fit == estimate::Fit::borderline) facts.push_back({"borderline", edge.reason});
  facts.push_back({"why first", why_first(s)});
  facts.push_back({"how sure", best.estimate.basis});
  if (best.cheaper) facts.push_back({"cheaper", cheaper_text(s, best)});
  return section;
}

report::Section counts(const Shown& s, Rejected rejected) {
  report::Section section;
  const recommend::Searched& n = s.answer.searched;
  section.title = fmt::format("Not chosen: {} of {} offers",
                              s.catalog.offers.size() - n.ranked_offers, s.catalog.offers.size());
  for (const recommend::ReasonCount& r : s.answer.by_reason) {
    section.facts.push_back({std::to_string(r.count), fmt::format("{}: {}", r.reason, r.text)});
  }
  if (!s.answer.unpriced.empty()) {
    const recommend::Unpriced& u = s.answer.unpriced.front();
    section.facts.push_back(
        {std::to_string(s.answer.unpriced.size()),
         fmt::format("price unknown, not ranked; {} would fit on {}",
                     s.catalog.id_of(s.catalog.offers[u.offer]), count_text(u.nodes, "node"))});
  }
  if (n.skipped_offers > 0) {
    section.facts.push_back({std::to_string(n.skipped_offers),
                             "skipped: no node count of them could reach the rows shown"});
  }
  section.facts.push_back(
      {"searched", fmt::format("{} machines, {} layouts", n.machines, n.evaluated)});
  if (rejected == Rejected::counted) return section;
  using report::Align;
  section.table = report::Table{{{"id", "offer", Align::left, 0},
                                 {"nodes", "nodes", Align::right, 0},
                                 {"reason", "reason", Align::left, 0},
                                 {"figure", "figure", Align::left, 1},
                                 {"bound", "bound", Align::left, 2},
                                 {"remedy", "what would help", Align::left, 3}},
                                {},
                                "no offer was rejected"};
  for (const recommend::Rejection& r : s.answer.rejected) {
    section.table->rows.push_back({report::text(s.catalog.id_of(s.catalog.offers[r.offer])),
                                   report::whole(r.nodes), report::text(r.reason),
                                   report::text(r.figure), report::text(r.bound),
                                   report::text(r.remedy)});
  }
  return section;
}

// Why nothing fits, and the smallest change that would help.
report::Section nothing_fits(const Shown& s) {
  report::Section section;
  section.title = "No offer satisfies the request";
  section.facts.push_back({"work", work_text(s.work)});
  if (!s.answer.nearest) return section;
  const recommend::Rejection& nearest = *s.answer.nearest;
  section.facts.push_back(
      {"nearest", fmt::format("{} on {}: {}{}", s.catalog.id_of(s.catalog.offers[nearest.offer]),
                              count_text(nearest.nodes, "node"), nearest.figure,
                              nearest.bound.empty() ? "" : ", allowed " + nearest.bound)});
  if (!nearest.remedy.empty()) section.facts.push_back({"what would help", nearest.remedy});
  return section;
}

report::Section footing(const Shown& s) {
  report::Section section;
  section.title = "Footing";
  const auto date = [](const std::optional<Date>& d) {
    return d ? d->text() : std::string("unknown");
  };
  section.facts.push_back(
      {"catalog",
       fmt::format("{} offers of {} providers, prices from {} to {}, {}", s.catalog.offers.size(),
                   s.catalog.providers.size(), date(s.catalog.oldest_price()),
                   date(s.catalog.newest_price()), s.catalog.fingerprint)});
  if (!s.answer.rows.empty()) {
    const estimate::Estimate& e = s.answer.rows.front().estimate;
    if (e.rule_of_thumb_memory > units::Bytes{}) {
      section.facts.push_back(
          {"rule of thumb",
           fmt::format("{} of memory and {} per step; {}", units::show_gib(e.rule_of_thumb_memory),
                       units::show_flops(e.rule_of_thumb_flops), e.rule_of_thumb_note)});
    }
  }
  for (const Warning& w : warnings_of(s)) {
    // An advice is what to do, a warning is what to know.
    const bool advice = w.rule->effect == rules::Effect::advise && !w.rule->help.empty();
    section.facts.push_back({std::string(data::name_of(w.rule->effect)),
                             fmt::format("{}: {}{} [{}]", rows_text(w.ranks), w.rule->because,
                                         advice ? "; " + w.rule->help : "", w.rule->id.text())});
  }
  return section;
}

}  // namespace

std::vector<report::Section> recommendation_sections(const Shown& s, Rejected rejected) {
  std::vector<report::Section> sections;
  sections.push_back(s.answer.rows.empty() ? nothing_fits(s) : headline(s));
  sections.push_back(ranking_section(s));
  sections.push_back(counts(s, rejected));
  sections.push_back(assumptions_section(assumptions_of(s)));
  sections.push_back(footing(s));
  return sections;
}

}  // namespace gpusel::cli
