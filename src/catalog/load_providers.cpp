#include "offer_tables.h"
#include "price_maker.h"

#include "gpusel/base/suggest.h"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <unordered_set>

namespace gpusel::catalog {
namespace {

constexpr data::FilePart kProviderParts[] = {
    kSourcesPart,
    {"tariffs", "what data costs", data::FilePart::Form::list, &data::key_shapes<kTariff>},
    {"instances", "what is sold", data::FilePart::Form::list, &data::key_shapes<kInstance>},
    {"regions", "where it is sold", data::FilePart::Form::list, &data::key_shapes<kRegion>},
    {"prices", "one row per instance, region and way of buying", data::FilePart::Form::table,
     &data::key_shapes<kPrice>},
    {"interruptions", "published shares of spot instances reclaimed in a month",
     data::FilePart::Form::table, &data::key_shapes<kInterruption>}};

// Loads one provider file; ids are local to it.
class ProviderLoader {
 public:
  ProviderLoader(Catalog& catalog, const data::DataFile& file, HardwareIndex& hardware,
                 Patches& patches, diag::Sink& sink)
      : catalog_(catalog),
        loader_(catalog, file, sink),
        hardware_(hardware),
        patches_(patches),
        maker_(catalog, patches),
        id_(file.id) {}

  // A provider with a fault of its own is loaded all the same, so that one run reports those of its
  // rows too.
  void load() {
    const data::NodeRef root = loader_.root();
    auto row = data::read_record<ProviderRow>(root, kProvider, loader_.reader(),
                                              data::other_keys(kProviderShape));
    if (!row) row.emplace();
    patch(PatchOn::provider, {.provider = id_}, id_, *row, kProvider, root);
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
    provider.instances_of = row->instances_of;
    provider.provenance = loader_.provenance(root, {});
    if (row->spot) take_spot(*row->spot, *root.find("spot"), provider);
    load_tariffs(provider);
    catalog_.providers.push_back(std::move(provider));
    first_instance_ = static_cast<std::uint32_t>(catalog_.instances.size());
    first_offer_ = catalog_.offers.size();
    load_regions();
    load_instances();
    load_prices();
    load_interruptions();
    add_unpriced();
    sort_offers(std::span(catalog_.offers).subspan(first_offer_));
  }

 private:
  using Index = std::unordered_map<std::string, std::uint32_t>;
  using Names = std::unordered_set<std::string>;

  template <class Row, std::size_t N>
  void patch(PatchOn on, const RecordNames& names, const std::string& record, Row& row,
             const data::Field<Row> (&fields)[N], data::NodeRef node) {
    if (!patches_.any(on)) return;
    patches_.apply(on, names, record, row, fields,
                   [&](std::string_view key) { return text_at(node, key); });
  }

  void take_spot(const SpotTerms& spot, data::NodeRef node, Provider& provider) {
    provider.spot_notice = spot.notice;
    provider.spot_kind = spot.kind;
    static_cast<void>(loader_.provenance(node, spot.source));
  }

  void load_tariffs(Provider& provider) {
    loader_.for_each("tariffs", [&](data::NodeRef node, const data::Reader& reader) {
      const auto row = data::read_record<TariffRow>(node, kTariff, reader);
      if (!row) return;
      const bool leaves = row->what == TariffKind::egress;
      if (row->per_gb.has_value() != leaves || row->per_gb_month.has_value() == leaves) {
        return reader.error("catalog/bad-tariff", node.span(),
                            leaves ? "egress has a price per GB" : "storage has a price per month",
                            leaves ? "write 'per_gb: 0.09 USD/GB' alone"
                                   : "write 'per_gb_month: 0.08 USD/GB-month' alone");
      }
      provider.tariffs.push_back({row->what, row->per_gb, row->per_gb_month, row->region,
                                  row->product, loader_.provenance(node, row->source)});
    });
  }

