#include "gpusel/estimate/kernels.h"

#include <cmath>

namespace gpusel::estimate {
namespace {

using catalog::NumberFormat;

// Bytes of an input element. NVFP4: half a byte and one 8-bit scale for each block of 16.
constexpr double kFp4Bytes = 0.56;
constexpr double kFullHead = 128;  // head width at which attention kernels reach their best

double element_bytes(NumberFormat format) {
  switch (format) {
    case NumberFormat::fp8:
    case NumberFormat::int8:
      return 1;
    case NumberFormat::fp4:
      return kFp4Bytes;
    case NumberFormat::fp32:
    case NumberFormat::tf32:
      return 4;
    case NumberFormat::fp64:
    case NumberFormat::fp64_tensor:
      return 8;
    case NumberFormat::fp16:
    case NumberFormat::bf16:
      break;
  }
  return 2;
}

bool is_half(NumberFormat format) {
  return format == NumberFormat::fp16 || format == NumberFormat::bf16;
}

bool runs_on_half_curve(NumberFormat format) {
  return format == NumberFormat::fp32 || format == NumberFormat::tf32 ||
         format == NumberFormat::int8;
}

// A power-limited card: the fraction follows its watts per 16-bit TFLOPS.
double peak_fraction(const catalog::Gpu& gpu, const catalog::Curves& curves,
                     const catalog::GemmCurve& curve) {
  const auto half = half_format(gpu);
  if (!curves.watts_fraction || !gpu.tdp || !half || !is_half(curve.format))
    return curve.peak_fraction;
  return std::min(
      1.0, *curves.watts_fraction * units::in_watts(*gpu.tdp) / units::in_tflops(*gpu.peak[*half]));
}

}  // namespace

double power_share(const catalog::Gpu& gpu, const catalog::Curves& curves) {
  const auto half = half_format(gpu);
  if (!curves.full_power || !gpu.tdp || !half) return 1;
  const double power = units::in_watts(*gpu.tdp) / units::in_tflops(*gpu.peak[*half]);
  return std::min(1.0, std::sqrt(power / *curves.full_power));
}

std::optional<NumberFormat> half_format(const catalog::Gpu& gpu) {
  if (gpu.peak[NumberFormat::bf16]) return NumberFormat::bf16;
  if (gpu.peak[NumberFormat::fp16]) return NumberFormat::fp16;
  return std::nullopt;
}

std::optional<GemmModel> make_gemm(const catalog::Gpu& gpu, const catalog::Curves& curves,
                                   NumberFormat format) {
  const auto peak = gpu.peak[format];
  if (!peak || !gpu.memory_bandwidth) return std::nullopt;
  const catalog::GemmCurve* curve = curves.find(format);
  if (curve == nullptr && runs_on_half_curve(format)) {
    const auto half = half_format(gpu);
    if (half) curve = curves.find(*half);
  }
  if (curve == nullptr) return std::nullopt;
  GemmModel gemm;
  gemm.rate = peak_fraction(gpu, curves, *curve) * units::in_flops_per_second(*peak);
  gemm.size_penalty = curve->size_penalty;
  gemm.sustained = curve->sustained * power_share(gpu, curves);
  gemm.memory_rate = curves.memory_fraction * units::in_bytes_per_second(*gpu.memory_bandwidth);
  gemm.weight_bytes = element_bytes(format);
  return gemm;
}

double attention_rate(const catalog::AttentionCurve& curve, AttentionKernels kernels,
                      double peak_16bit, double sequence, double head_dim) {
  const double sustained =
      kernels == AttentionKernels::vendor ? curve.sustained : curve.sustained_sdpa;
  const double head = std::pow(std::min(1.0, head_dim / kFullHead), curve.head_exponent);
  return curve.peak_fraction * head * sequence / (sequence + curve.half_length) * peak_16bit *
         sustained;
}

}  // namespace gpusel::estimate
