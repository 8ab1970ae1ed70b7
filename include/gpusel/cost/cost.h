// What work costs under a way of buying: one constant per file `model_<id>.cpp`, found by the
// registry.
//
//   const CostModel& model = model_of(Purchase::spot);
//   Usd total = total_cost(model.cost(usage, price.rate));
#pragma once

#include "gpusel/catalog/offer.h"
#include "gpusel/estimate/ledger.h"
#include "gpusel/units/units.h"

#include <optional>
#include <span>
#include <string_view>

namespace gpusel::cost {

/// What is bought: nodes for a time. A service is costed for one month of 730 hours.
struct Usage {
  int nodes = 1;
  units::Seconds duration;  // of the job, or the month of a service
  enum class Nature { job, service } nature = Nature::job;
  std::optional<units::Usd> setup_fee;              // once per node
  std::optional<units::Seconds> min_term;           // least time that is charged
  std::optional<units::Seconds> billing_increment;  // smallest time that is charged
};

/// The addends of a cost.
struct Cost {
  units::Usd compute;      // nodes x hours x price
  units::Usd unused_term;  // the rest of a commitment or least time that outlasts the job
  units::Usd setup;        // once per node
};

inline constexpr estimate::Term<Cost, units::Usd> kCostTerms[] = {
    {"compute", "compute", &Cost::compute, "nodes * hours * price per hour"},
    {"unused_term", "rest of the committed term", &Cost::unused_term,
     "nodes * (whole terms - hours) * price per hour"},
    {"setup", "set-up fee", &Cost::setup, "nodes * fee"},
};

inline units::Usd total_cost(const Cost& cost) { return estimate::total(cost, kCostTerms); }

struct CostModel {
  std::string_view id;
  std::string_view summary;
  std::span<const catalog::Purchase> purchases;
  /// The cost of a usage at a price per node.
  Cost (*cost)(const Usage&, units::UsdPerHour, catalog::Purchase);
};

std::span<const CostModel* const> models();
const CostModel& model_of(catalog::Purchase purchase);

/// A time rounded up to whole steps; a rounding error above a whole step adds none.
units::Seconds whole_times(units::Seconds time, units::Seconds step);
/// The set-up fees of all nodes; zero where there are none.
units::Usd setup_cost(const Usage& usage);
/// The time that is charged: rounded up to the billing increment.
units::Seconds billed_time(const Usage& usage);
/// The term of a commitment; nothing for on-demand and spot.
std::optional<units::Seconds> term_of(catalog::Purchase purchase);

}  // namespace gpusel::cost
