// Shared parts of the catalog's loaders.
#pragma once

#include "gpusel/catalog/catalog.h"
#include "gpusel/data/file_shape.h"

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace gpusel::catalog {

/// The sources of one data file by key, as indices into Catalog::citations.
using SourceKeys = std::map<std::string, std::uint32_t, std::less<>>;

/// Loads one file: its sources, then what follows.
class FileLoader {
 public:
  FileLoader(Catalog& catalog, const data::DataFile& file, diag::Sink& sink);

  [[nodiscard]] data::NodeRef root() const { return file_.document->root(); }
  [[nodiscard]] const data::Reader& reader() const { return reader_; }
  [[nodiscard]] Catalog& catalog() { return catalog_; }
  /// Where a record stands, without its source.
  [[nodiscard]] Provenance place_of(data::NodeRef record) const;
  /// The provenance of a record by its source keys (the first is the main one); an unknown key is
  /// reported.
  [[nodiscard]] Provenance provenance(data::NodeRef record, std::span<const std::string> source);
  /// Calls `each(node, reader)` for every element of the list at a key; a key that is missing is an
  /// empty list.
  template <class F>
  void for_each(std::string_view key, F&& each) {
    const auto list = root().find(key);
    if (!list) return;
    if (!list->is_list()) {
      reader_.at(key).error("data/wrong-kind", list->span(),
                            "expected a list, found " + list->describe(),
                            "begin each entry with '- '");
      return;
    }
    std::size_t index = 0;
    for (const data::NodeRef entry : *list) each(entry, reader_.at(key).at(index++));
  }

 private:
  void load_sources();

  Catalog& catalog_;
  const data::DataFile& file_;
  data::Reader reader_;
  std::uint32_t file_index_;
  SourceKeys keys_;
};

extern const data::FileShape kCurvesShape;
extern const data::FileShape kFabricShape;
extern const data::FileShape kGpusShape;
extern const data::FileShape kLintShape;
extern const data::FileShape kPatchShape;
extern const data::FileShape kProviderShape;
extern const data::FileShape kRatesShape;

/// The keys of a GPU, for patches.
std::vector<data::KeyShape> gpu_keys();

class Patches;
/// One key per number format.
std::vector<data::KeyShape> peak_keys();

void load_gpus(Catalog& catalog, data::DataSet& set, Patches& patches, diag::Sink& sink);
void load_fabrics(Catalog& catalog, data::DataSet& set, diag::Sink& sink);
void load_rates(Catalog& catalog, data::DataSet& set, diag::Sink& sink);
void load_providers(Catalog& catalog, data::DataSet& set, Patches& patches, diag::Sink& sink);

void load_price_sheets(Catalog& catalog, data::DataSet& set, Patches& patches, diag::Sink& sink);

/// The text of a key as its file has it; empty where it is not there.
std::string text_at(data::NodeRef record, std::string_view key);

/// US dollars for one unit of a currency on a day: the newest monthly rate not after the day's
/// month, else the oldest there is; nullopt for a currency without a rate.
std::optional<double> usd_per_unit(const Catalog& catalog, std::string_view currency,
                                   const std::optional<Date>& day);

}  // namespace gpusel::catalog

template <>
struct gpusel::data::ValueReader<gpusel::catalog::Peaks> {
  static constexpr ValueShape kShape{
      "peak rates", kNoExample, {}, ValueType::record, &gpusel::catalog::peak_keys};
  static std::optional<gpusel::catalog::Peaks> read(NodeRef node, const Reader& reader);
};
template <>
struct gpusel::data::ValueReader<gpusel::catalog::NetworkPorts> {
  static constexpr ValueShape kShape{"ports", "8 x 400 Gbps NDR", {}};
  static std::optional<gpusel::catalog::NetworkPorts> read(NodeRef node, const Reader& reader);
};
