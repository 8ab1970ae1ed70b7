#include "gpusel/catalog/catalog.h"

#include "loader.h"
#include "patches.h"

#include "gpusel/base/text.h"

#include <algorithm>

namespace gpusel::catalog {

const Curves* Catalog::curves_of(const Gpu& gpu) const {
  const auto found = std::find_if(curves.begin(), curves.end(),
                                  [&](const Curves& c) { return c.id == gpu.curves; });
  return found == curves.end() ? nullptr : &*found;
}

std::string Catalog::id_of(const Offer& offer) const {
  std::string id = provider_of(offer).id.text() + "/" + instance_of(offer).id.text() + "/";
  id += offer.region ? regions[*offer.region].id.text() : "unknown";
  if (!offer.zone.empty()) id += "/" + offer.zone;
  return id + "/" + std::string(data::name_of(offer.purchase));
}

namespace {

std::vector<const PatchMark*> marks_of(const std::vector<PatchMark>& all,
                                       std::initializer_list<std::string> records) {
  std::vector<const PatchMark*> found;
  for (const PatchMark& mark : all) {
    if (std::find(records.begin(), records.end(), mark.record) != records.end())
      found.push_back(&mark);
  }
  return found;
}

}  // namespace

std::vector<const PatchMark*> Catalog::patches_of(const Offer& offer) const {
  if (patched.empty()) return {};
  const std::string provider = provider_of(offer).id.text();
  const Gpu* gpu = gpu_of(hardware_of(offer));
  const std::string region = offer.region ? regions[*offer.region].id.text() : "unknown";
  return marks_of(patched, {id_of(offer), provider, provider + "/" + instance_of(offer).id.text(),
                            provider + "/region/" + region, gpu == nullptr ? "" : gpu->id.text()});
}

std::vector<const PatchMark*> Catalog::patches_of(const std::string& instance,
                                                  const Hardware& h) const {
  const Gpu* gpu = gpu_of(h);
  return marks_of(patched, {instance, gpu == nullptr ? "" : gpu->id.text()});
}

std::vector<const PatchMark*> Catalog::patches_of(const Gpu& gpu) const {
  return marks_of(patched, {gpu.id.text()});
}

diag::Span Catalog::span_of(const Provenance& provenance) const {
  if (provenance.file >= files.size()) return {};
  diag::Span span{files[provenance.file], provenance.line, 1, 1};
  const std::string_view line = diag::line_text(*span.source, span.line);
  const std::size_t first = line.find_first_not_of(' ');
  if (first != std::string_view::npos) span.column = first + 1;
  return span;
}

diag::Span Catalog::span_of(const Provenance& provenance, std::string_view key) const {
  const auto document = provenance.file < documents.size() ? documents[provenance.file] : nullptr;
  if (document != nullptr) {
    const data::NodeRef record(*document, provenance.node);
    const auto value = record.find(key);
    if (value) return value->span();
  }
  return span_of(provenance);
}

diag::Span Catalog::span_of_cell(const Provenance& row, std::string_view text) const {
  const auto document = row.file < documents.size() ? documents[row.file] : nullptr;
  if (document != nullptr) {
    const data::NodeRef record(*document, row.node);
    if (record.is_list()) {
      for (const data::NodeRef cell : record) {
        if (cell.is_scalar() && cell.text() == text) return cell.span();
      }
    }
  }
  return span_of(row);
}

namespace {

template <class F>
std::optional<Date> price_date(const Catalog& catalog, F&& better) {
  std::optional<Date> best;
  for (const Offer& offer : catalog.offers) {
    if (!offer.price || !offer.price->date) continue;
    if (!best || better(*offer.price->date, *best)) best = offer.price->date;
  }
  return best;
}

}  // namespace

std::optional<Date> Catalog::newest_price() const {
  return price_date(*this, [](Date a, Date b) { return b < a; });
}
std::optional<Date> Catalog::oldest_price() const {
  return price_date(*this, [](Date a, Date b) { return a < b; });
}

std::vector<std::uint32_t> Catalog::gpus_named(std::string_view name) const {
  // People write "RTX 4090" for rtx-4090.
  const std::string lower = replace_all(to_lower(name), ' ', '-');
  std::vector<std::uint32_t> members;
  for (std::uint32_t i = 0; i < gpus.size(); ++i) {
    const Gpu& gpu = gpus[i];
    const auto is = [&](std::string_view own) { return to_lower(own) == lower; };
    if (is(gpu.id.text()) || std::any_of(gpu.aliases.begin(), gpu.aliases.end(), is)) return {i};
    const bool family =
        !gpu.family.empty() && (is(gpu.family) || is(gpu.vendor + "-" + gpu.family));
    if (family) members.push_back(i);
  }
  return members;
}

std::vector<std::string> Catalog::gpu_names() const {
  std::vector<std::string> names;
  for (const Gpu& gpu : gpus) {
    names.push_back(gpu.id.text());
    names.insert(names.end(), gpu.aliases.begin(), gpu.aliases.end());
    if (!gpu.family.empty()) names.push_back(gpu.family);
  }
  return names;
}

std::vector<std::uint32_t> Catalog::instances_named(std::string_view name) const {
  const std::vector<std::string_view> parts = split(name, '/');
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < instances.size(); ++i) {
    const std::string& provider = providers[instances[i].provider].id.text();
    const std::string& id = instances[i].id.text();
    const bool match = parts.size() == 1 ? id == name : provider == parts[0] && id == parts[1];
    if (match) found.push_back(i);
  }
  return found;
}

Catalog load_catalog(data::DataSet& set, diag::Sink& sink, Keep keep) {
  Catalog catalog;
  catalog.keep = keep;
  for (const data::Root& root : set.roots()) catalog.roots.push_back(root.shown());
  // Citation 0 is that of records without a source.
  catalog.citations.emplace_back();
  catalog.citation_places.emplace_back();
  Patches patches(catalog, set, sink);
  load_gpus(catalog, set, patches, sink);
  load_fabrics(catalog, set, sink);
  load_rates(catalog, set, sink);
  load_providers(catalog, set, patches, sink);
  load_price_sheets(catalog, set, patches, sink);
  patches.report_unused();
  catalog.fingerprint = set.fingerprint();
  return catalog;
}

void check_catalog(const CheckContext& context, diag::Sink& sink) {
  for (const Check* check : checks()) check->run(context, sink);
}

}  // namespace gpusel::catalog