  void load_regions() {
    loader_.for_each("regions", [&](data::NodeRef node, const data::Reader& reader) {
      auto row = data::read_record<RegionRow>(node, kRegion, reader);
      if (!row) return remember_faulty(node, faulty_regions_);
      patch(PatchOn::region, {.provider = id_, .region = row->id.text()},
            id_ + "/region/" + row->id.text(), *row, kRegion, node);
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
      patch(PatchOn::instance,
            {.provider = id_,
             .instance = row->id.text(),
             .gpu = row->gpu ? std::string_view(row->gpu->text()) : std::string_view()},
            id_ + "/" + row->id.text(), *row, kInstance, node);
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
      if (!h.fabric) {
        std::vector<std::string> known;
        for (const Fabric& f : catalog_.fabrics) known.push_back(f.id.text());
        good = report_unknown(node, reader, "fabric", row.fabric->text(), known);
      }
    }
    if (!good) return std::nullopt;
    return h;
  }

  // The records are sorted by id, as their files are.
  template <class T>
  static std::optional<std::uint32_t> find_by_id(const std::vector<T>& records,
                                                 const std::string& id) {
    const auto found = std::lower_bound(
        records.begin(), records.end(), id,
        [](const T& r, const std::string& wanted) { return r.id.text() < wanted; });
    if (found == records.end() || found->id.text() != id) return std::nullopt;
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

  // Equal hardware is one record, so that it is estimated once.
  std::uint32_t intern(const Hardware& hardware) {
    const auto next = static_cast<std::uint32_t>(catalog_.hardware.size());
    const auto [found, fresh] = hardware_.emplace(hardware, next);
    if (fresh) catalog_.hardware.push_back(hardware);
    return found->second;
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
      std::vector<std::uint32_t>& same_place = offers_[place_of(offer)];
      if (has_twin(offer, same_place)) {
        return report_twin(node, reader, "the price of",
                           row.instance.text() + "/" + row.region.text() + "/" + row.zone + "/" +
                               std::string(data::name_of(row.purchase)));
      }
      same_place.push_back(static_cast<std::uint32_t>(catalog_.offers.size()));
      offer.price = maker_.make(
          offer, {row.price, loader_.provenance(node, {&row.source, 1}), row.date, row.confidence},
          node.span(), reader);
      catalog_.offers.push_back(std::move(offer));
    });
  }

  // An instance in a region, as one number: a file has thousands of rows.
  static std::uint64_t place_of(const Offer& offer) {
    constexpr unsigned kRegionBits = 32;
    return (std::uint64_t{offer.instance} << kRegionBits) | offer.region.value_or(UINT32_MAX);
  }

  [[nodiscard]] bool has_twin(const Offer& offer, const std::vector<std::uint32_t>& others) const {
    return std::any_of(others.begin(), others.end(), [&](std::uint32_t index) {
      const Offer& other = catalog_.offers[index];
      return other.purchase == offer.purchase && other.zone == offer.zone;
    });
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
          interruption.provenance = loader_.provenance(node, {&row.source, 1});
          // None is on offer where the spot price of the size is not known.
          for (const std::uint32_t index : offers_[place_of(place)]) {
            Offer& offer = catalog_.offers[index];
            if (offer.purchase == Purchase::spot) offer.interruption = interruption;
          }
        });
  }

  // An instance without a row is on offer somewhere, at a price that is not known.
  void add_unpriced() {
    std::vector<bool> seen(catalog_.instances.size(), false);
    for (std::size_t i = first_offer_; i < catalog_.offers.size(); ++i)
      seen[catalog_.offers[i].instance] = true;
    for (std::uint32_t i = first_instance_; i < catalog_.instances.size(); ++i) {
      if (seen[i]) continue;
      Offer offer;
      offer.instance = i;
      catalog_.offers.push_back(offer);
    }
  }

  Catalog& catalog_;
  FileLoader loader_;
  HardwareIndex& hardware_;
  Patches& patches_;
  PriceMaker maker_;
  std::string id_;
  std::uint32_t provider_ = 0;
  std::uint32_t first_instance_ = 0;
  std::size_t first_offer_ = 0;
  Index regions_;
  Index instances_;
  Names faulty_instances_;
  Names faulty_regions_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> offers_;  // by place_of
};

}  // namespace

constinit const data::FileShape kProviderShape{"provider",
                                               "what a provider sells, where and at what price",
                                               &data::key_shapes<kProvider>, kProviderParts};

void load_providers(Catalog& catalog, data::DataSet& set, Patches& patches, diag::Sink& sink) {
  reserve_offers(catalog, set);
  HardwareIndex hardware;
  set.visit("provider", [&](const data::DataFile& file) {
    ProviderLoader(catalog, file, hardware, patches, sink).load();
  });
}

}  // namespace gpusel::catalog
