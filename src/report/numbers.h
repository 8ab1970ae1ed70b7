// Numbers of an answer as JSON and CSV write them: 6 significant digits, shortest form.
#pragma once

#include <string>

namespace gpusel::report {

/// Rounded to 6 significant digits; whole numbers below 10^15 without an exponent; a bug when not
/// finite.
std::string number_text(double value);

}  // namespace gpusel::report
