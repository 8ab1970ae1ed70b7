// Machine: n nodes of one Hardware, as numbers ready for formulas.
#pragma once

#include "gpusel/catalog/catalog.h"
#include "gpusel/units/units.h"

#include <optional>

namespace gpusel::estimate {

/// n nodes of a hardware. A bare `--on 8xGPU` is one node whose host and network are unknown.
struct Machine {
  const catalog::Catalog* catalog = nullptr;
  const catalog::Hardware* hardware = nullptr;
  const catalog::Gpu* gpu = nullptr;  // null for CPU nodes
  const catalog::Curves* curves =
      nullptr;  // null where no class fits: then nothing but memory can be said
  const catalog::Fabric* fabric = nullptr;  // null where unknown
  int nodes = 1;

  [[nodiscard]] int gpus_per_node() const { return hardware->count; }
  [[nodiscard]] int gpus() const { return hardware->count * nodes; }
  /// GPUs joined by the fast link: the node's, or the domain of a rack-scale link.
  [[nodiscard]] int domain() const;
  [[nodiscard]] units::Bytes gpu_memory() const { return gpu->available_memory(); }
  /// One direction of the link between GPUs of one domain; of PCIe where there is no link (10 GB/s
  /// for generation 4, 20 GB/s for generation 5, 5 GB/s for generation 3 achieved through the
  /// host).
  [[nodiscard]] units::BytesPerSecond link_bandwidth() const;
  /// One GPU's copies to and from its host: 12, 24 and 50 GB/s over PCIe 3, 4 and 5 x16, a little
  /// above what providers accept as healthy (Azure/azurehpc-health-checks: 9, 21, 48) and below
  /// what nvbandwidth measures (55 for generation 5).
  [[nodiscard]] units::BytesPerSecond host_bandwidth() const;
  [[nodiscard]] bool has_link() const { return gpu->link.has_value(); }
  /// Nominal scale-out rate per GPU, one direction; nullopt where the network is unknown.
  [[nodiscard]] std::optional<units::BytesPerSecond> network_per_gpu() const;
};

Machine make_machine(const catalog::Catalog& catalog, const catalog::Hardware& hardware, int nodes);

}  // namespace gpusel::estimate
