#include "gpusel/cost/cost.h"

#include <algorithm>
#include <cmath>

#include "gpusel/base/bug.h"

namespace gpusel::cost {

const CostModel& model_of(catalog::Purchase purchase) {
  const CostModel* found = nullptr;
  for (const CostModel* model : models()) {
    if (std::find(model->purchases.begin(), model->purchases.end(), purchase) != model->purchases.end()) {
      found = model;
    }
  }
  GPUSEL_BUG(found == nullptr);
  return *found;
}

units::Seconds billed_time(const Usage& usage) {
  if (!usage.billing_increment || *usage.billing_increment <= units::Seconds{}) return usage.duration;
  const double increments = usage.duration / *usage.billing_increment;
  return *usage.billing_increment * std::ceil(increments - 1e-9);
}

std::optional<units::Seconds> term_of(catalog::Purchase purchase) {
  constexpr double kMonthsPerYear = 12;
  switch (purchase) {
    case catalog::Purchase::on_demand:
    case catalog::Purchase::spot: return std::nullopt;
    case catalog::Purchase::reserved_1m: return units::hours(units::kHoursPerMonth);
    case catalog::Purchase::reserved_1y: return units::hours(units::kHoursPerMonth * kMonthsPerYear);
    case catalog::Purchase::reserved_3y: return units::hours(units::kHoursPerMonth * kMonthsPerYear * 3);
  }
  return std::nullopt;
}

}  // namespace gpusel::cost
