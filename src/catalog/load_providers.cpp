#include "loader.h"

#include "gpusel/base/suggest.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace gpusel::catalog {
namespace {

using data::field;
using data::Field;
using data::optional_field;

struct SpotTerms {
  std::optional<units::Seconds> notice;
  std::string kind;
  std::vector<std::string> source;
};
constexpr Field<SpotTerms> kSpot[] = {
    field<&SpotTerms::notice>("notice", "warning before an interruption"),
    optional_field<&SpotTerms::kind>("kind", "spot, preemptible, marketplace"),
    field<&SpotTerms::source>("source", "keys of 'sources'")};

struct ProviderRow {
  std::string name;
  std::string country;
  std::string website;
  std::optional<units::Seconds> billing_increment;
  std::vector<std::string> compliance;
  std::string kubernetes;
  std::string terraform;
  std::string instances_of;
};
constexpr Field<ProviderRow> kProvider[] = {
    field<&ProviderRow::name>("name", "the provider's name"),
    optional_field<&ProviderRow::country>("country", "ISO 3166 alpha-2"),
    optional_field<&ProviderRow::website>("website", "public address"),
    field<&ProviderRow::billing_increment>("billing_increment", "smallest time that is charged"),
    field<&ProviderRow::compliance>("compliance", "hipaa, soc2, iso27001, gdpr, …"),
    optional_field<&ProviderRow::kubernetes>("kubernetes", "managed Kubernetes service"),
    optional_field<&ProviderRow::terraform>("terraform", "address in the Terraform registry"),
    optional_field<&ProviderRow::instances_of>(
        "instances_of", "the provider whose instances these are, where they are resold")};

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
constexpr Field<InstanceRow> kInstance[] = {
    field<&InstanceRow::id>("id", "the provider's own spelling"),
    field<&InstanceRow::gpu>("gpu", "GPU id, see gpusel gpus list"),
    optional_field<&InstanceRow::count>("count", "GPUs of one instance"),
    field<&InstanceRow::vcpus>("vcpus", "virtual CPUs"),
    field<&InstanceRow::memory>("memory", "host memory, such as 2048 GiB"),
    field<&InstanceRow::local_disk>("local_disk", "local disks in all"),
    field<&InstanceRow::network>("network",
                                 "scale-out rate of the whole instance, such as 3200 Gbps"),
    field<&InstanceRow::fabric>("fabric", "network between nodes, a file of kind 'fabric'"),
    optional_field<&InstanceRow::virtualization>("virtualization", "vm unless said otherwise"),
    optional_field<&InstanceRow::name>("name", "the provider's spelling, where it is no id"),
    field<&InstanceRow::min_nodes>("min_nodes", "least number of instances sold"),
    field<&InstanceRow::min_term>("min_term", "least time that is charged, such as 730 h"),
    field<&InstanceRow::setup_fee>("setup_fee", "once per instance, such as 100 USD"),
    optional_field<&InstanceRow::tier>("tier", "secure, community, …"),
    field<&InstanceRow::gpu_memory>("gpu_memory", "of all GPUs, as the page states it"),
    field<&InstanceRow::gpu_memory_bandwidth>("gpu_memory_bandwidth",
                                              "of one GPU, as the page states it"),
    optional_field<&InstanceRow::gpu_peak>("gpu_peak", "of one GPU, as the page states it"),
    field<&InstanceRow::network_ports>("network_ports", "ports of the scale-out network"),
    field<&InstanceRow::power>("power", "of the whole instance, as the page states it"),
    optional_field<&InstanceRow::evidence>("evidence", "what shows that it is bare metal"),
    field<&InstanceRow::source>("source", "keys of 'sources'")};

struct RegionRow {
  RegionId id;
  std::string country;
  std::string continent;
  std::vector<std::string> compliance;
};
constexpr Field<RegionRow> kRegion[] = {
    field<&RegionRow::id>("id", "the provider's name of the region"),
    optional_field<&RegionRow::country>("country", "ISO 3166 alpha-2"),
    optional_field<&RegionRow::continent>("continent", "two letters"),
    field<&RegionRow::compliance>("compliance", "marks that hold in this region")};

struct ListedText {
  std::string literal;
  std::optional<units::ListedPrice> price;  // none: unknown
};

}  // namespace
}  // namespace gpusel::catalog

