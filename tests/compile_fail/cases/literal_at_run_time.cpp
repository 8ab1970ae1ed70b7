// Literals are made by the compiler: a number known at run time needs a named function.
#include "gpusel/units/units.h"

using namespace gpusel::units;

Bytes memory(unsigned long long n) {
#ifdef BAD
  return literals::operator""_GB(n);
#else
  return gb(static_cast<double>(n));
#endif
}
