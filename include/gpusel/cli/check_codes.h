// Every code that `catalog check` can report, with its severity and what it says.
#pragma once

#include "gpusel/diag/code.h"

#include <vector>

namespace gpusel::cli {

/// The tables of all layers and checks.
std::vector<diag::CodeTable> check_codes();

}  // namespace gpusel::cli
