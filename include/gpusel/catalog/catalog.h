// Catalog: everything on offer, immutable after loading.
//
//   Catalog catalog = load_catalog(data_set, sink);   // always a catalog; bad entries are left out
//   and reported
#pragma once

#include "gpusel/catalog/gpu.h"
#include "gpusel/catalog/lint.h"
#include "gpusel/catalog/offer.h"
#include "gpusel/catalog/provenance.h"
#include "gpusel/data/data_set.h"
#include "gpusel/data/file_shape.h"
#include "gpusel/diag/code.h"
#include "gpusel/diag/diagnostic.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpusel::catalog {

/// US dollars for one unit of a currency, in a month.
struct ExchangeRate {
  std::string currency;
  Date month;
  double usd = 0;
};

/// Whether a catalog keeps the documents that it was read from: checks point at single cells, other
/// commands need none of that memory.
enum class Keep { figures, documents };

struct Catalog {
  Keep keep = Keep::figures;
  std::vector<Gpu> gpus;  // sorted by id
  std::vector<Curves> curves;
  std::vector<Fabric> fabrics;
  std::vector<Provider> providers;  // sorted by id
  std::vector<Region> regions;
  std::vector<Instance> instances;  // by provider, as its file lists them
  std::vector<Hardware> hardware;   // unique
  std::vector<Offer> offers;  // by instance, region, zone, purchase; regions as files list them
  std::vector<ExchangeRate> exchange;
  std::vector<Citation> citations;
  std::vector<PatchMark> patched;              // in the order of loading
  std::vector<CitationPlace> citation_places;  // of each citation; the first has none
  std::vector<Family> families;
  std::vector<KnownNotice> notices;
  std::vector<PeakException> peak_exceptions;
  std::vector<diag::SourcePtr> files;
  std::vector<std::shared_ptr<const data::Document>> documents;  // of each file, if kept
  std::vector<std::string> roots;                                // as shown, lowest first
  std::string fingerprint;

  [[nodiscard]] const Instance& instance_of(const Offer& o) const { return instances[o.instance]; }
  [[nodiscard]] const Provider& provider_of(const Offer& o) const {
    return providers[instance_of(o).provider];
  }
  [[nodiscard]] const Hardware& hardware_of(const Offer& o) const {
    return hardware[instance_of(o).hardware];
  }
  [[nodiscard]] const Gpu* gpu_of(const Hardware& h) const {
    return h.gpu ? &gpus[*h.gpu] : nullptr;
  }
  [[nodiscard]] const Fabric* fabric_of(const Hardware& h) const {
    return h.fabric ? &fabrics[*h.fabric] : nullptr;
  }
  [[nodiscard]] const Curves* curves_of(const Gpu& gpu) const;
  /// `provider/instance/region[/zone]/purchase`
  [[nodiscard]] std::string id_of(const Offer& offer) const;
  /// The patches that touched a record: an offer with its instance, region, provider and GPU.
  [[nodiscard]] std::vector<const PatchMark*> patches_of(const Offer& offer) const;
  [[nodiscard]] std::vector<const PatchMark*> patches_of(const Gpu& gpu) const;
  /// Of an instance (`provider/instance`; empty: none) and its GPU.
  [[nodiscard]] std::vector<const PatchMark*> patches_of(const std::string& instance,
                                                         const Hardware& hardware) const;
  /// The place of a record, for diagnostics.
  [[nodiscard]] diag::Span span_of(const Provenance& provenance) const;
  /// The place of a key's value in a record, or of the record where it lacks the key.
  [[nodiscard]] diag::Span span_of(const Provenance& provenance, std::string_view key) const;
  /// The place of a cell with this text in a row of a table, or of the row.
  [[nodiscard]] diag::Span span_of_cell(const Provenance& row, std::string_view text) const;
  [[nodiscard]] std::optional<Date> newest_price() const;
  [[nodiscard]] std::optional<Date> oldest_price() const;

  /// The GPUs that a name means: one for an id or alias, every member for a family (`h100`,
  /// `nvidia-h100`), none for an unknown name. Case is ignored.
  [[nodiscard]] std::vector<std::uint32_t> gpus_named(std::string_view name) const;
  /// Every id, alias and family, for suggestions.
  [[nodiscard]] std::vector<std::string> gpu_names() const;
  /// The instances that a name means: `aws/p5.48xlarge`, `p5.48xlarge`, or an offer's id.
  [[nodiscard]] std::vector<std::uint32_t> instances_named(std::string_view name) const;
};

/// Loads gpus, curves, fabrics, rates and providers of the set.
Catalog load_catalog(data::DataSet& set, diag::Sink& sink, Keep keep = Keep::figures);

/// The kinds of data files that the catalog reads.
std::span<const data::FileShape* const> file_shapes();

/// Adds what `catalog check` alone knows: files of kind `lint`.
void load_lint(Catalog& catalog, data::DataSet& set, diag::Sink& sink);

/// What a check looks at.
struct CheckContext {
  const Catalog& catalog;
  Date as_of;
};

/// One group of checks over a whole catalog; a constant in `check_<group>.cpp`, found by the
/// registry.
struct Check {
  std::string_view id;
  std::string_view summary;
  std::span<const diag::CodeInfo> codes;  // all that it can report
  void (*run)(const CheckContext&, diag::Sink&);
};
std::span<const Check* const> checks();

/// The codes that loading a catalog can report, beside those of the data layer.
diag::CodeTable loader_codes();

/// Runs every check.
void check_catalog(const CheckContext& context, diag::Sink& sink);

}  // namespace gpusel::catalog
