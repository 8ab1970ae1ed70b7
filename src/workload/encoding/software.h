// The software that runs encoders: what differs between programs, fitted to their published runs.
//
//   const Software* tensorrt = find_software("tensorrt");
#pragma once

#include "gpusel/catalog/gpu.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpusel::workload::encoding {

/// Measured over predicted time.
struct Interval {
  double low = 1;
  double high = 1;
};

struct Software {
  std::string_view id;
  std::string_view name;
  /// Values that element-wise kernels move through memory, per position and layer, in widths of the
  /// model.
  double elementwise = 0;
  double gap = 0;   // s per layer in which one kernel ends and the next begins
  double host = 0;  // s per layer that the host takes to start the kernels; 0: they wait in a graph
  bool fused_attention = true;
  bool skips_padding = true;
  std::span<const catalog::NumberFormat> formats;  // beside 16 bits
  Interval time;                                   // on classes of GPU that it was measured on
  std::span<const std::string_view> classes;       // those
  std::string_view runs;                           // what the constants were fitted to
};

std::span<const Software> all_software();
const Software* find_software(std::string_view id);
std::vector<std::string> software_names();
/// Whether it computes in a format.
bool runs_in(const Software& software, catalog::NumberFormat format);
/// How far a run on a class of GPU may be off.
Interval interval_of(const Software& software, std::string_view curves);

}  // namespace gpusel::workload::encoding
