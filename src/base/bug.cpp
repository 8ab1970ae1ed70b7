#include "gpusel/base/bug.h"

#include <string>
#include <string_view>

namespace gpusel {

void throw_bug(const char* condition, const char* file, int line) {
  std::string_view name(file);
  const std::size_t slash = name.rfind('/');
  if (slash != std::string_view::npos) name.remove_prefix(slash + 1);
  throw BugError("internal error: " + std::string(condition) + " at " + std::string(name) + ":" +
                 std::to_string(line));
}

}  // namespace gpusel
