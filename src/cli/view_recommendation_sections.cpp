#include "view_recommendation.h"

#include "gpusel/base/text.h"
#include "gpusel/units/format.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpusel::cli {

using recommend::Row;
using report::Value;

namespace {

std::string age_text(const std::optional<int>& days) {
  return days ? fmt::format("{} d", *days) : "unknown";
}

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
    return fmt::format("TTFT {}, TPOT {}, {} ({})", units::show_duration(f.ttft),
                       units::show_duration(f.tpot), throughput,
                       row.plan.figures.replicas == 1
                           ? "1 replica"
                           : fmt::format("{} replicas", row.plan.figures.replicas));
  }
  const std::string mfu = f.mfu > 0 ? fmt::format(", MFU {:.0f} %", f.mfu * 100) : "";
  return fmt::format("{} per {}, {}{}", units::show_duration(f.step),
                     unit_of(s) == "frames" ? "frame" : "step", throughput, mfu);
}

std::string why_first(const Shown& s) {
  const Row& best = s.answer.rows.front();
  std::vector<std::string> leads;
  const char* words[] = {"the lowest cost", "the shortest time", "the least risk"};
  for (std::size_t i = 0; i < best.parts.size(); ++i) {
    const bool lead = std::all_of(s.answer.rows.begin(), s.answer.rows.end(), [&](const Row& r) {
      return best.parts[i].value <= r.parts[i].value;
    });
    if (lead && best.parts[i].weight > 0) leads.emplace_back(words[i]);
  }
  std::string text = leads.empty() ? "the best balance" : join(leads, " and ");
  text += fmt::format(" among the rows shown (score {:.3f}: cost {:.2f}, time {:.2f}, risk {:.2f})",
                      best.score, best.parts[0].contribution, best.parts[1].contribution,
                      best.parts[2].contribution);
  if (!best.tied_with.empty()) {
    std::vector<std::string> ranks;
    for (const std::size_t r : best.tied_with) ranks.push_back(std::to_string(r));
    text += "; within the estimate's error of rows " + join(ranks, ", ");
  }
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
  if (!other.interruption) return text + ", interruption rate not published";
  const catalog::Interruption& i = *other.interruption;
  const std::string band = i.high ? fmt::format("{:.0f} to {:.0f} %", i.low * 100, *i.high * 100)
                                  : fmt::format("more than {:.0f} %", i.low * 100);
  return text + ", " + band + " of such instances reclaimed per month";
}

report::Section headline(const Shown& s) {
  report::Section section;
  section.title = "Recommended";
  const Row& best = s.answer.rows.front();
  const catalog::Offer& offer = s.offer(best);
  auto& facts = section.facts;
  facts.push_back({"work", work_text(s.work)});
  facts.push_back({"offer", fmt::format("{}  ({} {} of {}, {})", s.catalog.id_of(offer), best.nodes,
                                        best.nodes == 1 ? "node" : "nodes", gpus_text(best.machine),
                                        data::name_of(best.machine.hardware->virtualization))});
  facts.push_back(
      {"layout", fmt::format("{} GPUs: {}", best.machine.gpus(), layout_text(s.work, best.plan))});
  if (!s.service()) facts.push_back({"time", time_text(best.plan.figures.duration, best.estimate)});
  facts.push_back({"speed", speed_text(s, best)});
  facts.push_back({"cost", cost_text(s, best)});
  const auto age = age_of(s, offer);
  facts.push_back({"price", fmt::format("{} per instance, {}, {}, {}", offer.price->literal,
                                        offer.price->date ? offer.price->date->text() : "undated",
                                        age ? fmt::format("{} days old", *age) : "age unknown",
                                        data::name_of(offer.price->confidence))});
  const estimate::Figures& f = best.plan.figures;
  facts.push_back(
      {"memory", fmt::format("{} of {} per GPU, {:.0f} % free", units::show_gib(f.memory),
                             units::show_gib(f.capacity), 100 * (1 - f.memory / f.capacity))});
  facts.push_back({"why first", why_first(s)});
  facts.push_back({"how sure", best.estimate.basis});
  if (best.cheaper) facts.push_back({"cheaper", cheaper_text(s, best)});
  return section;
}

std::vector<report::Column> table_columns(const Shown& s) {
  using report::Align;
  std::vector<report::Column> columns = {{"rank", "#", Align::right, 0},
                                         {"offer", "offer", Align::left, 0},
                                         {"nodes", "nodes", Align::right, 0},
                                         {"gpus", "GPUs", Align::right, 0},
                                         {"gpu", "GPU", Align::left, 4},
                                         {"layout", "layout", Align::left, 5},
                                         {"memory_gib", "mem/GPU GiB", Align::right, 3}};
  if (s.service()) {
    columns.push_back({"ttft_s", "TTFT", Align::right, 2});
    columns.push_back({"tpot_s", "TPOT", Align::right, 2});
    columns.push_back({"throughput", std::string(s.work.throughput_unit()), Align::right, 1});
    columns.push_back({"cost_usd", "$/month", Align::right, 0});
    columns.push_back({"per_unit_usd", unit_of(s) == "tokens" ? "$/1M tokens" : "$/" + unit_of(s),
                       Align::right, 1});
  } else {
    columns.push_back({"duration_s", "time", Align::right, 0});
    columns.push_back({"cost_usd", "cost $", Align::right, 0});
  }
  columns.push_back({"per_hour_usd", "$/h", Align::right, 2});
  columns.push_back({"price_age_days", "price age", Align::right, 0});
  columns.push_back({"score", "score", Align::right, 0});
  columns.push_back({"stands_for", "stands for", Align::right, 6});
  return columns;
}

