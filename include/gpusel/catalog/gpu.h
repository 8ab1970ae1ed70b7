// GPUs (every accelerator is called a GPU): what one is, and how well it does its work.
#pragma once

#include "gpusel/base/id.h"
#include "gpusel/catalog/provenance.h"
#include "gpusel/units/units.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gpusel::catalog {

/// Number formats with a peak rate of their own. fp64_tensor is FP64 on matrix units.
enum class NumberFormat { fp64, fp64_tensor, fp32, tf32, fp16, bf16, fp8, fp4, int8 };
inline constexpr std::size_t kNumberFormats = 9;

/// Dense peak rates by format; empty where the GPU lacks it or it is not known.
struct Peaks {
  std::array<std::optional<units::FlopsPerSecond>, kNumberFormats> rate;
  [[nodiscard]] std::optional<units::FlopsPerSecond> operator[](NumberFormat format) const {
    return rate[static_cast<std::size_t>(format)];
  }
};

/// The link between GPUs beside PCIe.
struct GpuLink {
  std::string kind;                 // nvlink4, infinity-fabric
  units::BytesPerSecond bandwidth;  // both directions summed, per GPU
  int domain = 8;                   // GPUs that it joins
};

struct Pcie {
  int generation = 0;
  int lanes = 16;
};

/// How far a GEMM of a number format gets towards the peak:
/// time = 2MNK (1 + size_penalty (1/M + 1/N + 1/K)) / (peak_fraction * peak), then divided by
/// `sustained`.
struct GemmCurve {
  NumberFormat format = NumberFormat::bf16;
  double peak_fraction = 0;  // of the dense peak, large square product
  double size_penalty = 0;   // elements
  double sustained = 0;      // long runs against short benchmarks: clocks, kernel mix
};

/// Fused attention: share of the 16-bit peak = peak_fraction * s / (s + half_length) * sustained.
struct AttentionCurve {
  double peak_fraction = 0;
  double half_length = 0;     // tokens
  double sustained = 0;       // vendor kernels (cuDNN, Transformer Engine)
  double sustained_sdpa = 0;  // PyTorch's scaled-dot-product attention, FlashAttention-2 class
  double head_exponent = 0;   // times min(1, head_dim/128)^exponent
};

/// The efficiency of a class of GPUs, fitted to measured kernels and runs.
struct Curves {
  std::string id;
  std::vector<GemmCurve> gemm;
  AttentionCurve attention;
  double memory_fraction = 0;  // achieved share of the memory bandwidth
  /// Cards whose power limit sets the speed: peak fraction = this * TDP in watts / 16-bit peak in
  /// TFLOPS, at most 1.
  std::optional<double> full_power;  // W per 16-bit TFLOPS of the boards that it was measured on
  std::optional<double> watts_fraction;
  std::string basis;  // measured, fitted or derived
  std::vector<std::string> source;
  Provenance provenance;
  [[nodiscard]] const GemmCurve* find(NumberFormat format) const;
};

struct Gpu {
  GpuId id;
  std::string name;
  std::string vendor;
  std::string family;  // what people say: h100
  std::vector<std::string> aliases;
  std::string architecture;
  std::string form_factor;
  std::optional<int> year;
  units::Bytes memory;                        // nominal
  std::optional<units::Bytes> usable_memory;  // as the driver reports
  std::string memory_kind;
  std::optional<units::BytesPerSecond> memory_bandwidth;
  Peaks peak;
  std::optional<GpuLink> link;  // on the board or baseboard: every machine with this GPU has it
  std::optional<GpuLink>
      bridge;  // sold apart for PCIe cards: machines mostly lack it, estimates never count on it
  std::optional<Pcie> pcie;
  std::optional<units::Watts> tdp;
  std::string compute_capability;  // "8.0", "gfx942"; empty where unknown
  std::optional<bool> rt_cores;
  std::optional<int> video_encoders;
  std::optional<int> mig_slices;
  std::optional<GpuId> slice_of;
  std::string curves;  // id of a Curves; empty where none fits
  std::vector<std::string> source;
  std::string note;
  Provenance provenance;

  /// What the driver reports, or a usual share of the nominal memory where that is not known: 15/16
  /// for GDDR with ECC on (one sixteenth holds the check bits), 99.5 % otherwise.
  [[nodiscard]] units::Bytes available_memory() const;
  /// NVIDIA's compute capability as a number (8.9); nullopt for others.
  [[nodiscard]] std::optional<double> capability() const;
  [[nodiscard]] bool is_slice() const { return slice_of.has_value(); }
};

}  // namespace gpusel::catalog

template <>
struct gpusel::data::EnumNames<gpusel::catalog::NumberFormat> {
  using F = gpusel::catalog::NumberFormat;
  static constexpr std::array<std::pair<std::string_view, F>, gpusel::catalog::kNumberFormats>
      kNames = {{{"fp64", F::fp64},
                 {"fp64_tensor", F::fp64_tensor},
                 {"fp32", F::fp32},
                 {"tf32", F::tf32},
                 {"fp16", F::fp16},
                 {"bf16", F::bf16},
                 {"fp8", F::fp8},
                 {"fp4", F::fp4},
                 {"int8", F::int8}}};
};
