#include "candidate.h"

#include <algorithm>
#include <cmath>

namespace gpusel::recommend {
namespace {

// The offer of the same instance and place under another way of buying that does this work for the
// least, if for less.
std::optional<std::uint32_t> cheaper_than(const Candidate& c, const catalog::Catalog& catalog) {
  const catalog::Offer& offer = catalog.offers[c.offer];
  std::optional<std::uint32_t> best;
  units::Usd least = c.total;
  for (std::uint32_t i = 0; i < catalog.offers.size(); ++i) {
    const catalog::Offer& other = catalog.offers[i];
    if (other.instance != offer.instance || other.region != offer.region || !other.price) continue;
    const cost::CostModel& model = cost::model_of(other.purchase);
    const units::Usd total =
        cost::total_cost(model.cost(c.usage, other.price->rate, other.purchase));
    if (!(total < least)) continue;
    least = total;
    best = i;
  }
  return best;
}

Row row_of(const Candidate& c, const workload::Workload& work, const catalog::Catalog& catalog,
           const Plans& plans) {
  Row row;
  const Choice& choice = c;
  static_cast<Choice&>(row) = choice;
  row.machine = plans.machine(catalog.instance_of(catalog.offers[c.offer]).hardware, c.nodes);
  row.rule_factor = rule_factor(c.findings);
  const auto& tokens = work.traits().tokens;
  const double work_done = in_items_per_second(c.plan.figures.throughput) *
                           in_seconds(c.usage.duration) * (tokens ? tokens->duty : 1);
  if (work_done > 0) row.per_unit = c.total / units::items(work_done);
  row.estimate = work.explain(c.plan, row.machine);
  row.cheaper = cheaper_than(c, catalog);
  return row;
}

// A row is on the front when no candidate is at least as good in cost and time and better in one.
void mark_pareto(std::vector<Row>& rows, const std::vector<const Candidate*>& best,
                 const std::vector<Candidate>& all) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const TermValues& mine = best[i]->values;
    rows[i].pareto = std::none_of(all.begin(), all.end(), [&](const Candidate& c) {
      const bool no_worse = c.values.cost <= mine.cost && c.values.time <= mine.time;
      return no_worse && (c.values.cost < mine.cost || c.values.time < mine.time);
    });
  }
}

// Two rows tie when their scores lie closer than the interval of the estimate moves them.
void mark_ties(std::vector<Row>& rows, const Weights& weights) {
  const auto width = [&](const Row& r) {
    return std::log(r.estimate.time_high / r.estimate.time_low) / 2 * (weights.cost + weights.time);
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows.size(); ++j) {
      const double apart = std::fabs(std::log(rows[i].score / rows[j].score));
      if (i != j && apart <= std::min(width(rows[i]), width(rows[j])))
        rows[i].tied_with.push_back(j + 1);
    }
  }
}

}  // namespace

std::vector<Row> make_rows(const std::vector<const Candidate*>& best,
                           const std::vector<Candidate>& all, const Request& request,
                           const workload::Workload& work, const catalog::Catalog& catalog,
                           const Plans& plans) {
  std::vector<Row> rows;
  std::vector<TermValues> values;
  for (const Candidate* c : best) {
    rows.push_back(row_of(*c, work, catalog, plans));
    values.push_back(c->values);
  }
  fill_scores(rows, values, request.weights);
  mark_pareto(rows, best, all);
  mark_ties(rows, request.weights);
  return rows;
}

}  // namespace gpusel::recommend
