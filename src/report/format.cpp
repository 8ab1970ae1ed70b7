#include "gpusel/report/format.h"

#include <algorithm>

namespace gpusel::report {

const Format* find_format(std::string_view id) {
  const std::span<const Format* const> all = formats();
  const std::span<const Format* const>::iterator at =
      std::find_if(all.begin(), all.end(), [&](const Format* f) { return f->id == id; });
  return at == all.end() ? nullptr : *at;
}

}  // namespace gpusel::report
