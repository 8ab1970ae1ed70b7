// Times of single operations on one GPU, from the efficiency curves of its class. Hot code: plain
// doubles in canonical units (seconds, bytes, floating-point operations), no allocation.
//
//   const std::optional<GemmModel> gemm = make_gemm(*machine.gpu, *machine.curves,
//   NumberFormat::bf16); double s = gemm->seconds(4096, 28672, 8192);   // M x N x K
#pragma once

#include "gpusel/catalog/gpu.h"

#include <algorithm>
#include <optional>

namespace gpusel::estimate {

/// Matrix products of one number format.
struct GemmModel {
  double rate = 0;          // FLOP/s of a very large product: peak fraction x dense peak
  double size_penalty = 0;  // elements
  double sustained = 1;     // long runs against short benchmarks
  double memory_rate = 0;   // bytes/s achieved
  double weight_bytes = 2;  // of an input element; results are written in 16 bits

  /// M x N x K: max(2MNK (1 + d (1/M + 1/N + 1/K)) / rate, ((MK + KN) w + 2MN) / memory rate) /
  /// sustained.
  [[nodiscard]] double seconds(double m, double n, double k) const {
    m = std::max(m, 1.0);
    n = std::max(n, 1.0);
    k = std::max(k, 1.0);
    const double compute = 2 * m * n * k * (1 + size_penalty * (1 / m + 1 / n + 1 / k)) / rate;
    const double memory = ((m * k + k * n) * weight_bytes + 2 * m * n) / memory_rate;
    return std::max(compute, memory) / sustained;
  }
};

/// Empty where the GPU has no such peak or its class no such curve. FP32, TF32 and INT8 run on the
/// curve of 16-bit products with their own peak.
std::optional<GemmModel> make_gemm(const catalog::Gpu& gpu, const catalog::Curves& curves,
                                   catalog::NumberFormat format);

/// Sustained compute of a board with less power for its peak than those that its class was measured
/// on: the square root of the ratio (clocks follow power), at most 1.
double power_share(const catalog::Gpu& gpu, const catalog::Curves& curves);

/// The 16-bit format that a GPU trains in: bf16, or fp16 where it has none.
std::optional<catalog::NumberFormat> half_format(const catalog::Gpu& gpu);

/// Which fused attention kernels the software runs.
enum class AttentionKernels { vendor, sdpa };

/// FLOP/s of fused attention on a sequence, the causal half counted.
double attention_rate(const catalog::AttentionCurve& curve, AttentionKernels kernels,
                      double peak_16bit, double sequence, double head_dim);

}  // namespace gpusel::estimate
