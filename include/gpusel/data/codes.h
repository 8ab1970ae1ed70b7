// The codes of faults in the form of any data file.
#pragma once

#include "gpusel/diag/code.h"

namespace gpusel::data {

/// The codes of faults in the form of any data file.
diag::CodeTable form_codes();

}  // namespace gpusel::data
