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
      {diag::error("catalog/unknown-key", diag::Span{source, 2, 18, 6}, "unknown key 'memroy'")
           .with_help("did you mean 'memory'?")},
      {diag::warning("catalog/stale", diag::Span{}, "evil \x1b[2J")},
      {diag::warning("catalog/order", diag::Span{source, 1, 1, 8}, "a < b & \"c\""), "so be it"}};
  findings.files = {"clean.yaml", "阿里云.yaml"};
  findings.version = "1.2.3";
  static constexpr diag::CodeInfo kCodes[] = {
      {"catalog/unknown-key", diag::Severity::error, "an unknown key"},
      {"catalog/order", diag::Severity::warning, "an order"}};
  findings.codes = {{"names", kCodes}};
  findings.catalog = object().set("fingerprint", text("00ff"));
  findings.summary = "1 error, 1 warning, 1 suppressed in 2 files";
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
1 error, 1 warning, 1 suppressed in 2 files
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
    },
    {
      "code": "catalog/order",
      "severity": "warning",
      "file": "阿里云.yaml",
      "line": 1,
      "column": 1,
      "message": "a < b & \"c\"",
      "help": null,
      "suppressed": true,
      "reason": "so be it"
    }
  ],
  "counts": {
    "error": 1,
    "warning": 1,
    "info": 0,
    "suppressed": 1
  }
}
)");
}

TEST_CASE("findings as workflow commands of GitHub", "[report]") {
  Findings findings = sample_findings();
  findings.all.push_back(
      {diag::info("catalog/note", diag::Span{diag::make_source("a,b:c%.yaml", "x\n"), 1, 1, 1},
                  "50 % \n off")});
  const std::string text = find_findings_format("github")->write(findings, {});
  CHECK(text ==
        "::error file=阿里云.yaml,line=2,col=12,title=catalog/unknown-key::unknown key "
        "'memroy'%0Adid you mean 'memory'?\n"
        "::warning title=catalog/stale::evil \\x1b[2J\n"
        "::notice file=a%2Cb%3Ac%25.yaml,line=1,col=1,title=catalog/note::50 %25 \\x0a off\n"
        "1 error, 1 warning, 1 suppressed in 2 files\n");
}

TEST_CASE("findings as JUnit, a test case per file", "[report]") {
  CHECK(written("junit") == R"x(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="gpusel catalog check" tests="3" failures="1" errors="0" time="0">
  <testsuite name="gpusel catalog check" tests="3" failures="1" errors="0" time="0">
    <testcase classname="gpusel.catalog" name="(no file)" time="0">
      <system-out>gpusel: warning: evil \x1b[2J [catalog/stale]
</system-out>
    </testcase>
    <testcase classname="gpusel.catalog" name="clean.yaml" time="0"/>
    <testcase classname="gpusel.catalog" name="阿里云.yaml" time="0">
      <failure type="catalog/unknown-key" message="unknown key 'memroy'">阿里云.yaml:2:12: error: unknown key 'memroy' [catalog/unknown-key]
 2 | name: 阿里云, memroy: 80 GiB
   |               ^^^^^^
   help: did you mean 'memory'?
</failure>
      <system-out>1 suppressed
</system-out>
    </testcase>
  </testsuite>
</testsuites>
)x");
}

TEST_CASE("JUnit has no sign that XML lacks", "[report]") {
  Findings findings = sample_findings();
  findings.files = {"a\xff<&>\"\x01\xEF\xBF\xBF.yaml"};
  findings.all.clear();
  const std::string text = find_findings_format("junit")->write(findings, {});
  CHECK(text.find("name=\"a\xEF\xBF\xBD&lt;&amp;&gt;&quot;\\x01\xEF\xBF\xBD.yaml\"") !=
        std::string::npos);
}

TEST_CASE("findings as SARIF", "[report]") {
  const std::string text = written("sarif");
  for (const char* part :
       {R"("version": "2.1.0")", R"("columnKind": "unicodeCodePoints")",
        R"("uri": "%E9%98%BF%E9%87%8C%E4%BA%91.yaml")", R"("startColumn": 12)",
        R"("endColumn": 18)", R"("ruleIndex": 1)", R"("justification": "so be it")",
        R"("kind": "inSource")", R"("level": "warning")"}) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
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
