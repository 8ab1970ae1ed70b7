// What a provider's file holds, record by record: the one place of its keys.
#pragma once

#include "loader.h"

#include "gpusel/catalog/sources.h"

#include <optional>
#include <string>
#include <vector>

namespace gpusel::catalog {

struct SpotTerms {
  std::optional<units::Seconds> notice;
  std::string kind;
  std::vector<std::string> source;
};
inline constexpr data::Field<SpotTerms> kSpot[] = {
    data::field<&SpotTerms::notice>("notice", "warning before an interruption"),
    data::optional_field<&SpotTerms::kind>("kind", "spot, preemptible, marketplace", "spot"),
    data::field<&SpotTerms::source>("source", "keys of 'sources'", "price-page")};

/// A price, or the word `unknown`.
struct ListedText {
  std::string literal;
  std::optional<units::ListedPrice> price;  // none: unknown
};

/// A share, or the word `unknown`.
struct ShareText {
  std::optional<units::Ratio> share;
};

}  // namespace gpusel::catalog

template <>
struct gpusel::data::ValueReader<gpusel::catalog::SpotTerms> {
  static constexpr ValueShape kShape{
      "record", "", {}, ValueType::record, &key_shapes<gpusel::catalog::kSpot>};
  static std::optional<gpusel::catalog::SpotTerms> read(NodeRef node, const Reader& reader) {
    return read_record<gpusel::catalog::SpotTerms>(node, gpusel::catalog::kSpot, reader);
  }
};
template <>
struct gpusel::data::ValueReader<gpusel::catalog::ListedText> {
  static constexpr ValueShape kShape{"price per hour or unknown", "98.32 USD/h", {}};
  static std::optional<gpusel::catalog::ListedText> read(NodeRef node, const Reader& reader) {
    gpusel::catalog::ListedText result;
    result.literal = std::string(node.text());
    if (node.text() == "unknown") return result;
    result.price = ValueReader<units::ListedPrice>::read(node, reader);
    if (!result.price) return std::nullopt;
    return result;
  }
};
template <>
struct gpusel::data::ValueReader<gpusel::catalog::ShareText> {
  static constexpr ValueShape kShape{"share or unknown", "20 %", {}};
  static std::optional<gpusel::catalog::ShareText> read(NodeRef node, const Reader& reader) {
    if (node.text() == "unknown") return gpusel::catalog::ShareText{};
    const auto share = ValueReader<units::Ratio>::read(node, reader);
    if (!share) return std::nullopt;
    return gpusel::catalog::ShareText{share};
  }
};

