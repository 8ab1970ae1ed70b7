// Line breaking for terminals, in cells; knows that Chinese and Japanese break between characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpusel::report {

/// Lines of at most `width` cells, at least one; what can't be broken (a URL, an id) stays whole
/// and sticks out. `text` is valid UTF-8, as `printable` returns it.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

}  // namespace gpusel::report
