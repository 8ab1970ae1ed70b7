#include "report/numbers.h"

#include "gpusel/base/bug.h"
#include "gpusel/base/number.h"

#include <cmath>
#include <cstdint>

namespace gpusel::report {

std::string number_text(double value) {
  GPUSEL_BUG(!std::isfinite(value));
  constexpr int kSignificantDigits = 6;
  constexpr double kWrittenInFull =
      1e15;  // the shortest form of 100000 is 1e+05, which nobody wants
  const double written = round_significant(value, kSignificantDigits);
  if (std::trunc(written) != written || std::abs(written) >= kWrittenInFull) {
    return shortest(written);
  }
  return std::to_string(static_cast<std::int64_t>(written));
}

}  // namespace gpusel::report
