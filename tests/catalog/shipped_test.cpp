// The shipped data: free of findings, dated and sourced, complete in its references, and equal to
// the files on disk.
#include "catch.h"
#include "support/diff.h"

#include "gpusel/catalog/catalog.h"
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
  catalog::Catalog catalog = catalog::load_catalog(set, faults);
};

// Warnings that stand, by code and a part of the message, each with its reason.
struct KnownWarning {
  std::string_view code;
  std::string_view part;
  std::string_view reason;
};
constexpr std::array<KnownWarning, 0> kKnown = {};

bool is_known(const diag::Diagnostic& d) {
  return std::any_of(kKnown.begin(), kKnown.end(), [&](const KnownWarning& k) {
    return d.code == k.code && d.message.find(k.part) != std::string::npos;
  });
}

// The file stem says what is in it, so that a file is found by the id it is known by.
std::string stem_of(std::string_view path) {
  const std::string name(path.substr(path.rfind('/') + 1));
  return name.substr(0, name.size() - std::string_view(".yaml").size());
}

}  // namespace

TEST_CASE("the shipped data has no finding", "[catalog]") {
  Shipped shipped;
  catalog::check_catalog(shipped.catalog, shipped.faults);
  static_cast<void>(rules::load_rules(shipped.set, recommend::fact_table(), shipped.faults));
  workload::check_data(shipped.set, shipped.catalog, shipped.faults);
  std::vector<diag::Diagnostic> left;
  for (const diag::Diagnostic& d : shipped.faults.sorted()) {
    if (!is_known(d)) left.push_back(d);
  }
  INFO(diag::render(left, {}));
  CHECK(left.empty());
  CHECK_FALSE(shipped.set.faulty());
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
