#include "schema/schema.h"

#include "support/diff.h"

#include <nlohmann/json.hpp>

#include <set>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>
#include <vector>

namespace gpusel::test {
namespace {

using Json = nlohmann::json;

// nlohmann keeps the last of two equal keys without a word: they are looked for while it parses.
Json parse(std::string_view text, std::string& faults) {
  std::vector<std::set<std::string>> open;
  const auto watch = [&](int, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key && !open.back().insert(value.get<std::string>()).second) {
      faults += "key " + value.dump() + " stands twice in one object\n";
    }
    return true;
  };
  return Json::parse(text, watch);
}

std::string path_of(const valijson::ValidationResults::Error& error) {
  std::string path;
  for (const std::string& part : error.context) path += part;
  return path;
}

std::string faults_of(const std::string& schema_path, valijson::SchemaParser::Version draft,
                      std::string_view text) {
  using valijson::adapters::NlohmannJsonAdapter;
  std::string faults;
  const Json document = parse(text, faults);
  const Json source = Json::parse(read_whole(schema_path));
  valijson::Schema schema;
  valijson::SchemaParser parser(draft);
  parser.populateSchema(NlohmannJsonAdapter(source), schema);
  valijson::Validator validator(valijson::Validator::kStrongTypes);
  valijson::ValidationResults results;
  if (validator.validate(schema, NlohmannJsonAdapter(document), &results)) return faults;
  valijson::ValidationResults::Error error;
  while (results.popError(error)) faults += path_of(error) + ": " + error.description + "\n";
  return faults;
}

}  // namespace

std::string schema_faults(const std::string& name, std::string_view text) {
  return faults_of(GPUSEL_SOURCE_DIR "/docs/schema/" + name + ".json",
                   valijson::SchemaParser::kDraft7, text);
}

std::string sarif_faults(std::string_view text) {
  return faults_of(GPUSEL_SOURCE_DIR "/tests/schema/sarif-2.1.0-rtm.5.json",
                   valijson::SchemaParser::kDraft4, text);
}

}  // namespace gpusel::test