template <>
struct gpusel::data::ValueReader<gpusel::catalog::SpotTerms> {
  static constexpr ValueShape kShape{"record", "", {}};
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

namespace gpusel::catalog {
namespace {

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
constexpr Field<PriceRow> kPrice[] = {
    field<&PriceRow::instance>("instance", "id of an instance of this file"),
    field<&PriceRow::region>("region", "id of a region of this file, or unknown"),
    field<&PriceRow::purchase>("purchase", "way of buying"),
    field<&PriceRow::price>("price", "per instance and hour, or unknown"),
    field<&PriceRow::source>("source", "key of 'sources'"),
    field<&PriceRow::date>("date", "when the price held, where it differs from the source's date"),
    field<&PriceRow::confidence>("confidence", "where it differs from the source's"),
    optional_field<&PriceRow::zone>("zone", "availability zone")};

struct ShareText {
  std::optional<units::Ratio> share;  // none: unknown
};

}  // namespace
}  // namespace gpusel::catalog

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
namespace {

struct InterruptionRow {
  InstanceId instance;
  RegionId region;
  units::Ratio low;
  ShareText high;
  std::string source;
};
constexpr Field<InterruptionRow> kInterruption[] = {
    field<&InterruptionRow::instance>("instance", "id of an instance of this file"),
    field<&InterruptionRow::region>("region", "id of a region of this file"),
    field<&InterruptionRow::low>("low", "lower end of the monthly share reclaimed"),
    field<&InterruptionRow::high>("high", "upper end, or unknown"),
    field<&InterruptionRow::source>("source", "key of 'sources'")};

// Loads one provider file; ids are local to it.
class ProviderLoader {
 public:
  ProviderLoader(Catalog& catalog, const data::DataFile& file, diag::Sink& sink)
      : catalog_(catalog), loader_(catalog, file, sink), id_(file.id) {}

  // A provider with a fault of its own is loaded all the same, so that one run reports those of its
  // rows too.
  void load() {
    static constexpr std::string_view kOther[] = {
        "provider", "sources", "spot", "instances", "regions", "prices", "interruptions"};
    const data::NodeRef root = loader_.root();
    auto row = data::read_record<ProviderRow>(root, kProvider, loader_.reader(), kOther);
    if (!row) row.emplace();
    provider_ = static_cast<std::uint32_t>(catalog_.providers.size());
    Provider provider;
    provider.id = ProviderId(id_);
    provider.name = row->name;
    provider.country = row->country;
    provider.website = row->website;
    provider.billing_increment = row->billing_increment;
    provider.compliance = row->compliance;
    provider.kubernetes = row->kubernetes;
    provider.terraform = row->terraform;
    provider.instances_of = row->instances_of;
    provider.provenance = loader_.provenance(root, {});
    load_spot(provider);
    catalog_.providers.push_back(std::move(provider));
    load_regions();
    load_instances();
    load_prices();
    load_interruptions();
    add_unpriced();
  }

 private:
  using Index = std::unordered_map<std::string, std::uint32_t>;
  using Names = std::unordered_set<std::string>;

  void load_spot(Provider& provider) {
    const auto node = loader_.root().find("spot");
    if (!node) return;
    const auto spot = data::ValueReader<SpotTerms>::read(*node, loader_.reader().at("spot"));
    if (!spot) return;
    provider.spot_notice = spot->notice;
    provider.spot_kind = spot->kind;
    static_cast<void>(loader_.provenance(*node, spot->source));
  }

  void load_regions() {
    loader_.for_each("regions", [&](data::NodeRef node, const data::Reader& reader) {
      auto row = data::read_record<RegionRow>(node, kRegion, reader);
      if (!row) return remember_faulty(node, faulty_regions_);
      const auto index = static_cast<std::uint32_t>(catalog_.regions.size());
      if (!regions_.emplace(row->id.text(), index).second)
        return report_twin(node, reader, "region", row->id.text());
      catalog_.regions.push_back({provider_, row->id, row->country, row->continent, row->compliance,
                                  loader_.place_of(node)});
    });
  }

  void load_instances() {
    loader_.for_each("instances", [&](data::NodeRef node, const data::Reader& reader) {
      auto row = data::read_record<InstanceRow>(node, kInstance, reader);
      if (!row) return remember_faulty(node, faulty_instances_);
      const auto hardware = hardware_of(*row, node, reader);
      if (!hardware) return remember_faulty(node, faulty_instances_);
      const auto index = static_cast<std::uint32_t>(catalog_.instances.size());
      if (!instances_.emplace(row->id.text(), index).second) {
        return report_twin(node, reader, "instance", row->id.text());
      }
      Instance instance;
      instance.provider = provider_;
      instance.id = row->id;
      instance.name = row->name;
      instance.hardware = intern(*hardware);
      instance.min_nodes = std::max(row->min_nodes.value_or(1), 1);
      instance.min_term = row->min_term;
      instance.setup_fee = row->setup_fee;
      instance.tier = row->tier;
      instance.stated = {row->gpu_memory, row->gpu_memory_bandwidth,
                         row->gpu_peak,   row->network_ports,
                         row->power,      row->evidence};
      instance.provenance = loader_.provenance(node, row->source);
      catalog_.instances.push_back(std::move(instance));
    });
  }

