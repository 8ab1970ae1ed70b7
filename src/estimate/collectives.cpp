#include "gpusel/estimate/collectives.h"

namespace gpusel::estimate {
namespace {

// Start of a collective: measured with NCCL on eight GPUs, 16 to 27 us on NVLink (aiconfigurator
// tables); on PCIe through the host.
constexpr double kLinkLatency = 20e-6;
constexpr double kPcieLatency = 60e-6;
constexpr double kFarLatencyFactor = 4;     // beyond the domain
constexpr double kFarAllReduceShare = 0.8;  // of the network rate
constexpr int kNodeSize = 8;

// Groups are powers of two: of a rack of 72 they use 64.
int usable_domain(int gpus) {
  if (gpus <= kNodeSize) return gpus;
  int size = kNodeSize;
  while (size * 2 <= gpus) size *= 2;
  return size;
}

}  // namespace

double Links::all_reduce_seconds(double bytes, double ranks) const {
  if (ranks <= 1) return 0;
  const double near = kRingShare * link;
  const bool inside = ranks <= domain;
  const double bandwidth = inside ? near : std::min(near, kFarAllReduceShare * network * domain);
  const double latency = (fast ? kLinkLatency : kPcieLatency) * (inside ? 1 : kFarLatencyFactor);
  return latency + 2 * (ranks - 1) / ranks * bytes / bandwidth;
}

std::optional<Links> make_links(const Machine& machine) {
  Links links;
  links.link = units::in_bytes_per_second(machine.link_bandwidth());
  links.fast = machine.has_link();
  links.domain = usable_domain(machine.domain());
  const auto network = machine.network_per_gpu();
  if (network) {
    const bool known = machine.fabric != nullptr && machine.fabric->efficiency;
    const double share = known ? *machine.fabric->efficiency : kNetworkShare;
    links.network = units::in_bytes_per_second(*network) * share / kNetworkShare;
  } else if (machine.gpus() > machine.domain()) {
    return std::nullopt;
  } else {
    links.network = links.link;  // not used: everything lies inside the domain
  }
  return links;
}

}  // namespace gpusel::estimate
