// The answer: which offers should run this work, ranked, and why not the others. Pure: no clock, no
// files.
//
//   Recommendation answer = recommend(request, *workload, catalog, rules);
//   for (const Row& row : answer.rows) …
#pragma once

#include "gpusel/base/date.h"
#include "gpusel/catalog/catalog.h"
#include "gpusel/cost/cost.h"
#include "gpusel/estimate/plan.h"
#include "gpusel/rules/rule.h"
#include "gpusel/units/parse.h"
#include "gpusel/workload/workload.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpusel::recommend {

enum class Objective { balanced, cost, time, throughput_per_dollar };
enum class Detail { best_per_instance, every_row };

/// Exponents of the score's terms; they sum to 1.
struct Weights {
  double cost = 0.6;
  double time = 0.3;
  double risk = 0.1;
};

/// The weights in force: all on one term unless the objective is `balanced`.
Weights weights_of(Objective objective, const Weights& balanced);

/// What the user allows. Empty lists and missing values allow everything.
struct Constraints {
  std::vector<std::string> providers;
  std::vector<std::string> excluded_providers;
  std::vector<std::string> regions;
  std::vector<std::string> countries;
  std::vector<std::uint32_t> gpus;  // indices into the catalog
  std::optional<units::Interval<units::Bytes>> gpu_memory;
  std::optional<units::Interval<units::Count>> gpu_count;
  bool bare_metal = false;
  std::vector<std::string> compliance;
  std::vector<catalog::Purchase> purchases = {catalog::Purchase::on_demand};
  std::optional<units::UsdPerHour> max_price;  // per instance
  std::optional<int> max_age_days;
  std::optional<units::Seconds> deadline;
  std::optional<units::Usd> budget;
};

struct Request {
  Constraints constraints;
  Objective objective = Objective::balanced;
  Weights weights;
  std::size_t top = 10;
  Detail detail = Detail::best_per_instance;
  Date as_of;
};

/// A job longer than this scores lower in `balanced`; a shorter one earns nothing more.
inline constexpr units::Seconds kPatience = units::days(7);

enum class ScoreTerm { cost, time, risk };
struct ScorePart {
  ScoreTerm term = ScoreTerm::cost;
  double value = 0;  // US dollars, seconds, or the risk factor
  double weight = 0;
  double contribution = 1;  // (best / value)^weight
};

/// One offer at one node count with its plan and cost.
struct Choice {
  std::uint32_t offer = 0;
  int nodes = 1;
  estimate::Plan plan;
  cost::Usage usage;
  cost::Cost cost;
  units::Usd total;
  std::vector<rules::Finding> findings;
};

/// A choice that is shown, scored and explained.
struct Row : Choice {
  estimate::Machine machine;
  std::optional<units::UsdPerItem> per_unit;
  std::array<ScorePart, 3> parts;
  double rule_factor = 1;
  double score = 0;  // 1 is the best conceivable: first in every term
  bool pareto = false;
  std::size_t stands_for = 1;            // offers of this instance, its own included
  std::vector<std::size_t> tied_with;    // ranks, from 1
  estimate::Estimate estimate;           // explained
  std::optional<std::uint32_t> cheaper;  // the same bought otherwise, for less
};

/// Why an offer is out: the reason of the node count that came nearest.
struct Rejection {
  std::uint32_t offer = 0;
  int nodes = 1;
  std::string reason;  // a rule's id, fit.<resource>, filter.<flag> or price.unknown
  std::string figure;
  std::string bound;
  std::string remedy;
};

struct Unpriced {
  std::uint32_t offer = 0;
  int nodes = 1;
  units::Seconds duration;
};

struct Searched {
  std::size_t machines = 0;     // searched
  std::uint64_t evaluated = 0;  // layouts
  std::size_t ranked_offers = 0;
  std::size_t skipped_offers = 0;
};

struct ReasonCount {
  std::string reason;
  std::size_t count = 0;
  std::string text;
};

struct Recommendation {
  std::vector<Row> rows;   // the top ones, best first
  std::size_t ranked = 0;  // rows before the cut to `top`
  std::vector<Unpriced> unpriced;
  std::vector<Rejection> rejected;
  std::optional<Rejection> nearest;    // of those that only the work, not a filter, keeps out
  std::vector<ReasonCount> by_reason;  // most frequent first
  Searched searched;
};

Recommendation recommend(const Request& request, const workload::Workload& work,
                         const catalog::Catalog& catalog, const rules::RuleSet& rules);

/// The facts that rules may ask about, in a fixed order.
rules::FactTable fact_table();

}  // namespace gpusel::recommend
