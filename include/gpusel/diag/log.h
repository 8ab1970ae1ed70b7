// Trace messages for `--verbose`, on standard error, off by default. Never used for results or
// diagnostics.
#pragma once

#include <string_view>

namespace gpusel::diag {

enum class Verbosity { quiet, verbose };

void set_verbosity(Verbosity verbosity);
void trace(std::string_view message);

}  // namespace gpusel::diag
