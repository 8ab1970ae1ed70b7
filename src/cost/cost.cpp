#include "gpusel/cost/cost.h"

#include "gpusel/base/bug.h"

#include <algorithm>
#include <cmath>

namespace gpusel::cost {

const CostModel& model_of(catalog::Purchase purchase) {
  const CostModel* found = nullptr;
  for (const CostModel* model : models()) {
    if (std::find(model->purchases.begin(), model->purchases.end(), purchase) !=
        model->purchases.end()) {
      found = model;
    }
  }
  GPUSEL_BUG(found == nullptr);
  return *found;
}

units::Seconds whole_times(units::Seconds time, units::Seconds step) {
  constexpr double kRounding = 1e-9;  // of a step
  const units::Seconds whole = step * std::max(0.0, std::ceil(time / step - kRounding));
  return units::max(whole, time);
}

units::Usd setup_cost(const Usage& usage) {
  return usage.setup_fee.value_or(units::Usd{}) * usage.nodes;
}

units::Seconds billed_time(const Usage& usage) {
  if (!usage.billing_increment || *usage.billing_increment <= units::Seconds{})
    return usage.duration;
  return whole_times(usage.duration, *usage.billing_increment);
}

std::optional<units::Seconds> term_of(catalog::Purchase purchase) {
  constexpr double kMonthsPerYear = 12;
  switch (purchase) {
    case catalog::Purchase::on_demand:
    case catalog::Purchase::spot:
      return std::nullopt;
    case catalog::Purchase::reserved_1m:
      return units::hours(units::kHoursPerMonth);
    case catalog::Purchase::reserved_1y:
      return units::hours(units::kHoursPerMonth * kMonthsPerYear);
    case catalog::Purchase::reserved_3y:
      return units::hours(units::kHoursPerMonth * kMonthsPerYear * 3);
  }
  return std::nullopt;
}

}  // namespace gpusel::cost
