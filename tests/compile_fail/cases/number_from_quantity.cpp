// A quantity is left by a named function only, so that the unit is read.
#include "gpusel/units/units.h"

using namespace gpusel::units;

double shown(Bytes memory) {
#ifdef BAD
  return memory;
#else
  return in_gib(memory);
#endif
}
