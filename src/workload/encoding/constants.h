// Constants of work that passes batches through a model.
#pragma once

namespace gpusel::workload::encoding {

/// Most of its saturated rate that a service is asked to carry: common practice, 0.7 to 0.8.
inline constexpr double kUtilisation = 0.8;
/// Positions of a pass beyond which speed hardly rises: within 3 % on each GPU of demoBERT's
/// tables.
inline constexpr double kEnoughPositions = 16384;

}  // namespace gpusel::workload::encoding
