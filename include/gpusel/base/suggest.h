// Suggestions for a misspelled name.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpusel {

/// Damerau-Levenshtein distance (adjacent swaps count one), ASCII case ignored; stops at `limit`
/// + 1.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

/// Up to `most` candidates that are near `name` (distance at most length/3 + 1), or that begin with
/// it or contain it, nearest first, ties in the order given.
std::vector<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates,
                                 std::size_t most = 3);

/// "did you mean 'a', 'b' or 'c'?", or an empty text when nothing is near.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

/// "'a', 'b' or 'c'", for lists of choices.
std::string quoted_list(const std::vector<std::string>& names, std::string_view last_word = "or");

}  // namespace gpusel