namespace gpusel::catalog {

struct ProviderRow {
  std::string name;
  std::string country;
  std::string website;
  std::optional<units::Seconds> billing_increment;
  std::vector<std::string> compliance;
  std::string kubernetes;
  std::string terraform;
  std::string instances_of;
  std::optional<SpotTerms> spot;
};
inline constexpr data::Field<ProviderRow> kProvider[] = {
    data::field<&ProviderRow::name>("name", "the provider's name", "Example Cloud"),
    data::optional_field<&ProviderRow::country>("country", "ISO 3166 alpha-2", "FR"),
    data::optional_field<&ProviderRow::website>("website", "public address", "https://example.com"),
    data::field<&ProviderRow::billing_increment>("billing_increment",
                                                 "smallest time that is charged", "1 s"),
    data::field<&ProviderRow::compliance>("compliance", "hipaa, soc2, iso27001, gdpr, …", "soc2"),
    data::optional_field<&ProviderRow::kubernetes>("kubernetes", "managed Kubernetes service"),
    data::optional_field<&ProviderRow::terraform>("terraform", "address in the Terraform registry",
                                                  "example/example"),
    data::optional_field<&ProviderRow::instances_of>(
        "instances_of", "the provider whose instances these are, where they are resold"),
    data::field<&ProviderRow::spot>("spot", "terms of interruptible instances")};

struct TariffRow {
  TariffKind what = TariffKind::egress;
  std::optional<units::UsdPerByte> per_gb;
  std::optional<units::UsdPerByteSecond> per_gb_month;
  std::string region;
  std::string product;
  std::vector<std::string> source;
};
inline constexpr data::Field<TariffRow> kTariff[] = {
    data::field<&TariffRow::what>("what", "what is paid for"),
    data::field<&TariffRow::per_gb>("per_gb", "of data that leaves"),
    data::field<&TariffRow::per_gb_month>("per_gb_month", "of data that is kept", data::kNoExample),
    data::optional_field<&TariffRow::region>("region", "where it holds; left out: everywhere"),
    data::optional_field<&TariffRow::product>("product", "name of the product or tier"),
    data::field<&TariffRow::source>("source", "keys of 'sources'", "price-page")};

struct InstanceRow {
  InstanceId id;
  std::optional<GpuId> gpu;
  int count = 0;
  std::optional<int> vcpus;
  std::optional<units::Bytes> memory;
  std::optional<units::Bytes> local_disk;
  std::optional<units::BytesPerSecond> network;
  std::optional<FabricId> fabric;
  Virtualization virtualization = Virtualization::vm;
  std::string name;
  std::optional<int> min_nodes;
  std::optional<units::Seconds> min_term;
  std::optional<units::Usd> setup_fee;
  std::string tier;
  std::optional<units::Bytes> gpu_memory;
  std::optional<units::BytesPerSecond> gpu_memory_bandwidth;
  Peaks gpu_peak;
  std::optional<NetworkPorts> network_ports;
  std::optional<units::Watts> power;
  std::string evidence;
  std::vector<std::string> source;
};
inline constexpr data::Field<InstanceRow> kInstance[] = {
    data::field<&InstanceRow::id>("id", "the provider's own spelling", "gpu8.h100"),
    data::field<&InstanceRow::gpu>("gpu", "GPU id, see gpusel gpus list"),
    data::optional_field<&InstanceRow::count>("count", "GPUs of one instance"),
    data::field<&InstanceRow::vcpus>("vcpus", "virtual CPUs", "192"),
    data::field<&InstanceRow::memory>("memory", "host memory, such as 2048 GiB", "2048 GiB"),
    data::field<&InstanceRow::local_disk>("local_disk", "local disks in all", "30400 GB"),
    data::field<&InstanceRow::network>(
        "network", "scale-out rate of the whole instance, such as 3200 Gbps", "3200 Gbps"),
    data::field<&InstanceRow::fabric>("fabric", "network between nodes, a file of kind 'fabric'",
                                      "infiniband"),
    data::optional_field<&InstanceRow::virtualization>("virtualization", "vm unless said otherwise",
                                                       "vm"),
    data::optional_field<&InstanceRow::name>("name", "the provider's spelling, where it is no id"),
    data::field<&InstanceRow::min_nodes>("min_nodes", "least number of instances sold", "1"),
    data::field<&InstanceRow::min_term>("min_term", "least time that is charged, such as 730 h",
                                        "1 h"),
    data::field<&InstanceRow::setup_fee>("setup_fee", "once per instance, such as 100 USD",
                                         data::kNoExample),
    data::optional_field<&InstanceRow::tier>("tier", "secure, community, …"),
    data::field<&InstanceRow::gpu_memory>("gpu_memory", "of all GPUs, as the page states it",
                                          data::kNoExample),
    data::field<&InstanceRow::gpu_memory_bandwidth>(
        "gpu_memory_bandwidth", "of one GPU, as the page states it", data::kNoExample),
    data::optional_field<&InstanceRow::gpu_peak>("gpu_peak", "of one GPU, as the page states it",
                                                 data::kNoExample),
    data::field<&InstanceRow::network_ports>("network_ports", "ports of the scale-out network"),
    data::field<&InstanceRow::power>("power", "of the whole instance, as the page states it",
                                     data::kNoExample),
    data::optional_field<&InstanceRow::evidence>("evidence", "what shows that it is bare metal"),
    data::field<&InstanceRow::source>("source", "keys of 'sources'", "price-page")};

struct RegionRow {
  RegionId id;
  std::string country;
  std::string continent;
  std::vector<std::string> compliance;
};
inline constexpr data::Field<RegionRow> kRegion[] = {
    data::field<&RegionRow::id>("id", "the provider's name of the region", "eu-west-1"),
    data::optional_field<&RegionRow::country>("country", "ISO 3166 alpha-2", "FR"),
    data::optional_field<&RegionRow::continent>("continent", "two letters", "eu"),
    data::field<&RegionRow::compliance>("compliance", "marks that hold in this region", "gdpr")};

struct PriceRow {
  InstanceId instance;
  RegionId region;
  Purchase purchase = Purchase::on_demand;
  ListedText price;
  std::string source;
  std::optional<Date> date;
  std::optional<Confidence> confidence;
  std::string zone;
};
inline constexpr data::Field<PriceRow> kPrice[] = {
    data::field<&PriceRow::instance>("instance", "id of an instance of this file", "gpu8.h100"),
    data::field<&PriceRow::region>("region", "id of a region of this file, or unknown",
                                   "eu-west-1"),
    data::field<&PriceRow::purchase>("purchase", "way of buying"),
    data::field<&PriceRow::price>("price", "per instance and hour, or unknown"),
    data::field<&PriceRow::source>("source", "key of 'sources'", "price-page"),
    data::field<&PriceRow::date>("date",
                                 "when the price held, where it differs from the source's date"),
    data::field<&PriceRow::confidence>("confidence", "where it differs from the source's"),
    data::optional_field<&PriceRow::zone>("zone", "availability zone")};

struct InterruptionRow {
  InstanceId instance;
  RegionId region;
  units::Ratio low;
  ShareText high;
  std::string source;
};
inline constexpr data::Field<InterruptionRow> kInterruption[] = {
    data::field<&InterruptionRow::instance>("instance", "id of an instance of this file",
                                            "gpu8.h100"),
    data::field<&InterruptionRow::region>("region", "id of a region of this file", "eu-west-1"),
    data::field<&InterruptionRow::low>("low", "lower end of the monthly share reclaimed"),
    data::field<&InterruptionRow::high>("high", "upper end, or unknown"),
    data::field<&InterruptionRow::source>("source", "key of 'sources'", "price-page")};

}  // namespace gpusel::catalog
