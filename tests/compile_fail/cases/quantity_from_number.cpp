// A bare number has no unit.
#include "gpusel/units/units.h"

using namespace gpusel::units;

#ifdef BAD
Bytes memory = 80.0;
#else
Bytes memory = gb(80.0);
#endif
