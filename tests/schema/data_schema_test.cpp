// data/schema: JSON Schemas of the data files, as the program writes them; every shipped file
// follows its own, and every template is a sound file.
#include "catch.h"
#include "schema/schema.h"
#include "support/diff.h"
#include "support/fake_run.h"

#include "gpusel/data/baked.h"
#include "gpusel/data/data_set.h"

#include <string>

using namespace gpusel;
using namespace gpusel::test;

namespace {

std::string schema_path(std::string_view kind) {
  return std::string(GPUSEL_SOURCE_DIR) + "/data/schema/" + std::string(kind) + ".json";
}

}  // namespace

TEST_CASE("data/schema holds what catalog schema prints", "[schema]") {
  for (const data::DataKind& kind : data::data_kinds()) {
    const RunResult r = fake_run({.args = {"catalog", "schema", std::string(kind.key)}});
    INFO(kind.key);
    CHECK(r.exit_code == 0);
    if (updating()) {
      write_whole(schema_path(kind.key), r.out);
      continue;
    }
    CHECK(diff(read_whole(schema_path(kind.key)), r.out) == "");
  }
}

TEST_CASE("every template is a sound file of its kind", "[schema]") {
  const std::string kind = GENERATE(as<std::string>{}, "provider", "patch", "rule", "rates");
  const RunResult made = fake_run({.args = {"catalog", "export", "--template", kind}});
  CHECK(made.exit_code == 0);
  const RunResult checked =
      fake_run({.args = {"catalog", "check", "mine.yaml"}, .files = {{"mine.yaml", made.out}}});
  CAPTURE(made.out);
  CHECK(checked.out.substr(0, 8) == "0 errors");
}
