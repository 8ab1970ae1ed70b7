#include "gpusel/catalog/gpu.h"

#include "gpusel/base/number.h"

#include <algorithm>

namespace gpusel::catalog {

const GemmCurve* Curves::find(NumberFormat format) const {
  const auto found = std::find_if(gemm.begin(), gemm.end(),
                                  [&](const GemmCurve& c) { return c.format == format; });
  return found == gemm.end() ? nullptr : &*found;
}

units::Bytes Gpu::available_memory() const {
  if (usable_memory) return *usable_memory;
  // Shares of the nominal memory that drivers report where both are known: cards with GDDR and ECC
  // lose one sixteenth to check bits (T4, A10, A40, L4, L40S), HBM parts about half a percent.
  constexpr double kGddrWithEcc = 0.9375;
  constexpr double kOther = 0.995;
  return memory * (memory_kind.starts_with("GDDR") ? kGddrWithEcc : kOther);
}

std::optional<double> Gpu::capability() const {
  const NumberPrefix number = number_prefix(compute_capability);
  if (vendor != "nvidia" || number.length == 0 || number.length != compute_capability.size()) {
    return std::nullopt;
  }
  return number.value;
}

}  // namespace gpusel::catalog
