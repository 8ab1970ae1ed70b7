// Numbers of an answer as JSON and CSV write them: 6 significant digits, shortest form.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace gpusel::report {

/// Rounded to 6 significant digits; a bug when not finite.
double rounded(double value);

/// The number as an integer where it is a whole number that a reader may well want in full.
std::optional<std::int64_t> as_whole(double value);

/// The rounded number as text.
std::string number_text(double value);

}  // namespace gpusel::report
