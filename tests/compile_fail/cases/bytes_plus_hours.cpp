// Sums are of one dimension.
#include "gpusel/units/units.h"

using namespace gpusel::units;
using namespace gpusel::units::literals;

#ifdef BAD
constexpr auto kSum = 1_GB + 1_h;
#else
constexpr auto kSum = 1_GB + 1_GiB;
#endif
static_assert(kSum > 1_GB);
