#include "report/numbers.h"

#include "gpusel/base/bug.h"
#include "gpusel/base/number.h"

#include <cmath>

namespace gpusel::report {

double rounded(double value) {
  GPUSEL_BUG(!std::isfinite(value));
  constexpr int kSignificantDigits = 6;
  return round_significant(value, kSignificantDigits);
}

std::optional<std::int64_t> as_whole(double value) {
  // Beyond this the exponent form is the shorter one, and doubles lose whole numbers soon after.
  constexpr double kWrittenInFull = 1e15;
  if (std::trunc(value) != value || std::abs(value) >= kWrittenInFull) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

std::string number_text(double value) {
  const double written = rounded(value);
  const std::optional<std::int64_t> whole = as_whole(written);
  return whole ? std::to_string(*whole) : shortest(written);
}

}  // namespace gpusel::report
