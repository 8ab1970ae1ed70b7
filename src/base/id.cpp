#include "gpusel/base/id.h"

#include <algorithm>

namespace gpusel {

bool is_valid_id(std::string_view text) {
  const auto alnum = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  constexpr std::size_t kMaxLength = 128;
  return !text.empty() && text.size() <= kMaxLength && alnum(text.front()) &&
         std::all_of(text.begin(), text.end(),
                     [&](char c) { return alnum(c) || c == '.' || c == '_' || c == '-'; });
}

}  // namespace gpusel
