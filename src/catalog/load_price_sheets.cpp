// Price sheets: machine-made prices in CSV, a row per offer. A row replaces the price of the same
// offer or adds an offer of a known instance in a known region.
#include "offer_tables.h"
#include "price_maker.h"

#include "gpusel/base/suggest.h"
#include "gpusel/data/csv.h"

#include <algorithm>
#include <unordered_map>

namespace gpusel::catalog {
namespace {

constexpr data::CsvColumn kColumns[] = {{"provider", true}, {"instance", true}, {"region", true},
                                        {"price", true},    {"currency", true}, {"date", true},
                                        {"source", true},   {"zone"},           {"purchase"},
                                        {"term"},           {"confidence"}};

class SheetLoader {
 public:
  SheetLoader(Catalog& catalog, Patches& patches, diag::Sink& sink)
      : catalog_(catalog), maker_(catalog, patches), sink_(sink) {
    for (std::uint32_t i = 0; i < catalog.instances.size(); ++i) {
      const Instance& instance = catalog.instances[i];
      instances_.emplace(provider_text(instance.provider) + "/" + instance.id.text(), i);
    }
    for (std::uint32_t i = 0; i < catalog.regions.size(); ++i) {
      const Region& region = catalog.regions[i];
      regions_.emplace(provider_text(region.provider) + "/" + region.id.text(), i);
    }
    for (std::uint32_t i = 0; i < catalog.offers.size(); ++i)
      offers_.emplace(key_of(catalog.offers[i]), i);
  }

  void load(const data::DataFile& file) {
    auto table = data::CsvReader::open(file.source, kColumns, data::UnknownColumns::refuse, sink_);
    if (!table) return;
    file_ = static_cast<std::uint32_t>(catalog_.files.size());
    catalog_.files.push_back(file.source);
    catalog_.documents.emplace_back();
    while (const data::CsvRow* row = table->next()) load_row(*row);
  }

 private:
  [[nodiscard]] std::string provider_text(std::uint32_t provider) const {
    return catalog_.providers[provider].id.text();
  }

  static std::string key_of(const Offer& offer) {
    return std::to_string(offer.instance) + "/" +
           std::to_string(offer.region.value_or(UINT32_MAX)) + "/" + offer.zone + "/" +
           std::string(data::name_of(offer.purchase));
  }

  void load_row(const data::CsvRow& row) {
    Offer offer;
    const auto instance = find(row, "instance", instances_);
    const auto purchase = read_purchase(row);
    const auto listed = read_price(row);
    if (!instance || !purchase || !listed) return;
    offer.instance = *instance;
    offer.purchase = *purchase;
    offer.zone = std::string(row.text("zone"));
    if (row.text("region") != "unknown") {
      offer.region = find(row, "region", regions_);
      if (!offer.region) return;
    }
    const data::Reader reader(sink_, "$");
    offer.price = maker_.make(offer, *listed, row.span("price"), reader);
    const auto [at, fresh] =
        offers_.emplace(key_of(offer), static_cast<std::uint32_t>(catalog_.offers.size()));
    if (fresh) {
      catalog_.offers.push_back(std::move(offer));
    } else {
      catalog_.offers[at->second].price = offer.price;
    }
  }

  using Index = std::unordered_map<std::string, std::uint32_t>;

  std::optional<std::uint32_t> find(const data::CsvRow& row, std::string_view column,
                                    const Index& known) {
    const std::string provider(row.text("provider"));
    const std::string name(row.text(column));
    const auto found = known.find(provider + "/" + name);
    if (found != known.end()) return found->second;
    std::vector<std::string> names;
    for (const auto& [path, index] : known) {
      if (path.starts_with(provider + "/")) names.push_back(path.substr(provider.size() + 1));
    }
    std::sort(names.begin(), names.end());
    row.report(
        column, "catalog/unknown-" + std::string(column),
        Error{"provider '" + provider + "' has no " + std::string(column) + " '" + name + "'",
              names.empty() ? "add the provider's file first" : did_you_mean(name, names), 0,
              name.size()},
        sink_);
    return std::nullopt;
  }

  // `reserved` with a term of 1y is `reserved-1y`; nothing is on demand.
  std::optional<Purchase> read_purchase(const data::CsvRow& row) {
    std::string text(row.text("purchase"));
    if (text.empty()) text = "on-demand";
    if (text == "reserved" && !row.empty("term")) text += "-" + std::string(row.text("term"));
    return read_choice<Purchase>(row, "purchase", text);
  }

  template <class E>
  std::optional<E> read_choice(const data::CsvRow& row, std::string_view column,
                               std::string_view text) {
    if (const auto value = data::enum_of<E>(text)) return value;
    std::vector<std::string> names;
    for (const auto& [name, value] : data::EnumNames<E>::kNames) names.emplace_back(name);
    row.report(column, "data/unknown-choice",
               Error{"'" + std::string(text) + "' is not one of " + quoted_list(names),
                     did_you_mean(text, names), 0, text.size()},
               sink_);
    return std::nullopt;
  }

  std::optional<ListedRow> read_price(const data::CsvRow& row) {
    ListedRow listed;
    listed.provenance = provenance_of(row);
    listed.date = row.convert<Date>("date", "data/bad-date", &Date::parse, sink_);
    if (const std::string_view text = row.text("confidence"); !text.empty()) {
      listed.confidence = read_choice<Confidence>(row, "confidence", text);
      if (!listed.confidence) return std::nullopt;
    }
    const std::string_view amount = row.text("price");
    listed.price.literal = std::string(amount);
    if (amount == "unknown") return listed;
    listed.price.literal += " " + std::string(row.text("currency")) + "/h";
    const Result<units::ListedPrice> price = units::parse_listed_price(listed.price.literal);
    if (!price) {
      row.report("price", "data/bad-quantity", price.error(), sink_);
      return std::nullopt;
    }
    listed.price.price = *price;
    return listed.date ? std::optional(listed) : std::nullopt;
  }

  // One citation per source that the sheet names.
  Provenance provenance_of(const data::CsvRow& row) {
    Provenance result;
    result.file = file_;
    result.line = static_cast<std::uint32_t>(row.line());
    const auto next = static_cast<std::uint32_t>(catalog_.citations.size());
    const auto [at, fresh] = citations_.emplace(row.text("source"), next);
    if (fresh) {
      Citation citation;
      citation.url = std::string(row.text("source"));
      catalog_.citations.push_back(std::move(citation));
      catalog_.citation_places.push_back({std::string(row.text("source")), result, true});
    }
    result.citation = at->second;
    return result;
  }

  Catalog& catalog_;
  PriceMaker maker_;
  diag::Sink& sink_;
  std::uint32_t file_ = 0;
  Index instances_;
  Index regions_;
  Index offers_;
  Index citations_;
};

}  // namespace

void load_price_sheets(Catalog& catalog, data::DataSet& set, Patches& patches, diag::Sink& sink) {
  const std::vector<const data::DataFile*> sheets = set.sheets();
  if (sheets.empty()) return;
  SheetLoader loader(catalog, patches, sink);
  for (const data::DataFile* sheet : sheets) loader.load(*sheet);
  sort_offers(catalog.offers);
}

}  // namespace gpusel::catalog
