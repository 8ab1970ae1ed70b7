// The shapes of the data files that workloads read; each stands beside its reader.
#pragma once

#include "gpusel/data/file_shape.h"

namespace gpusel::workload {

extern const data::FileShape kApiPricesShape;
extern const data::FileShape kCalibrationShape;
extern const data::FileShape kEngineShape;
extern const data::FileShape kFrameworkShape;
extern const data::FileShape kModelsShape;
extern const data::FileShape kPresetShape;
extern const data::FileShape kScoresShape;

}  // namespace gpusel::workload
