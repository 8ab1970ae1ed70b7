#include "gpusel/report/findings.h"

#include "catch.h"

#include <algorithm>

namespace gpusel::report {
namespace {

// The fault stands behind Chinese text, so that bytes, code points and cells all differ.
Findings sample_findings() {
  const diag::SourcePtr source =
      diag::make_source("阿里云.yaml", "provider: ali\nname: 阿里云, memroy: 80 GiB\n");
  Findings findings;
  findings.all = {
      diag::error("catalog/unknown-key", diag::Span{source, 2, 18, 6}, "unknown key 'memroy'")
          .with_help("did you mean 'memory'?"),
      diag::warning("catalog/stale", diag::Span{}, "evil \x1b[2J")};
  findings.catalog = object().set("fingerprint", text("00ff"));
  findings.summary = "1 error, 1 warning in 1 file";
  return findings;
}

std::string written(std::string_view id, const WriteOptions& options = {}) {
  const FindingsFormat* format = find_findings_format(id);
  REQUIRE(format != nullptr);
  return format->write(sample_findings(), options);
}

TEST_CASE("formats of findings are found by their ids", "[report]") {
  std::vector<std::string_view> ids;
  for (const FindingsFormat* format : findings_formats()) {
    ids.push_back(format->id);
    CHECK_FALSE(format->summary.empty());
  }
  CHECK(std::is_sorted(ids.begin(), ids.end()));
  CHECK(std::count(ids.begin(), ids.end(), "json") == 1);
  CHECK(std::count(ids.begin(), ids.end(), "text") == 1);
  CHECK(find_findings_format("xml") == nullptr);
}

TEST_CASE("findings as text", "[report]") {
  CHECK(written("text") == R"(阿里云.yaml:2:12: error: unknown key 'memroy' [catalog/unknown-key]
 2 | name: 阿里云, memroy: 80 GiB
   |               ^^^^^^
   help: did you mean 'memory'?
gpusel: warning: evil \x1b[2J [catalog/stale]
1 error, 1 warning in 1 file
)");
}

TEST_CASE("findings as text have colour when asked", "[report]") {
  CHECK(written("text", {.colour = diag::Colour::yes}).find("\x1b[1;31merror\x1b[0m") !=
        std::string::npos);
}

TEST_CASE("findings as JSON", "[report]") {
  CHECK(written("json") == R"({
  "schema_version": "1.0",
  "catalog": {
    "fingerprint": "00ff"
  },
  "findings": [
    {
      "code": "catalog/unknown-key",
      "severity": "error",
      "file": "阿里云.yaml",
      "line": 2,
      "column": 12,
      "message": "unknown key 'memroy'",
      "help": "did you mean 'memory'?",
      "suppressed": false
    },
    {
      "code": "catalog/stale",
      "severity": "warning",
      "file": null,
      "line": null,
      "column": null,
      "message": "evil \u001b[2J",
      "help": null,
      "suppressed": false
    }
  ],
  "counts": {
    "error": 1,
    "warning": 1,
    "info": 0
  }
}
)");
}

TEST_CASE("a finding about a whole file has a file and no line", "[report]") {
  const diag::Span span{diag::make_source("a.yaml", ""), 0, 0, 1};
  CHECK(json_line(finding_value(diag::error("c", span, "m"))) ==
        R"({"code":"c","severity":"error","file":"a.yaml","line":null,"column":null,)"
        R"("message":"m","help":null,"suppressed":false})");
}

TEST_CASE("the column is that of the text form, at the ends of a line too", "[report]") {
  const diag::SourcePtr source = diag::make_source("a", "名b");
  const auto column = [&](std::size_t byte) {
    return diag::shown_column(diag::Span{source, 1, byte, 1});
  };
  CHECK(column(0) == 1);
  CHECK(column(1) == 1);
  CHECK(column(4) == 2);
  CHECK(column(5) == 3);
  CHECK(column(99) == 3);
}

}  // namespace
}  // namespace gpusel::report
