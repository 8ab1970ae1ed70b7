// A time is bytes over bandwidth; their product is no time.
#include "gpusel/units/units.h"

using namespace gpusel::units;

Seconds transfer(Bytes size, BytesPerSecond rate) {
#ifdef BAD
  return size * rate;
#else
  return size / rate;
#endif
}