  // The rows of an instance or region that was reported already are left out without a second
  // report.
  static void remember_faulty(data::NodeRef node, Names& faulty) {
    const auto id = node.find("id");
    if (id && id->is_scalar()) faulty.emplace(id->text());
  }

  std::optional<Hardware> hardware_of(const InstanceRow& row, data::NodeRef node,
                                      const data::Reader& reader) {
    Hardware h;
    h.count = row.count;
    h.vcpus = row.vcpus;
    h.memory = row.memory;
    h.local_disk = row.local_disk;
    h.network = row.network;
    h.virtualization = row.virtualization;
    if (row.gpu.has_value() != (row.count > 0)) {
      reader.error(
          "catalog/gpu-count", node.span(),
          row.gpu ? "an instance with a GPU needs 'count' of 1 or more" : "'count' without a 'gpu'",
          "write both 'gpu:' and 'count:', or neither for a CPU instance");
      return std::nullopt;
    }
    bool good = true;
    if (row.gpu) {
      h.gpu = find_by_id(catalog_.gpus, row.gpu->text());
      if (!h.gpu) good = report_unknown(node, reader, "gpu", row.gpu->text(), catalog_.gpu_names());
    }
    if (row.fabric) {
      h.fabric = find_by_id(catalog_.fabrics, row.fabric->text());
      std::vector<std::string> known;
      for (const Fabric& f : catalog_.fabrics) known.push_back(f.id.text());
      if (!h.fabric) good = report_unknown(node, reader, "fabric", row.fabric->text(), known);
    }
    if (!good) return std::nullopt;
    return h;
  }

  template <class T>
  static std::optional<std::uint32_t> find_by_id(const std::vector<T>& records,
                                                 const std::string& id) {
    const auto found =
        std::find_if(records.begin(), records.end(), [&](const T& r) { return r.id.text() == id; });
    if (found == records.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - records.begin());
  }

  bool report_unknown(data::NodeRef record, const data::Reader& reader, std::string_view key,
                      const std::string& id, const std::vector<std::string>& known) const {
    const auto node = record.find(key);
    reader.at(key).error("catalog/unknown-" + std::string(key), (node ? *node : record).span(),
                         "there is no " + std::string(key) + " '" + id + "'",
                         did_you_mean(id, known));
    return false;
  }

  void report_twin(data::NodeRef node, const data::Reader& reader, std::string_view what,
                   const std::string& id) const {
    reader.error("catalog/duplicate-name", node.span(),
                 std::string(what) + " '" + id + "' stands here a second time", "keep one of them");
  }

  // Equal hardware is one record, so that it is estimated once; searched from the end, where twins
  // lie.
  std::uint32_t intern(const Hardware& hardware) {
    const auto found = std::find(catalog_.hardware.rbegin(), catalog_.hardware.rend(), hardware);
    if (found != catalog_.hardware.rend()) {
      return static_cast<std::uint32_t>(catalog_.hardware.rend() - found) - 1;
    }
    catalog_.hardware.push_back(hardware);
    return static_cast<std::uint32_t>(catalog_.hardware.size()) - 1;
  }

  // The instance and region of a row; reports what is not in this file.
  bool resolve(const InstanceId& instance, const RegionId& region, data::NodeRef row,
               const data::Reader& reader, Offer& offer) {
    const auto i = instances_.find(instance.text());
    const auto r = regions_.find(region.text());
    if (i == instances_.end() && faulty_instances_.count(instance.text()) == 0) {
      report_row(row, reader, "instance", instance.text(), instances_);
    }
    const bool nowhere = r == regions_.end() && region.text() == "unknown";
    if (r == regions_.end() && !nowhere && faulty_regions_.count(region.text()) == 0) {
      report_row(row, reader, "region", region.text(), regions_);
    }
    if (i == instances_.end() || (r == regions_.end() && !nowhere)) return false;
    offer.instance = i->second;
    if (!nowhere) offer.region = r->second;
    return true;
  }

