// How far measured figures lie from predicted ones.
#pragma once

namespace gpusel::workload::serving {

/// 5 and 95 % quantiles of measured / predicted, with the model and GPU of a row left out of the
/// fit: closed loops, time per token; and peak memory of static batches.
struct Interval {
  double low;
  double high;
};
inline constexpr Interval kDenseTime{0.74, 1.18};   // 436 rows
inline constexpr Interval kExpertTime{0.73, 1.49};  // 304 rows
inline constexpr Interval kMemory{0.90, 1.46};      // 43 rows
/// Prompts alone: 5 and 95 %, 153 rows. Waiting: 10 and 90 % of closed loops, 729 rows; how many
/// requests each client sent, and whether all began at once, is not published.
inline constexpr Interval kPromptTime{0.69, 1.72};
inline constexpr Interval kWaiting{0.36, 5.6};

}  // namespace gpusel::workload::serving
