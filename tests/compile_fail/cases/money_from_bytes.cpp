// Storage costs money only through a price.
#include "gpusel/units/units.h"

using namespace gpusel::units;

Usd storage(Bytes size, UsdPerByte price) {
#ifdef BAD
  static_cast<void>(price);
  return size;
#else
  return size * price;
#endif
}
