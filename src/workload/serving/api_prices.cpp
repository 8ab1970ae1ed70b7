#include "api_prices.h"

#include "workload/data_shapes.h"

#include "gpusel/base/number.h"
#include "gpusel/base/suggest.h"
#include "gpusel/catalog/sources.h"

namespace gpusel::workload::serving {
namespace {

constexpr double kMillion = 1e6;
constexpr const char* kForm =
    "write US dollars per million input and output tokens, such as 0.60/2.40";

struct Entry {
  std::string provider;
  std::string model;
  double input = 0;  // US dollars per million tokens
  double output = 0;
  std::string source;
};

constexpr data::Field<Entry> kEntry[] = {
    data::field<&Entry::provider>("provider", "who sells it"),
    data::field<&Entry::model>("model", "model id"),
    data::field<&Entry::input>("input", "US dollars per million input tokens"),
    data::field<&Entry::output>("output", "US dollars per million output tokens"),
    data::field<&Entry::source>("source", "key of a source of the file")};

constexpr data::KeyShape kUnit{"unit", "unit of the prices, for readers", data::Presence::optional,
                               data::ValueReader<std::string>::kShape};
std::vector<data::KeyShape> file_keys() { return {kUnit}; }
constexpr data::FilePart kParts[] = {
    catalog::kSourcesPart,
    {"entries", "one row per provider and model", data::FilePart::Form::table,
     &data::key_shapes<kEntry>, data::Presence::required}};

std::optional<catalog::Citation> citation_of(const Entry& entry, data::NodeRef row,
                                             data::NodeRef root, const data::Reader& reader) {
  const auto sources = root.find("sources");
  const auto source = sources && sources->is_map() ? sources->find(entry.source) : std::nullopt;
  if (!source) {
    reader.error("data/unknown-source", row.span(), "no source '" + entry.source + "' in this file",
                 "add it below 'sources'");
    return std::nullopt;
  }
  return data::read_record<catalog::Citation>(*source, catalog::kCitationFields, reader);
}

void read_entry(const Entry& entry, data::NodeRef row, data::NodeRef root,
                const data::Reader& reader, std::vector<ApiPrice>& prices) {
  const auto citation = citation_of(entry, row, root, reader);
  if (entry.input < 0 || entry.output < 0 || entry.input + entry.output <= 0) {
    return reader.error("workload/bad-api-price", row.span(),
                        "a price is not negative, and one of the two is above zero",
                        "write US dollars per million tokens");
  }
  if (!citation) return;
  prices.push_back({units::UsdPerItem{entry.input / kMillion},
                    units::UsdPerItem{entry.output / kMillion},
                    ApiListing{entry.provider + "/" + entry.model, *citation}});
}

Result<units::UsdPerItem> parse_dollars(std::string_view part, std::size_t offset) {
  const std::string_view digits = part.starts_with('$') ? part.substr(1) : part;
  const Result<double> amount = parse_number(digits);
  if (amount && *amount >= 0) return units::UsdPerItem{*amount / kMillion};
  return Error{"'" + std::string(part) + "' is not a price", kForm, offset, part.size()};
}

Result<ApiPrice> parse_pair(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return Error{"needs two prices", kForm, 0, text.size()};
  const auto input = parse_dollars(text.substr(0, slash), 0);
  if (!input) return input.error();
  const auto output = parse_dollars(text.substr(slash + 1), slash + 1);
  if (!output) return output.error();
  if (*input + *output <= units::UsdPerItem{})
    return Error{"one of the prices must be above zero", "such as 0.60/2.40", 0, text.size()};
  return ApiPrice{*input, *output, std::nullopt};
}

}  // namespace

std::vector<ApiPrice> load_api_prices(data::DataSet& set, diag::Sink& sink) {
  std::vector<ApiPrice> prices;
  for (const data::DataFile* file : set.files("api_prices")) {
    const data::NodeRef root = file->document->root();
    const data::Reader reader(sink, "$");
    const auto table = root.find("entries");
    if (!table) {
      data::report_missing_key(root, "entries", "the table of prices", reader);
      continue;
    }
    data::read_rows<Entry>(*table, kEntry, reader.at("entries"),
                           [&](const Entry& entry, data::NodeRef row) {
                             read_entry(entry, row, root, reader.at("entries"), prices);
                           });
  }
  return prices;
}

Result<ApiPrice> parse_api_price(std::string_view text, const std::vector<ApiPrice>& listed) {
  constexpr std::string_view kNumbers = "$+-.0123456789";
  if (text.empty() || kNumbers.find(text.front()) != std::string_view::npos)
    return parse_pair(text);
  std::vector<std::string> names;
  for (const ApiPrice& price : listed) {
    if (price.listing->name == text) return price;
    names.push_back(price.listing->name);
  }
  const std::string near = did_you_mean(text, names);
  return Error{"no list price '" + std::string(text) + "'",
               (near.empty() ? "" : near + " or ") + std::string(kForm), 0, text.size()};
}

}  // namespace gpusel::workload::serving

namespace gpusel::workload {

constinit const data::FileShape kApiPricesShape{"api_prices", "list prices of metered APIs",
                                                &serving::file_keys, serving::kParts};

}  // namespace gpusel::workload
