#include "gpusel/cost/cost.h"

namespace gpusel::cost {
namespace {

using catalog::Purchase;

constexpr Purchase kPurchases[] = {Purchase::on_demand, Purchase::spot};

// Spot is charged as listed: interruptions are shown beside the price, their lost time is not
// priced.
Cost cost(const Usage& usage, units::UsdPerHour price, Purchase) {
  const units::Seconds billed = billed_time(usage);
  Cost result{price * billed * usage.nodes, units::Usd{}, setup_cost(usage)};
  if (usage.min_term && billed < *usage.min_term) {
    result.unused_term = price * (*usage.min_term - billed) * usage.nodes;
  }
  return result;
}

}  // namespace

extern const CostModel model_hourly;
constinit const CostModel model_hourly{"hourly", "hours used at the listed price", kPurchases,
                                       &cost};

}  // namespace gpusel::cost
