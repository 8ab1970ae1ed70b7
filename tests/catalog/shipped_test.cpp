// The shipped data: free of findings, dated and sourced, complete in its references, and equal to
// the files on disk.
#include "catch.h"
#include "support/diff.h"

#include "gpusel/base/text.h"
#include "gpusel/catalog/catalog.h"
#include "gpusel/cli/check_codes.h"
#include "gpusel/data/allow.h"
#include "gpusel/data/baked.h"
#include "gpusel/data/data_set.h"
#include "gpusel/diag/render.h"
#include "gpusel/recommend/recommend.h"
#include "gpusel/rules/rule.h"
#include "gpusel/workload/workload.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace gpusel;
namespace fs = std::filesystem;

namespace {

struct Shipped {
  diag::Buffer faults;
  data::DataSet set =
      data::DataSet::open({{data::Root::Kind::builtin, {}}}, memory_files({}), faults);
  catalog::Catalog catalog = catalog::load_catalog(set, faults, catalog::Keep::documents);
};

// Everything that `catalog check` finds in the shipped data on a day, without what a comment in it
// allows.
std::vector<diag::Diagnostic> open_findings(Shipped& shipped, const char* day) {
  catalog::load_lint(shipped.catalog, shipped.set, shipped.faults);
  catalog::check_catalog({shipped.catalog, *Date::parse(day)}, shipped.faults);
  static_cast<void>(rules::load_rules(shipped.set, recommend::fact_table(), shipped.faults));
  workload::check_data(shipped.set, shipped.catalog, shipped.faults);
  const std::vector<diag::CodeTable> codes = cli::check_codes();
  const auto allowances = data::read_allowances(shipped.set, codes, shipped.faults);
  const std::vector<diag::Diagnostic> all = shipped.faults.all();
  const auto reasons = data::allowed_by(all, allowances, codes, *Date::parse(day), shipped.faults);
  std::vector<diag::Diagnostic> open;
  for (std::size_t i = 0; i < shipped.faults.all().size(); ++i) {
    if (i >= reasons.size() || !reasons[i]) open.push_back(shipped.faults.all()[i]);
  }
  return open;
}

// The file stem says what is in it, so that a file is found by the id it is known by.
std::string stem_of(std::string_view path) {
  const std::string name(path.substr(path.rfind('/') + 1));
  return name.substr(0, name.size() - std::string_view(".yaml").size());
}

}  // namespace

TEST_CASE("the shipped data has no error and no warning of its own day", "[catalog]") {
  Shipped shipped;
  const std::string day = shipped.catalog.newest_price()->text();
  std::vector<diag::Diagnostic> left = open_findings(shipped, "2026-12-02");
  CHECK(day <= "2026-12-02");
  std::erase_if(left, [](const diag::Diagnostic& d) { return d.severity == diag::Severity::info; });
  INFO(diag::render(left, {}));
  CHECK(left.empty());
  CHECK_FALSE(shipped.set.faulty());
}

TEST_CASE("a year later every price of the shipped data is called stale", "[catalog]") {
  Shipped shipped;
  std::size_t priced = 0;
  for (const catalog::Offer& offer : shipped.catalog.offers) priced += offer.price ? 1U : 0U;
  catalog::load_lint(shipped.catalog, shipped.set, shipped.faults);
  catalog::check_catalog({shipped.catalog, *Date::parse("2027-12-02")}, shipped.faults);
  const auto& all = shipped.faults.all();
  const auto stale = std::count_if(all.begin(), all.end(), [](const diag::Diagnostic& d) {
    return d.code == "catalog/stale-price" && d.severity == diag::Severity::warning;
  });
  CHECK(static_cast<std::size_t>(stale) == priced);
  CHECK(priced > 1000);
}

TEST_CASE("every price is dated and sourced", "[catalog]") {
  const Shipped shipped;
  const catalog::Catalog& catalog = shipped.catalog;
  std::size_t priced = 0;
  for (const catalog::Offer& offer : catalog.offers) {
    if (!offer.price) continue;
    ++priced;
    INFO(catalog.id_of(offer));
    CHECK(offer.price->date.has_value());
    REQUIRE(offer.price->provenance.citation < catalog.citations.size());
    CHECK_FALSE(catalog.citations[offer.price->provenance.citation].url.empty());
    CHECK(offer.price->rate.canonical() > 0);
  }
  CHECK(priced > 0);
}

