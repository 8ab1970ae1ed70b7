#include "gpusel/cost/cost.h"

namespace gpusel::cost {
namespace {

using catalog::Purchase;

constexpr Purchase kPurchases[] = {Purchase::reserved_1m, Purchase::reserved_1y,
                                   Purchase::reserved_3y};

// A job pays whole terms, so the rest of its last one is lost; a service runs on and uses it up.
Cost cost(const Usage& usage, units::UsdPerHour price, Purchase purchase) {
  Cost result{price * usage.duration * usage.nodes, units::Usd{}, setup_cost(usage)};
  if (usage.nature == Usage::Nature::job) {
    const units::Seconds paid = whole_times(usage.duration, *term_of(purchase));
    result.unused_term = price * (paid - usage.duration) * usage.nodes;
  }
  return result;
}

}  // namespace

extern const CostModel model_reserved;
constinit const CostModel model_reserved{"reserved", "a committed term at its hourly price",
                                         kPurchases, &cost};

}  // namespace gpusel::cost
