// The codes of faults in rules and their examples.
#pragma once

#include "gpusel/diag/code.h"

namespace gpusel::rules {

/// The codes of faults in rules and their examples.
diag::CodeTable rule_codes();

}  // namespace gpusel::rules
