// Times of exchanges between the GPUs of a machine: a fast domain (NVLink, PCIe of one host) and a
// network between domains. Hot code: plain doubles, seconds and bytes.
#pragma once

#include "gpusel/estimate/machine.h"

#include <algorithm>
#include <optional>

namespace gpusel::estimate {

/// Achieved share of the link inside a domain on ring collectives (NCCL on A100, H100, H200, B200:
/// 0.73 to 0.78).
inline constexpr double kRingShare = 0.75;
/// Achieved share of the network rate where the fabric states none.
inline constexpr double kNetworkShare = 0.85;

/// What exchanges of a machine run over.
struct Links {
  double link = 0;  // bytes/s, one direction, inside a domain
  double network =
      0;  // bytes/s per GPU between domains, already scaled to the fabric's share / kNetworkShare
  double domain = 1;  // GPUs of a domain, a power of two above eight
  bool fast = false;  // a link of its own, not PCIe

  /// One all-gather or reduce-scatter of `bytes` over `ranks` members, whose model-parallel group
  /// of `inner` GPUs stands inside the domain first: time inside the domain plus time on the
  /// network.
  [[nodiscard]] double pass_seconds(double bytes, double ranks, double inner) const {
    const double inside = std::max(1.0, std::min(ranks, domain / std::min(domain, inner)));
    const double domains = std::max(1.0, ranks / inside);
    const double near = inside > 1 ? (inside - 1) / inside * bytes / (kRingShare * link) : 0;
    const double far =
        domains > 1 ? (domains - 1) / domains * bytes / (inside * kNetworkShare * network) : 0;
    return near + far;
  }
  /// All-reduce of `bytes` over a tensor-parallel group.
  [[nodiscard]] double all_reduce_seconds(double bytes, double ranks) const;
};

/// Empty where the machine has several nodes whose network is not known.
std::optional<Links> make_links(const Machine& machine);

}  // namespace gpusel::estimate
