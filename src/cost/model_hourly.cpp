#include "gpusel/cost/cost.h"

namespace gpusel::cost {
namespace {

using catalog::Purchase;

constexpr Purchase kPurchases[] = {Purchase::on_demand, Purchase::spot};

// Spot is charged as listed: interruptions are shown beside the price, their lost time is not
// priced.
Cost cost(const Usage& usage, units::UsdPerHour price, Purchase) {
  return {price * billed_time(usage) * usage.nodes, units::Usd{}};
}

}  // namespace

extern const CostModel model_hourly;
constinit const CostModel model_hourly{"hourly", "hours used at the listed price", kPurchases,
                                       &cost};

}  // namespace gpusel::cost
