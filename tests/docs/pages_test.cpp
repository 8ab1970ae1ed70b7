// What the pages list is what the code has: facts, codes of diagnostics, example files.
#include "catch.h"
#include "support/diff.h"

#include "gpusel/cli/check_codes.h"
#include "gpusel/recommend/recommend.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

using namespace gpusel;
namespace fs = std::filesystem;

namespace {

const fs::path kRoot = GPUSEL_ROOT;

std::vector<std::string> page(const std::string& name) {
  return test::lines_of(test::read_whole((kRoot / "docs" / name).string()));
}

// The cells of a row of a table, without blanks around them.
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> result;
  for (std::size_t at = 1; at < line.size();) {
    const std::size_t end = std::min(line.find('|', at), line.size());
    const std::string cell = line.substr(at, end - at);
    const std::size_t first = cell.find_first_not_of(' ');
    result.push_back(first == std::string::npos
                         ? ""
                         : cell.substr(first, cell.find_last_not_of(' ') - first + 1));
    at = end + 1;
  }
  return result;
}

struct FactRow {
  std::string name;
  std::string type;
  std::string stage;
  std::string doc;
};

// The tables of the section `## Facts`, each under its stage.
std::vector<FactRow> documented_facts() {
  std::vector<FactRow> rows;
  bool inside = false;
  std::string stage;
  for (const std::string& line : page("rules.md")) {
    if (line.starts_with("## ")) inside = line == "## Facts";
    if (!inside) continue;
    if (line.starts_with("### Stage `")) stage = line.substr(11, line.find('`', 11) - 11);
    if (!line.starts_with("| `")) continue;
    const std::vector<std::string> row = cells(line);
    REQUIRE(row.size() == 3);
    rows.push_back({row[0].substr(1, row[0].size() - 2), row[1], stage, row[2]});
  }
  return rows;
}

// Every code that a source file writes as a text; one that ends in a hyphen is the beginning of
// several.
std::map<std::string, std::string> codes_of_sources() {
  const std::regex code(
      "\"((data|catalog|allow|rule|usage|option|workload|model|engine|framework|scores|preset|"
      "estimate|"
      "calibration|"
      "cost)/[a-z][a-z-]*)\"");
  std::map<std::string, std::string> codes;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "src")) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
    const std::string text = test::read_whole(entry.path().string());
    for (std::sregex_iterator it(text.begin(), text.end(), code); it != std::sregex_iterator();
         ++it) {
      codes.emplace((*it)[1].str(), entry.path().lexically_relative(kRoot).string());
    }
  }
  return codes;
}

std::set<std::string> documented_codes() {
  std::set<std::string> codes;
  for (const std::string& line : page("diagnostics.md")) {
    if (line.starts_with("### ") && line.find('/') != std::string::npos)
      codes.insert(line.substr(4));
  }
  return codes;
}

bool is_covered(const std::string& code, const std::set<std::string>& sections) {
  if (!code.ends_with('-')) return sections.count(code) > 0;
  return std::any_of(sections.begin(), sections.end(),
                     [&](const std::string& s) { return s.starts_with(code); });
}

}  // namespace

TEST_CASE("docs/rules.md is rewritten when asked for", "[docs]") {
  if (!test::updating()) return;
  std::string text;
  for (const std::string& line : page("rules.md")) {
    std::string renewed = line;
    for (const rules::FactSpec& fact : recommend::fact_table()) {
      const std::string begin =
          "| `" + std::string(fact.name) + "` | " + std::string(rules::name_of(fact.type)) + " | ";
      if (fact.choices.empty() && line.starts_with(begin))
        renewed = begin + std::string(fact.doc) + " |";
    }
    text += renewed + "\n";
  }
  test::write_whole((kRoot / "docs/rules.md").string(), text);
}

TEST_CASE("docs/rules.md lists the facts that rules can use", "[docs]") {
  const std::vector<FactRow> rows = documented_facts();
  const rules::FactTable facts = recommend::fact_table();
  std::set<std::string> names;
  for (const FactRow& row : rows) names.insert(row.name);
  for (const rules::FactSpec& fact : facts) {
    INFO(fact.name);
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const FactRow& r) { return r.name == fact.name; });
    REQUIRE(row != rows.end());
    CHECK(row->stage == rules::name_of(fact.stage));
    const std::string type(rules::name_of(fact.type));
    CHECK(row->type == (fact.choices.empty() ? type : type + ", closed"));
    if (fact.choices.empty() && !test::updating()) CHECK(row->doc == fact.doc);
    for (const std::string_view choice : fact.choices) {
      CHECK(row->doc.find("`" + std::string(choice) + "`") != std::string::npos);
    }
    names.erase(std::string(fact.name));
  }
  INFO((names.empty() ? "" : *names.begin()));
  CHECK(names.empty());
}

TEST_CASE("docs/diagnostics.md has a section for each code, and no other", "[docs]") {
  const std::map<std::string, std::string> codes = codes_of_sources();
  const std::set<std::string> sections = documented_codes();
  CHECK(codes.size() > 40);
  for (const auto& [code, file] : codes) {
    INFO(code << " of " << file);
    CHECK(is_covered(code, sections));
  }
  for (const std::string& section : sections) {
    INFO(section);
    const bool used =
        codes.count(section) > 0 || std::any_of(codes.begin(), codes.end(), [&](const auto& entry) {
          return entry.first.ends_with('-') && section.starts_with(entry.first);
        });
    CHECK(used);
  }
}

TEST_CASE("each code that catalog check lists has a section, and the reverse", "[docs]") {
  const std::set<std::string> sections = documented_codes();
  std::set<std::string> listed;
  for (const diag::CodeTable& table : cli::check_codes()) {
    for (const diag::CodeInfo& info : table.codes) {
      INFO(info.code);
      CHECK(listed.insert(std::string(info.code)).second);
      CHECK(sections.count(std::string(info.code)) == 1);
      CHECK_FALSE(info.summary.empty());
    }
  }
  CHECK(listed.size() > 100);
  // The rest is said of command lines, workload files and written files.
  for (const std::string& section : sections) {
    INFO(section);
    const bool elsewhere = section.starts_with("usage/") || section == "data/unwritable" ||
                           section == "workload/no-kind";
    CHECK((elsewhere || listed.count(section) == 1));
  }
}

TEST_CASE("a code of a data layer stands in a table", "[docs]") {
  std::set<std::string> listed;
  for (const diag::CodeTable& table : cli::check_codes()) {
    for (const diag::CodeInfo& info : table.codes) listed.insert(std::string(info.code));
  }
  for (const auto& [code, file] : codes_of_sources()) {
    if (file.starts_with("src/cli") || code.starts_with("usage/") || code.ends_with('-')) continue;
    INFO(code << " of " << file);
    CHECK((listed.count(code) == 1 || code == "data/unwritable"));
  }
}

TEST_CASE("a reader can see the files that the examples use", "[docs]") {
  std::string all = test::read_whole((kRoot / "README.md").string());
  for (const auto& entry : fs::directory_iterator(kRoot / "docs")) {
    if (entry.path().extension() == ".md") all += test::read_whole(entry.path().string());
  }
  for (const auto& entry : fs::directory_iterator(kRoot / "tests/docs/files")) {
    if (!entry.is_regular_file()) continue;
    INFO(entry.path().string());
    const std::string name = entry.path().filename().string();
    CHECK(all.find(name) != std::string::npos);
    // The faulty one is shown by its findings.
    if (name != "typo.yaml")
      CHECK(all.find(test::read_whole(entry.path().string())) != std::string::npos);
  }
}