  static void report_row(data::NodeRef row, const data::Reader& reader, std::string_view what,
                         const std::string& id, const Index& known) {
    std::vector<std::string> names;
    for (const auto& [name, index] : known) names.push_back(name);
    std::sort(names.begin(), names.end());
    const std::string near = did_you_mean(id, names);
    data::NodeRef place = row;
    for (const data::NodeRef cell : row) {
      if (cell.text() == id) place = cell;
    }
    reader.error("catalog/unknown-" + std::string(what), place.span(),
                 "there is no " + std::string(what) + " '" + id + "' in this file",
                 near.empty() ? "add it under '" + std::string(what) + "s:'" : near);
  }

  void load_prices() {
    const auto table = loader_.root().find("prices");
    if (!table) return;
    const data::Reader reader = loader_.reader().at("prices");
    data::read_rows<PriceRow>(*table, kPrice, reader, [&](const PriceRow& row, data::NodeRef node) {
      Offer offer;
      offer.purchase = row.purchase;
      offer.zone = row.zone;
      if (!resolve(row.instance, row.region, node, reader, offer)) return;
      const std::string place = row.instance.text() + "/" + row.region.text();
      const std::string key =
          place + "/" + row.zone + "/" + std::string(data::name_of(row.purchase));
      if (!offers_.insert(key).second) return report_twin(node, reader, "the price of", key);
      if (row.purchase == Purchase::spot) {
        spot_[place].push_back(static_cast<std::uint32_t>(catalog_.offers.size()));
      }
      if (row.price.price) offer.price = price_of(row, node, reader);
      catalog_.offers.push_back(std::move(offer));
    });
  }

  std::optional<Price> price_of(const PriceRow& row, data::NodeRef node,
                                const data::Reader& reader) {
    Price price;
    price.listed = *row.price.price;
    price.literal = row.price.literal;
    price.provenance = loader_.provenance(node, {row.source});
    const Citation& citation = catalog_.citations[price.provenance.citation];
    price.date = row.date ? row.date : citation.date;
    price.confidence = row.confidence.value_or(citation.confidence);
    const auto usd = usd_per_unit(catalog_, price.listed.currency, price.date);
    if (!usd) {
      reader.error("catalog/no-exchange-rate", node.span(),
                   "there is no exchange rate for '" + price.listed.currency + "'",
                   "add rows for it to a file of kind 'rates'");
      return std::nullopt;
    }
    price.rate = units::usd_per_hour(price.listed.amount * *usd);
    return price;
  }

  void load_interruptions() {
    const auto table = loader_.root().find("interruptions");
    if (!table) return;
    const data::Reader reader = loader_.reader().at("interruptions");
    data::read_rows<InterruptionRow>(
        *table, kInterruption, reader, [&](const InterruptionRow& row, data::NodeRef node) {
          Offer place;
          if (!resolve(row.instance, row.region, node, reader, place)) return;
          Interruption interruption;
          interruption.low = row.low.value;
          if (row.high.share) interruption.high = row.high.share->value;
          interruption.provenance = loader_.provenance(node, {row.source});
          const auto found = spot_.find(row.instance.text() + "/" + row.region.text());
          if (found == spot_.end())
            return;  // published for a size whose spot price is not known here
          for (const std::uint32_t offer : found->second)
            catalog_.offers[offer].interruption = interruption;
        });
  }

  // An instance without a row is on offer somewhere, at a price that is not known.
  void add_unpriced() {
    std::vector<bool> seen(catalog_.instances.size(), false);
    for (const Offer& offer : catalog_.offers) seen[offer.instance] = true;
    for (std::uint32_t i = 0; i < catalog_.instances.size(); ++i) {
      if (seen[i] || catalog_.instances[i].provider != provider_) continue;
      Offer offer;
      offer.instance = i;
      catalog_.offers.push_back(offer);
    }
  }

  Catalog& catalog_;
  FileLoader loader_;
  std::string id_;
  std::uint32_t provider_ = 0;
  Index regions_;
  Index instances_;
  Names faulty_instances_;
  Names faulty_regions_;
  Names offers_;
  std::unordered_map<std::string, std::vector<std::uint32_t>>
      spot_;  // offers of `instance/region`, one per zone
};

}  // namespace

void load_providers(Catalog& catalog, data::DataSet& set, diag::Sink& sink) {
  for (const data::DataFile* file : set.files("provider"))
    ProviderLoader(catalog, *file, sink).load();
}

}  // namespace gpusel::catalog
