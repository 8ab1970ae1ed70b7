// What providers sell: instances, the hardware behind them, regions, prices and offers.
#pragma once

#include "gpusel/base/id.h"
#include "gpusel/catalog/gpu.h"
#include "gpusel/catalog/provenance.h"
#include "gpusel/units/parse.h"
#include "gpusel/units/units.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gpusel::catalog {

enum class Virtualization { vm, bare_metal, vgpu, container };
enum class TariffKind { egress, object_storage, block_storage };
enum class Purchase { on_demand, spot, reserved_1m, reserved_1y, reserved_3y };

/// The network between nodes.
struct Fabric {
  FabricId id;
  std::string name;
  bool gpu_direct = false;                // moves GPU memory without the host
  std::optional<units::Seconds> latency;  // of one hop, software included
  std::optional<double> efficiency;       // achieved share of the nominal rate on large messages
  std::vector<std::string> source;
  Provenance provenance;
};

/// What data costs beside the instances: a price of data that leaves, or of data that is kept.
struct Tariff {
  TariffKind what = TariffKind::egress;
  std::optional<units::UsdPerByte> per_byte;
  std::optional<units::UsdPerByteSecond> per_byte_second;
  std::string region;   // empty: everywhere
  std::string product;  // empty: the usual one
  Provenance provenance;
};

struct Provider {
  ProviderId id;
  std::string name;
  std::string country;  // ISO 3166 alpha-2; empty where unknown
  std::string website;
  std::optional<units::Seconds> billing_increment;
  std::vector<std::string> compliance;
  std::string kubernetes;  // managed service; empty where there is none or it is not known
  std::string terraform;   // provider address in the Terraform registry
  std::optional<units::Seconds> spot_notice;
  std::vector<Tariff> tariffs;
  std::string spot_kind;     // spot, preemptible, marketplace; empty where there is none
  std::string instances_of;  // the provider whose instances these are; empty: its own
  Provenance provenance;
};

struct Region {
  std::uint32_t provider = 0;
  RegionId id;
  std::string country;    // empty where unknown
  std::string continent;  // two letters, lower case
  std::vector<std::string> compliance;
  Provenance provenance;
};

/// Generations of InfiniBand by their rate per port.
enum class InfinibandGeneration { edr, hdr, ndr, xdr };

/// `8 x 400 Gbps NDR`: ports of the network between nodes.
struct NetworkPorts {
  int count = 1;
  units::BytesPerSecond rate;  // of one port
  std::optional<InfinibandGeneration> generation;
};

/// Figures that a page states although they follow from others: compared by `catalog check`, used
/// by no estimate.
struct StatedFigures {
  std::optional<units::Bytes> gpu_memory;                     // of all GPUs of the instance
  std::optional<units::BytesPerSecond> gpu_memory_bandwidth;  // of one GPU
  Peaks gpu_peak;                                             // of one GPU
  std::optional<NetworkPorts> network_ports;
  std::optional<units::Watts> power;  // of the whole instance
  std::string evidence;               // for bare metal: what the provider says
};

struct Instance {
  std::uint32_t provider = 0;
  InstanceId id;
  std::string name;  // the provider's spelling, where it is no id
  std::uint32_t hardware = 0;
  int min_nodes = 1;                       // least number sold
  std::optional<units::Seconds> min_term;  // least time that is charged
  std::optional<units::Usd> setup_fee;     // once per instance
  std::string tier;                        // secure, community, …; empty where there is one
  StatedFigures stated;
  Provenance provenance;
};

/// All that an estimate can see of an instance; shared by every instance and region that is alike.
struct Hardware {
  std::optional<std::uint32_t> gpu;  // index into Catalog::gpus; none for CPU nodes
  int count = 0;                     // GPUs
  std::optional<int> vcpus;
  std::optional<units::Bytes> memory;
  std::optional<units::Bytes> local_disk;
  std::optional<units::BytesPerSecond> network;  // scale-out rate of the whole instance
  std::optional<std::uint32_t> fabric;           // index into Catalog::fabrics
  Virtualization virtualization = Virtualization::vm;
  friend bool operator==(const Hardware&, const Hardware&) = default;
};

struct Price {
  units::UsdPerHour rate;     // per instance, converted where listed in another currency
  units::ListedPrice listed;  // as listed
  std::string literal;        // the text of the file: `98.32 USD/h`
  std::optional<Date> date;   // when it held
  Confidence confidence = Confidence::verified;
  Provenance provenance;
};

/// Published share of spot instances reclaimed within a month.
struct Interruption {
  double low = 0;
  std::optional<double> high;  // none: an open band
  Provenance provenance;
};

struct Offer {
  std::uint32_t instance = 0;
  std::optional<std::uint32_t> region;  // none: where it is sold is not known
  Purchase purchase = Purchase::on_demand;
  std::string zone;
  std::optional<Price> price;
  std::optional<Interruption> interruption;  // spot only
};

}  // namespace gpusel::catalog

template <>
struct gpusel::data::EnumNames<gpusel::catalog::Virtualization> {
  using V = gpusel::catalog::Virtualization;
  static constexpr std::array<std::pair<std::string_view, V>, 4> kNames = {
      {{"vm", V::vm},
       {"bare-metal", V::bare_metal},
       {"vgpu", V::vgpu},
       {"container", V::container}}};
};
template <>
struct gpusel::data::EnumNames<gpusel::catalog::TariffKind> {
  using T = gpusel::catalog::TariffKind;
  static constexpr std::array<std::pair<std::string_view, T>, 3> kNames = {
      {{"egress", T::egress},
       {"object-storage", T::object_storage},
       {"block-storage", T::block_storage}}};
};
template <>
struct gpusel::data::EnumNames<gpusel::catalog::InfinibandGeneration> {
  using G = gpusel::catalog::InfinibandGeneration;
  static constexpr std::array<std::pair<std::string_view, G>, 4> kNames = {
      {{"EDR", G::edr}, {"HDR", G::hdr}, {"NDR", G::ndr}, {"XDR", G::xdr}}};
};
template <>
struct gpusel::data::EnumNames<gpusel::catalog::Purchase> {
  using P = gpusel::catalog::Purchase;
  static constexpr std::array<std::pair<std::string_view, P>, 5> kNames = {
      {{"on-demand", P::on_demand},
       {"spot", P::spot},
       {"reserved-1m", P::reserved_1m},
       {"reserved-1y", P::reserved_1y},
       {"reserved-3y", P::reserved_3y}}};
};
