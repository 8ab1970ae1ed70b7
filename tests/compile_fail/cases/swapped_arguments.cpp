// Two quantities of one function cannot be swapped.
#include "gpusel/units/units.h"

using namespace gpusel::units;

namespace {
Seconds roofline(Flops work, Bytes moved, FlopsPerSecond peak, BytesPerSecond bandwidth) {
  return max(work / peak, moved / bandwidth);
}
}  // namespace

Seconds example() {
#ifdef BAD
  return roofline(flops(1), bytes(1), gb_per_second(1), tflops(1));
#else
  return roofline(flops(1), bytes(1), tflops(1), gb_per_second(1));
#endif
}
