// A price per hour is not a price per token.
#include "gpusel/units/units.h"

using namespace gpusel::units;

UsdPerItem unit_price(UsdPerHour price, ItemsPerSecond throughput) {
#ifdef BAD
  static_cast<void>(throughput);
  return price;
#else
  return price / throughput;
#endif
}
