// JSON texts against the schemas in docs/schema.
//
//   CHECK(schema_faults("recommend", text) == "");
#pragma once

#include <string>
#include <string_view>

namespace gpusel::test {

/// What in the text breaks docs/schema/<name>.json, one fault a line; empty where nothing does.
/// Keys that stand twice in an object are faults too.
std::string schema_faults(const std::string& name, std::string_view text);

/// What in the text breaks the schema of SARIF 2.1.0, likewise.
std::string sarif_faults(std::string_view text);

}  // namespace gpusel::test
