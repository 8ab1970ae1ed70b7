#include "gpusel/estimate/machine.h"

#include <algorithm>

namespace gpusel::estimate {
namespace {

using units::BytesPerSecond;
using units::gb_per_second;

// Achieved by a pair of GPUs through the host, one direction; measured with NCCL on PCIe servers
// (training rows of A10G, A40, L40S and A100 PCIe; 4 GB/s on hosts without peer access, 12 GB/s
// under one switch).
constexpr BytesPerSecond kPcie3 = gb_per_second(5);
constexpr BytesPerSecond kPcie4 = gb_per_second(10);
constexpr BytesPerSecond kPcie5 = gb_per_second(20);
// Between a GPU and its own host.
constexpr BytesPerSecond kHost3 = gb_per_second(12);
constexpr BytesPerSecond kHost4 = gb_per_second(24);
constexpr BytesPerSecond kHost5 = gb_per_second(50);

int pcie_generation(const catalog::Gpu& gpu) { return gpu.pcie ? gpu.pcie->generation : 4; }

// The hybrid cube mesh of eight V100 has no path of full rate between all pairs: half of the
// nominal 150 GB/s reaches a ring (NVIDIA V100, NVLink 2).
constexpr double kMeshShare = 0.5;

// A link that joins more GPUs than any node holds is one of a rack (NVL72): it joins nodes too.
constexpr int kLargestNode = 16;

}  // namespace

int Machine::domain() const {
  const int node = gpus_per_node();
  if (!has_link()) return node;
  const int joined = gpu->link->domain;
  return std::max(1, std::min(joined, joined > kLargestNode ? gpus() : node));
}

BytesPerSecond Machine::link_bandwidth() const {
  if (has_link()) {
    const BytesPerSecond one_way = gpu->link->bandwidth / 2;
    return gpu->link->kind == "nvlink2" ? one_way * kMeshShare : one_way;
  }
  const int generation = pcie_generation(*gpu);
  if (generation >= 5) return kPcie5;
  return generation == 4 ? kPcie4 : kPcie3;
}

BytesPerSecond Machine::host_bandwidth() const {
  const int generation = pcie_generation(*gpu);
  if (generation >= 5) return kHost5;
  return generation == 4 ? kHost4 : kHost3;
}

std::optional<BytesPerSecond> Machine::network_per_gpu() const {
  if (!hardware->network || hardware->count == 0) return std::nullopt;
  return *hardware->network / static_cast<double>(hardware->count);
}

Machine make_machine(const catalog::Catalog& catalog, const catalog::Hardware& hardware,
                     int nodes) {
  Machine machine;
  machine.catalog = &catalog;
  machine.hardware = &hardware;
  machine.gpu = catalog.gpu_of(hardware);
  machine.curves = machine.gpu != nullptr ? catalog.curves_of(*machine.gpu) : nullptr;
  machine.fabric = catalog.fabric_of(hardware);
  machine.nodes = nodes;
  return machine;
}

}  // namespace gpusel::estimate
