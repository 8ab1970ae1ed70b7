// Only types with a grammar are parsed.
#include "gpusel/units/parse.h"

using namespace gpusel;

#ifdef BAD
auto parsed = units::parse<double>("80");
#else
auto parsed = units::parse<units::Count>("80");
#endif