std::vector<Value> table_row(const Shown& s, const Row& row, std::size_t rank) {
  const catalog::Offer& offer = s.offer(row);
  const estimate::Figures& f = row.plan.figures;
  std::vector<Value> cells;
  const std::string mark = row.tied_with.empty() ? "" : "=";
  cells.push_back(report::whole(static_cast<std::int64_t>(rank), std::to_string(rank) + mark));
  cells.push_back(report::text(s.catalog.id_of(offer)));
  cells.push_back(report::whole(row.nodes));
  cells.push_back(report::whole(row.machine.gpus()));
  cells.push_back(report::text(row.machine.gpu->family));
  cells.push_back(report::text(layout_text(s.work, row.plan)));
  cells.push_back(report::number(in_gib(f.memory), fmt::format("{:.1f}", in_gib(f.memory))));
  const double total = in_usd(row.total);
  const Value cost = report::number(total, units::money_grouped(total));
  if (s.service()) {
    cells.push_back(report::number(in_seconds(f.ttft), units::show_duration(f.ttft)));
    cells.push_back(report::number(in_seconds(f.tpot), units::show_duration(f.tpot)));
    const double throughput = in_items_per_second(f.throughput);
    cells.push_back(report::number(throughput, units::show_number(throughput)));
    cells.push_back(cost);
    constexpr double kMillion = 1e6;
    const double per = (row.per_unit ? in_usd_per_item(*row.per_unit) : 0) *
                       (unit_of(s) == "tokens" ? kMillion : 1);
    cells.push_back(row.per_unit ? report::number(per, units::show_number(per))
                                 : report::unknown("no throughput"));
  } else {
    cells.push_back(report::number(in_seconds(f.duration), units::show_duration(f.duration)));
    cells.push_back(cost);
  }
  const double per_hour = in_usd_per_hour(offer.price->rate) * row.nodes;
  cells.push_back(report::number(per_hour, units::money(per_hour)));
  const auto age = age_of(s, offer);
  cells.push_back(age ? report::whole(*age, age_text(age)) : report::unknown("undated"));
  cells.push_back(report::number(row.score, fmt::format("{:.3f}", row.score)));
  cells.push_back(report::whole(static_cast<std::int64_t>(row.stands_for)));
  return cells;
}

report::Section ranking(const Shown& s) {
  report::Section section;
  section.title = fmt::format(
      "Ranking by {}: {} of {}", objective_name(s.request.objective), s.answer.rows.size(),
      s.request.detail == recommend::Detail::every_row ? "the rows" : "the instances that fit");
  section.table = report::Table{table_columns(s), {}, "no offer fits"};
  for (std::size_t i = 0; i < s.answer.rows.size(); ++i) {
    section.table->rows.push_back(table_row(s, s.answer.rows[i], i + 1));
  }
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
    section.facts.push_back({std::to_string(s.answer.unpriced.size()),
                             fmt::format("price unknown, not ranked; {} would fit on {} {}",
                                         s.catalog.id_of(s.catalog.offers[u.offer]), u.nodes,
                                         u.nodes == 1 ? "node" : "nodes")});
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
  const recommend::Rejection* nearest = nullptr;
  for (const recommend::Rejection& r : s.answer.rejected) {
    if (r.reason.starts_with("filter.") && r.reason != "filter.deadline" &&
        r.reason != "filter.budget")
      continue;
    if (nearest == nullptr) nearest = &r;
  }
  if (nearest != nullptr) {
    section.facts.push_back(
        {"nearest",
         fmt::format("{} on {} nodes: {}{}", s.catalog.id_of(s.catalog.offers[nearest->offer]),
                     nearest->nodes, nearest->figure,
                     nearest->bound.empty() ? "" : ", allowed " + nearest->bound)});
    if (!nearest->remedy.empty()) section.facts.push_back({"what would help", nearest->remedy});
  }
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
    section.facts.push_back(
        {std::string(data::name_of(w.rule->effect)),
         fmt::format("rows {}: {} [{}]", join(w.ranks, ", "), w.rule->because, w.rule->id.text())});
  }
  return section;
}

}  // namespace

std::vector<report::Section> recommendation_sections(const Shown& s, Rejected rejected) {
  std::vector<report::Section> sections;
  sections.push_back(s.answer.rows.empty() ? nothing_fits(s) : headline(s));
  sections.push_back(ranking(s));
  sections.push_back(counts(s, rejected));
  sections.push_back(assumptions_section(s.work.assumptions()));
  sections.push_back(footing(s));
  return sections;
}

}  // namespace gpusel::cli
