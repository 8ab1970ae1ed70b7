// Whether a plan fits, when the error of the estimate is counted in.
//
//   Judgement j = judge_fit(plan, estimate, machine);   // borderline: "memory may reach 84 GiB …"
#pragma once

#include "gpusel/estimate/machine.h"
#include "gpusel/estimate/plan.h"

#include <string>
#include <string_view>

namespace gpusel::estimate {

/// Below this share of a GPU's memory left for the cache of a service, a small error of what is
/// fixed decides.
inline constexpr double kTightCache = 0.1;

enum class Fit { fits, borderline, does_not_fit };
std::string_view name_of(Fit fit);

struct Judgement {
  Fit fit = Fit::fits;
  std::string reason;  // of a borderline case; else empty
};

/// A plan that fits is borderline where the high end of its memory is above the GPU's; one whose
/// cache takes what is left is so where little is left.
Judgement judge_fit(const Plan& plan, const Estimate& estimate, const Machine& machine);
/// What does not fit is borderline where the low end of what it needs would.
Judgement judge_misfit(const DoesNotFit& why);

}  // namespace gpusel::estimate
