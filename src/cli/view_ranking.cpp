#include "view_recommendation.h"

#include "gpusel/base/text.h"
#include "gpusel/units/format.h"

#include <fmt/format.h>

namespace gpusel::cli {

using recommend::Row;
using report::Align;
using report::Value;

namespace {

// One column of the ranking: how it is headed, and what it holds of a row.
struct RankingColumn {
  report::Column column;
  Value (*cell)(const Shown&, const Row&, std::size_t rank);
};

Value seconds_cell(units::Seconds value) {
  return report::number(in_seconds(value), units::show_duration(value));
}

// The offer's id without the way of buying, which has a column of its own where it differs.
Value offer_cell(const Shown& s, const Row& row, std::size_t) {
  std::string id = s.catalog.id_of(s.offer(row));
  id.resize(id.rfind('/'));
  return report::text(id);
}

Value price_age_cell(const Shown& s, const Row& row, std::size_t) {
  const auto age = age_of(s, s.offer(row));
  return age ? report::whole(*age, fmt::format("{} d", *age)) : report::unknown("undated");
}

Value per_unit_cell(const Shown& s, const Row& row, std::size_t) {
  const std::optional<double> amount = unit_price_of(s, row);
  if (!amount) return report::unknown("no throughput");
  return report::number(*amount, units::show_number(*amount));
}

double per_hour(const Shown& s, const Row& row) {
  return in_usd_per_hour(s.offer(row).price->rate) * row.nodes;
}

std::vector<RankingColumn> shared_columns() {
  return {
      {{"rank", "#", Align::right, 0},
       [](const Shown&, const Row& row, std::size_t rank) {
         const std::string mark = row.tied_with.empty() ? "" : "=";
         return report::whole(static_cast<std::int64_t>(rank), std::to_string(rank) + mark);
       }},
      {{"offer", "offer", Align::left, 0}, &offer_cell},
      {{"cluster", "cluster", Align::left, 0},
       [](const Shown&, const Row& row, std::size_t) {
         return report::text(fmt::format("{} x {} {}", row.nodes, row.machine.gpus_per_node(),
                                         row.machine.gpu->family));
       }},
      {{"layout", "layout", Align::left, 6},
       [](const Shown& s, const Row& row, std::size_t) {
         return report::text(layout_text(s.work, row.plan));
       }},
      {{"memory_gib", "GiB/GPU", Align::right, 3},
       [](const Shown&, const Row& row, std::size_t) {
         const double gib = in_gib(row.plan.figures.memory);
         return report::number(gib, fmt::format("{:.1f}", gib));
       }},
  };
}

std::vector<RankingColumn> service_columns(const Shown& s) {
  const bool open = s.work.traits().open_load;
  return {
      {{"ttft_s", "TTFT", Align::right, 2},
       [](const Shown&, const Row& row, std::size_t) {
         return seconds_cell(row.plan.figures.ttft);
       }},
      {{"tpot_s", "TPOT", Align::right, 2},
       [](const Shown&, const Row& row, std::size_t) {
         const units::Seconds tpot = row.plan.figures.tpot;
         if (tpot > units::Seconds{}) return seconds_cell(tpot);
         return report::unknown("nothing follows the first answer");
       }},
      {{"throughput", std::string(s.work.throughput_unit()), Align::right, open ? 1 : 4},
       [](const Shown&, const Row& row, std::size_t) {
         const double rate = in_items_per_second(row.plan.figures.throughput);
         return report::number(rate, units::show_number(rate));
       }},
      {{"per_unit_usd", "$/" + price_unit_of(s), Align::right, open ? 0 : 3}, &per_unit_cell},
  };
}

std::vector<RankingColumn> money_columns(const Shown& s) {
  std::vector<RankingColumn> columns;
  if (!s.service()) {
    columns.push_back(
        {{"duration_s", "time", Align::right, 0}, [](const Shown&, const Row& row, std::size_t) {
           return seconds_cell(row.plan.figures.duration);
         }});
  }
  columns.push_back({{"cost_usd", s.service() ? "$/month" : "cost $", Align::right, 0},
                     [](const Shown&, const Row& row, std::size_t) {
                       const double total = in_usd(row.total);
                       return report::number(total, units::money_grouped(total));
                     }});
  columns.push_back({{"per_hour_usd", "$/h", Align::right, 5},
                     [](const Shown& shown, const Row& row, std::size_t) {
                       const double price = per_hour(shown, row);
                       return report::number(price, units::money(price));
                     }});
  columns.push_back({{"price_age_days", "age", Align::right, 0}, &price_age_cell});
  columns.push_back(
      {{"score", "score", Align::right, 0}, [](const Shown&, const Row& row, std::size_t) {
         return report::number(row.score, fmt::format("{:.3f}", row.score));
       }});
  columns.push_back({{"stands_for", "stands for", Align::right, 7},
                     [](const Shown&, const Row& row, std::size_t) {
                       return report::whole(
                           static_cast<std::int64_t>(row.stands_for),
                           count_text(static_cast<double>(row.stands_for), "offer"));
                     }});
  return columns;
}

// What only machines read.
std::vector<RankingColumn> raw_columns() {
  return {
      {{"id", "id", Align::left, 0},
       [](const Shown& s, const Row& row, std::size_t) {
         return report::text(s.catalog.id_of(s.offer(row)));
       }},
      {{"nodes", "nodes", Align::right, 0},
       [](const Shown&, const Row& row, std::size_t) { return report::whole(row.nodes); }},
      {{"gpus", "GPUs", Align::right, 0},
       [](const Shown&, const Row& row, std::size_t) { return report::whole(row.machine.gpus()); }},
      {{"gpu", "GPU", Align::left, 0},
       [](const Shown&, const Row& row, std::size_t) {
         return report::text(row.machine.gpu->id.text());
       }},
      {{"pareto", "pareto", Align::left, 0},
       [](const Shown&, const Row& row, std::size_t) { return report::boolean(row.pareto); }},
      {{"tied_with", "tied with", Align::left, 0},
       [](const Shown&, const Row& row, std::size_t) {
         std::vector<std::string> ranks;
         for (const std::size_t rank : row.tied_with) ranks.push_back(std::to_string(rank));
         return report::text(join(ranks, " "));
       }},
  };
}

report::Table table_of(const Shown& s, const std::vector<RankingColumn>& columns) {
  report::Table table;
  table.empty_text = "no offer fits";
  for (const RankingColumn& c : columns) table.columns.push_back(c.column);
  for (std::size_t i = 0; i < s.answer.rows.size(); ++i) {
    std::vector<Value> cells;
    for (const RankingColumn& c : columns) cells.push_back(c.cell(s, s.answer.rows[i], i + 1));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::vector<RankingColumn> all_columns(const Shown& s) {
  std::vector<RankingColumn> columns = shared_columns();
  if (s.request.constraints.purchases.size() > 1) {
    columns.push_back(
        {{"bought", "bought", Align::left, 0}, [](const Shown& shown, const Row& row, std::size_t) {
           return report::text(std::string(data::name_of(shown.offer(row).purchase)));
         }});
  }
  if (s.service()) {
    for (RankingColumn& c : service_columns(s)) columns.push_back(std::move(c));
  }
  for (RankingColumn& c : money_columns(s)) columns.push_back(std::move(c));
  return columns;
}

}  // namespace

report::Section ranking_section(const Shown& s) {
  report::Section section;
  const std::string what = s.request.detail == recommend::Detail::every_row ? "row" : "instance";
  const std::string found =
      s.answer.rows.empty() ? "no " + what + " was found to fit"
                            : fmt::format("best {} of {} found to fit", s.answer.rows.size(),
                                          count_text(static_cast<double>(s.answer.ranked), what));
  section.title = fmt::format("Ranking by {}: {}", objective_name(s.request.objective), found);
  section.table = table_of(s, all_columns(s));
  return section;
}

report::Table ranking_table(const Shown& s) {
  std::vector<RankingColumn> columns = all_columns(s);
  for (RankingColumn& c : raw_columns()) columns.push_back(std::move(c));
  return table_of(s, columns);
}

}  // namespace gpusel::cli
