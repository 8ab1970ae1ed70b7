// Strict decimal numbers, independent of the locale.
#pragma once

#include "gpusel/base/expected.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace gpusel {

/// The longest decimal number at the start of `text` (`12`, `-0.5`, `1.5e9`): its value and length
/// in bytes. Length 0 when there is none. No hexadecimal, no infinity, no leading `+`, no leading
/// zeros before a digit.
struct NumberPrefix {
  double value = 0;
  std::size_t length = 0;
};
NumberPrefix number_prefix(std::string_view text);

/// A whole text as a finite decimal number.
Result<double> parse_number(std::string_view text);

/// A whole text as a whole number within [low, high]; no suffix.
Result<std::int64_t> parse_integer(std::string_view text, std::int64_t low, std::int64_t high);

/// Shortest text that reads back as the same double (`0.1`, `1e+21`).
std::string shortest(double value);

/// Rounded to `digits` significant digits; 0 and non-finite values unchanged.
double round_significant(double value, int digits);

}  // namespace gpusel
