// Comments that allow findings: what they cover, and what is said of those that can't be read.
#include "gpusel/data/allow.h"

#include "catch.h"
#include "unit/data/faults.h"

#include <string>
#include <vector>

using namespace gpusel;
using namespace gpusel::data;

namespace {

constexpr diag::CodeInfo kCodes[] = {
    {"a/one", diag::Severity::error, "one"},
    {"a/two", diag::Severity::warning, "two"},
    {"a/broken", diag::Severity::error, "broken", diag::Meaning::unreadable}};
const std::vector<diag::CodeTable> kKnown = {{"a", kCodes}};

struct Reading {
  std::string faults;
  std::string allowances;  // `code@line`, one a line; 0 is the whole file
  std::size_t files = 0;
};

Reading read(const std::string& text, const std::string& name = "f.yaml") {
  diag::Buffer sink;
  const DataSet set = DataSet::open({{Root::Kind::path, name}}, memory_files({{name, text}}), sink);
  Reading reading;
  for (const Allowance& a : read_allowances(set, kKnown, sink)) {
    reading.allowances += (reading.allowances.empty() ? "" : " ") + a.code + "@" +
                          std::to_string(a.line) + (a.until ? "<" + a.until->text() : "");
  }
  reading.faults = test::faults_of(sink);
  reading.files = set.all().size();
  return reading;
}

}  // namespace

TEST_CASE("a comment covers its line, the next record or the file", "[data]") {
  const Reading r = read(
      "fabric: f  # gpusel: allow a/one: here\n"
      "# gpusel: allow a/one, a/two until 2027-01-31: next\n"
      "# another comment\n"
      "name: F\n"
      "#gpusel: allow-file a/two: all of it, and more: said\n"
      "gpu_direct: true\n");
  CHECK(r.faults == "");
  CHECK(r.allowances == "a/one@1 a/one@4<2027-01-31 a/two@4<2027-01-31 a/two@0");
}

TEST_CASE("only a comment allows", "[data]") {
  for (const char* line :
       {"name: \"x # gpusel: allow a/one: no\"\n", "name: 'x # gpusel: allow a/one: no'\n",
        "name: x#gpusel: allow a/one\n", "name: gpusel: allow a/one\n"}) {
    INFO(line);
    const Reading r = read(std::string("fabric: f\ngpu_direct: true\n") + line);
    CHECK(r.allowances == "");
    CHECK(r.faults.find("allow/") == std::string::npos);
  }
  const Reading json =
      read("{\"fabric\": \"f\", \"name\": \"# gpusel: allow a/one: no\"}", "f.json");
  CHECK(json.allowances == "");
}

TEST_CASE("comments that can't be read are reported with their place", "[data]") {
  const auto [comment, fault] = GENERATE(table<std::string, std::string>({
      {"allow a/one", "1:28+5 allow/no-reason: the comment gives no reason"},
      {"allow a/one:  ", "1:28+5 allow/no-reason: the comment gives no reason"},
      {"allow a/on: x", "1:28+4 allow/unknown-code: there is no code 'a/on' that can be allowed"},
      {"allow a/broken: x",
       "1:28+8 allow/unknown-code: there is no code 'a/broken' that can be allowed"},
      {"allow", "1:22+5 allow/bad-comment: 'allow' allows nothing"},
      {"allow a/one until 2027-02-30: x", "1:40+10 allow/bad-comment: '2027-02-30' is not a day"},
      {"skip a/one: x", "1:22+13 allow/bad-comment: 'skip a/one: x' allows nothing"},
  }));
  CAPTURE(comment);
  const Reading r = read("fabric: f  # gpusel: " + comment + "\n");
  CHECK(r.faults == fault);
  CHECK(r.allowances == "");
}

TEST_CASE("comments are bounded", "[data]") {
  const std::string long_reason(301, 'x');
  CHECK(read("fabric: f # gpusel: allow a/one: " + long_reason + "\n").allowances == "");
  std::string many = "a/one";
  for (int i = 0; i < 20; ++i) many += ", a/one";
  CHECK(read("fabric: f # gpusel: allow " + many + ": x\n").allowances == "");
  std::string lines = "fabric: f\n";
  for (int i = 0; i < 20000; ++i) lines += "# gpusel: allow a/one: x\n";
  const Reading r = read(lines);
  CHECK(r.files == 1);
  CHECK(r.allowances.size() < 100000);
}

TEST_CASE("what is allowed has its reason, and what covers nothing is reported", "[data]") {
  const auto source = diag::make_source("f", "a\nb\n");
  const auto other = diag::make_source("g", "a\nb\n");
  const auto at = [](const diag::SourcePtr& s, std::size_t line) {
    return diag::Span{s, line, 1, 1};
  };
  const std::vector<diag::Diagnostic> found = {
      diag::error("a/one", at(source, 1), "m"),    diag::error("a/one", at(source, 2), "m"),
      diag::error("a/two", at(source, 2), "m"),    diag::error("a/one", at(other, 1), "m"),
      diag::error("a/broken", at(source, 1), "m"), diag::error("a/one", {}, "m")};
  const Date day = *Date::parse("2027-01-31");
  const std::vector<Allowance> allowances = {{"a/one", source, 1, "line", {}, at(source, 1)},
                                             {"a/two", source, 0, "file", day, at(source, 1)},
                                             {"a/broken", source, 0, "never", {}, at(source, 1)}};
  diag::Buffer unused;
  const auto reasons = allowed_by(found, allowances, kKnown, day, unused);
  REQUIRE(reasons.size() == found.size());
  CHECK(reasons[0] == "line");
  CHECK_FALSE(reasons[1]);
  CHECK(reasons[2] == "file");
  CHECK_FALSE(reasons[3]);
  CHECK_FALSE(reasons[4]);
  CHECK_FALSE(reasons[5]);
  CHECK(test::faults_of(unused) == "1:1+1 allow/unused: 'a/broken' is allowed and not found");
  diag::Buffer later;
  CHECK_FALSE(allowed_by(found, allowances, kKnown, *Date::parse("2027-02-01"), later)[2]);
}
