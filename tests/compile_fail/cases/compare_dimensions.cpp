// Money is not compared with money per hour.
#include "gpusel/units/units.h"

using namespace gpusel::units;

bool within(Usd budget, UsdPerHour rate, Seconds time) {
#ifdef BAD
  static_cast<void>(time);
  return rate < budget;
#else
  return rate * time < budget;
#endif
}
