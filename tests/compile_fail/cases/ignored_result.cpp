// A result that may be an error is not dropped.
#include "gpusel/base/date.h"

using namespace gpusel;

void read() {
#ifdef BAD
  Date::parse("2026-11-20");
#else
  static_cast<void>(Date::parse("2026-11-20"));
#endif
}
