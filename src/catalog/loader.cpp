#include "loader.h"

#include "gpusel/base/suggest.h"
#include "gpusel/catalog/sources.h"

#include <algorithm>

namespace gpusel::catalog {

FileLoader::FileLoader(Catalog& catalog, const data::DataFile& file, diag::Sink& sink)
    : catalog_(catalog),
      file_(file),
      reader_(sink, "$"),
      file_index_(static_cast<std::uint32_t>(catalog.files.size())) {
  catalog.files.push_back(file.source);
  catalog.documents.push_back(catalog.keep == Keep::documents ? file.document : nullptr);
  load_sources();
}

void FileLoader::load_sources() {
  const auto sources = root().find("sources");
  if (!sources) return;
  const data::Reader reader = reader_.at("sources");
  if (!sources->is_map()) {
    reader.error("data/wrong-kind", sources->span(),
                 "expected a map of sources, found " + sources->describe(),
                 "write 'name: {url: …, date: …, confidence: …}'");
    return;
  }
  for (auto it = sources->begin(); it != sources->end(); ++it) {
    const std::string key(it.key().text());
    auto citation = data::read_record<Citation>(*it, kCitationFields, reader.at(key));
    // A faulty source is remembered too, so that its users are not reported as well.
    keys_.emplace(key, static_cast<std::uint32_t>(catalog_.citations.size()));
    catalog_.citation_places.push_back({key, place_of(*it), false});
    catalog_.citations.push_back(citation ? std::move(*citation) : Citation{});
  }
}

Provenance FileLoader::place_of(data::NodeRef record) const {
  return {0, file_index_, static_cast<std::uint32_t>(record.span().line),
          static_cast<std::uint32_t>(record.index())};
}

Provenance FileLoader::provenance(data::NodeRef record, std::span<const std::string> source) {
  Provenance result = place_of(record);
  bool first = true;
  for (const std::string& key : source) {
    const auto found = keys_.find(key);
    if (found != keys_.end()) catalog_.citation_places[found->second].used = true;
    if (found == keys_.end()) {
      std::vector<std::string> known;
      for (const auto& [name, index] : keys_) known.push_back(name);
      const std::string near = did_you_mean(key, known);
      reader_.error("catalog/unknown-source", record.span(),
                    "source '" + key + "' is not under 'sources' of this file",
                    near.empty() ? "add it under 'sources:' with url, date and confidence" : near);
    } else if (first) {
      result.citation = found->second;
      first = false;
    }
  }
  return result;
}

std::span<const data::FileShape* const> file_shapes() {
  static constexpr const data::FileShape* kAll[] = {&kCurvesShape, &kFabricShape, &kGpusShape,
                                                    &kLintShape,   &kPatchShape,  &kProviderShape,
                                                    &kRatesShape};
  return kAll;
}

std::string text_at(data::NodeRef record, std::string_view key) {
  const std::optional<data::NodeRef> value = record.find(key);
  if (!value) return {};
  return value->is_scalar() ? std::string(value->text()) : value->describe();
}

std::optional<double> usd_per_unit(const Catalog& catalog, std::string_view currency,
                                   const std::optional<Date>& day) {
  if (currency == "USD") return 1.0;
  const ExchangeRate* best = nullptr;
  const ExchangeRate* oldest = nullptr;
  for (const ExchangeRate& rate : catalog.exchange) {
    if (rate.currency != currency) continue;
    if (oldest == nullptr || rate.month < oldest->month) oldest = &rate;
    const bool usable = !day || rate.month <= *day;
    if (usable && (best == nullptr || best->month < rate.month)) best = &rate;
  }
  if (best == nullptr) best = oldest;
  if (best == nullptr) return std::nullopt;
  return best->usd;
}

}  // namespace gpusel::catalog
