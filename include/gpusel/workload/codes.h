// The codes of faults in models, engines, frameworks, scores and presets.
#pragma once

#include "gpusel/diag/code.h"

namespace gpusel::workload {

/// The codes of faults in models, engines, frameworks, scores and presets.
diag::CodeTable software_codes();

}  // namespace gpusel::workload