TEST_CASE("every reference of the catalog leads somewhere", "[catalog]") {
  const Shipped shipped;
  const catalog::Catalog& catalog = shipped.catalog;
  for (const catalog::Gpu& gpu : catalog.gpus) {
    INFO(gpu.id.text());
    if (!gpu.curves.empty()) CHECK(catalog.curves_of(gpu) != nullptr);
    if (gpu.slice_of) CHECK(catalog.gpus_named(gpu.slice_of->text()).size() == 1);
    CHECK(catalog.gpus_named(gpu.id.text()).size() == 1);
    CHECK(catalog.gpus_named(replace_all(gpu.id.text(), '-', ' ')).size() == 1);
    for (const std::string& alias : gpu.aliases) CHECK_FALSE(catalog.gpus_named(alias).empty());
  }
  std::set<std::string> offers;
  for (const catalog::Offer& offer : catalog.offers) {
    const std::string id = catalog.id_of(offer);
    INFO(id);
    CHECK(offers.insert(id).second);
    const catalog::Hardware& hardware = catalog.hardware_of(offer);
    CHECK((hardware.gpu.has_value() == (hardware.count > 0)));
    CHECK_FALSE(catalog.instances_named(id).empty());
  }
}

TEST_CASE("built-in data is the files on disk", "[catalog]") {
  const fs::path folder = GPUSEL_DATA_FOLDER;
  std::map<std::string, std::string> disk;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".yaml") continue;
    disk[entry.path().lexically_relative(folder).generic_string()] =
        test::read_whole(entry.path().string());
  }
  const auto built_in = data::builtin_files();
  CHECK(built_in.size() == disk.size());
  for (const data::BuiltinFile& file : built_in) {
    INFO(file.path);
    REQUIRE(disk.count(std::string(file.path)) == 1);
    CHECK((disk[std::string(file.path)] == file.text));
  }
}

TEST_CASE("the baked tree is what parsing the text gives", "[catalog]") {
  for (const data::BuiltinFile& file : data::builtin_files()) {
    INFO(file.path);
    const diag::SourcePtr source = diag::make_static_source(std::string(file.path), file.text);
    diag::Buffer faults;
    const auto parsed = data::parse_yaml(source, faults);
    REQUIRE(parsed);
    const data::Document decoded = data::decode_tree(source, file.tree);
    REQUIRE(parsed->nodes().size() == decoded.nodes().size());
    const bool same =
        std::equal(parsed->nodes().begin(), parsed->nodes().end(), decoded.nodes().begin(),
                   [](const data::Node& a, const data::Node& b) {
                     return a.kind == b.kind && a.line == b.line && a.column == b.column &&
                            a.end == b.end && a.text == b.text;
                   });
    CHECK(same);
  }
}

TEST_CASE("a data file has the name of what is in it, in the folder of its kind", "[catalog]") {
  Shipped shipped;
  for (const data::DataFile& file : shipped.set.all()) {
    INFO(file.path);
    CHECK(stem_of(file.path) == file.id);
    const auto kinds = data::data_kinds();
    const auto kind = std::find_if(kinds.begin(), kinds.end(),
                                   [&](const data::DataKind& k) { return k.key == file.kind; });
    REQUIRE(kind != kinds.end());
    CHECK(file.path == "<builtin>/" + std::string(kind->folder) + "/" + file.id + ".yaml");
  }
}

TEST_CASE("the rules hold their examples", "[catalog]") {
  Shipped shipped;
  diag::Buffer faults;
  const std::vector<rules::Example> examples =
      rules::run_examples(shipped.set, recommend::fact_table(), faults);
  CHECK_FALSE(faults.has_errors());
  std::map<std::string, std::pair<int, int>> counts;  // firing, silent
  for (const rules::Example& example : examples) {
    INFO(example.rule.text() << ", example " << example.number);
    CHECK(example.fired == example.expected);
    ++(example.expected ? counts[example.rule.text()].first : counts[example.rule.text()].second);
  }
  constexpr std::size_t kFewest = 12;
  CHECK(counts.size() >= kFewest);
  CHECK(counts.size() == shipped.set.files("rule").size());
  for (const auto& [rule, count] : counts) {
    INFO(rule);
    CHECK(count.first >= 1);
    CHECK(count.second >= 1);
  }
}
