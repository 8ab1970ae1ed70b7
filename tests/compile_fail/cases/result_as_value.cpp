// A result is opened before its value is used.
#include "gpusel/units/parse.h"

using namespace gpusel;

units::Bytes memory() {
  const Result<units::Bytes> parsed = units::parse<units::Bytes>("80 GB");
#ifdef BAD
  return parsed;
#else
  return parsed ? *parsed : units::Bytes{};
#endif
}
