#include "loader.h"

#include "gpusel/catalog/sources.h"

namespace gpusel::catalog {
namespace {

using data::field;
using data::Field;

constexpr Field<Fabric> kFabric[] = {
    field<&Fabric::name>("name", "the vendor's name"),
    field<&Fabric::gpu_direct>("gpu_direct", "moves GPU memory without the host"),
    field<&Fabric::latency>("latency", "of one hop, software included"),
    field<&Fabric::efficiency>("efficiency",
                               "achieved share of the nominal rate on large messages"),
    field<&Fabric::source>("source", "keys of 'sources'")};

struct ExchangeRow {
  std::string currency;
  Date month;
  double usd_per_unit = 0;
  std::string source;
};
constexpr Field<ExchangeRow> kExchange[] = {
    field<&ExchangeRow::currency>("currency", "ISO 4217", "EUR"),
    field<&ExchangeRow::month>("month", "first day of the month"),
    field<&ExchangeRow::usd_per_unit>("usd_per_unit", "US dollars for one unit"),
    field<&ExchangeRow::source>("source", "key of 'sources'", "price-page")};

constexpr data::FilePart kFabricParts[] = {kSourcesPart};
constexpr data::FilePart kRatesParts[] = {
    kSourcesPart,
    {"exchange", "exchange rates by month", data::FilePart::Form::table,
     &data::key_shapes<kExchange>}};

}  // namespace

constinit const data::FileShape kFabricShape{"fabric", "a network between nodes",
                                             &data::key_shapes<kFabric>, kFabricParts};
constinit const data::FileShape kRatesShape{"rates", "exchange rates", nullptr, kRatesParts};

void load_fabrics(Catalog& catalog, data::DataSet& set, diag::Sink& sink) {
  const std::vector<std::string_view> other = data::other_keys(kFabricShape);
  for (const data::DataFile* file : set.files("fabric")) {
    FileLoader loader(catalog, *file, sink);
    auto fabric = data::read_record<Fabric>(loader.root(), kFabric, loader.reader(), other);
    if (!fabric) continue;
    fabric->id = FabricId(file->id);
    fabric->provenance = loader.provenance(loader.root(), fabric->source);
    catalog.fabrics.push_back(std::move(*fabric));
  }
}

void load_rates(Catalog& catalog, data::DataSet& set, diag::Sink& sink) {
  for (const data::DataFile* file : set.files("rates")) {
    FileLoader loader(catalog, *file, sink);
    data::check_keys(loader.root(), kRatesShape, loader.reader());
    const auto table = loader.root().find("exchange");
    if (!table) continue;
    data::read_rows<ExchangeRow>(
        *table, kExchange, loader.reader().at("exchange"),
        [&](const ExchangeRow& row, data::NodeRef node) {
          static_cast<void>(loader.provenance(node, {&row.source, 1}));
          if (row.usd_per_unit <= 0) {
            return loader.reader()
                .at("exchange")
                .error("catalog/out-of-range", node.span(), "an exchange rate of zero or less",
                       "write US dollars for one unit, such as 0.14");
          }
          catalog.exchange.push_back({row.currency, row.month, row.usd_per_unit});
        });
  }
}

}  // namespace gpusel::catalog
