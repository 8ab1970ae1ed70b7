// Options: precedence of origins, option files, and typed access with reports.
#include "gpusel/data/option.h"

#include "catch.h"
#include "unit/data/faults.h"

#include <string>
#include <vector>

using namespace gpusel;
using namespace gpusel::data;

namespace {

constexpr std::string_view kModes[] = {"fast", "small"};
constexpr OptionSpec kSpecs[] = {
    {.name = "params", .metavar = "COUNT", .help = "parameters", .choices = {}},
    {.name = "seq-len", .metavar = "N", .help = "tokens", .choices = {}},
    {.name = "all", .kind = OptionKind::flag, .metavar = "", .help = "every row", .choices = {}},
    {.name = "catalog",
     .kind = OptionKind::repeated,
     .metavar = "PATH",
     .help = "data",
     .choices = {}},
    {.name = "mode", .metavar = "MODE", .help = "mode", .choices = kModes}};

OptionValues values_of(const std::string& text, std::string* faults = nullptr) {
  diag::Buffer sink;
  const auto document = parse_yaml(diag::make_source("w.yaml", text), sink);
  REQUIRE(document);
  static constexpr std::string_view kOther[] = {"workload"};
  OptionValues values;
  read_options(document->root(), kSpecs, Origin::file, kOther, values, sink);
  if (faults != nullptr) {
    *faults = test::faults_of(sink);
  } else {
    CHECK(test::faults_of(sink).empty());
  }
  return values;
}

OptionValues given(const std::string& name, const std::string& text, Origin origin) {
  OptionValues values;
  const diag::SourcePtr source = diag::make_source("<command line>", "--" + name + " " + text);
  values.set(name, {text, {source, 1, name.size() + 4, text.size()}, origin});
  return values;
}

}  // namespace

TEST_CASE("a higher origin replaces, a lower one is ignored", "[data]") {
  const Origin order[] = {Origin::fallback,    Origin::user_config, Origin::project_config,
                          Origin::environment, Origin::preset,      Origin::file,
                          Origin::flag};
  for (std::size_t low = 0; low + 1 < std::size(order); ++low) {
    for (std::size_t high = low + 1; high < std::size(order); ++high) {
      OptionValues up;
      up.set("x", {"low", {}, order[low]});
      up.set("x", {"high", {}, order[high]});
      OptionValues down;
      down.set("x", {"high", {}, order[high]});
      down.set("x", {"low", {}, order[low]});
      CAPTURE(name_of(order[low]), name_of(order[high]));
      CHECK(up.find("x")->text == "high");
      CHECK(up.all("x").size() == 1);
      CHECK(down.find("x")->text == "high");
      CHECK(down.all("x").size() == 1);
    }
  }
}

TEST_CASE("values of one origin add up and the last one counts", "[data]") {
  OptionValues values;
  values.set("x", {"a", {}, Origin::flag});
  values.set("x", {"b", {}, Origin::flag});
  CHECK(values.find("x")->text == "b");
  CHECK(values.all("x").size() == 2);
  CHECK(values.find("y") == nullptr);
  CHECK(values.all("y").empty());
}

TEST_CASE("the keys of a file are option names with underscores", "[data]") {
  const OptionValues values = values_of(
      "workload: w\nparams: 10B\nseq_len: '4096'\nall: true\ncatalog: [a, b]\nmode: fast\n");
  CHECK(values.find("params")->text == "10B");
  CHECK(values.find("params")->origin == Origin::file);
  CHECK(values.find("params")->span.column == 9);
  CHECK(values.find("seq-len")->text == "4096");
  CHECK(values.find("all")->text == "true");
  CHECK(values.all("catalog").size() == 2);
  CHECK(values.all("catalog")[1].text == "b");
  CHECK(snake_case("seq-len") == "seq_len");
}

TEST_CASE("a list for a single option is one value with commas", "[data]") {
  CHECK(values_of("mode: [fast, small]\n").find("mode")->text == "fast,small");
  CHECK(values_of("catalog: one\n").all("catalog").size() == 1);
}

TEST_CASE("faults of an option file are all reported", "[data]") {
  std::string faults;
  const OptionValues values = values_of(
      "parms: 1\nseq-len: 1\nall: yes\nparams: {a: 1}\ncatalog: [a, [b]]\nmode: [fast, ~]\n",
      &faults);
  CHECK(faults ==
        "1:1+5 data/unknown-key: unknown key 'parms'\n"
        "2:1+7 data/unknown-key: unknown key 'seq-len'\n"
        "3:6+3 data/bad-boolean: 'yes' is not true or false\n"
        "4:9+1 data/wrong-kind: expected a value, found a map\n"
        "5:14+1 data/wrong-kind: expected a value, found a list\n"
        "6:14+1 data/empty-value: expected a value, found nothing");
  CHECK(values.find("params") == nullptr);
}

TEST_CASE("typed access converts, and gives nothing for what was not given", "[data]") {
  const OptionValues values =
      values_of("params: 10B\nseq_len: 4096\nall: false\ncatalog: ['a, b', c]\nmode: small\n");
  diag::Buffer sink;
  const OptionReader read(values, sink);
  CHECK(read.quantity<units::Count>("params")->value == 1e10);
  CHECK(read.whole("seq-len", 1, 5000) == 4096);
  CHECK_FALSE(read.flag("all"));
  CHECK(read.list("catalog") == std::vector<std::string>{"a", "b", "c"});
  CHECK(read.choice_index("mode", kModes) == std::size_t{1});
  CHECK(read.text("mode") == std::optional<std::string>("small"));
  CHECK(read.interval<units::Count>("params")->low->value == 1e10);
  CHECK(read.given("params"));
  CHECK_FALSE(read.given("other"));
  CHECK_FALSE(read.text("other"));
  CHECK_FALSE(read.flag("other"));
  CHECK_FALSE(read.whole("other", 0, 1));
  CHECK(read.list("other").empty());
  CHECK(sink.all().empty());
}

TEST_CASE("a bad value is reported at the part at fault, by the name that its place uses",
          "[data]") {
  diag::Buffer sink;
  const OptionValues flag = given("memory", "80 Gx", Origin::flag);
  CHECK_FALSE(OptionReader(flag, sink).quantity<units::Bytes>("memory"));
  CHECK(test::faults_of(sink) == "1:13+2 option/bad-value: --memory: 'Gx' is not a unit of a size");

  diag::Buffer in_file;
  const OptionValues quoted = values_of("seq_len: '4x'\nmode: tiny\n");
  CHECK_FALSE(OptionReader(quoted, in_file).whole("seq-len", 0, 9));
  CHECK_FALSE(OptionReader(quoted, in_file).choice_index("mode", kModes));
  CHECK(test::faults_of(in_file) ==
        "1:11+2 option/bad-value: seq_len: '4x' is not a whole number\n"
        "2:7+4 option/bad-value: mode: 'tiny' is not one of 'fast' or 'small'");
}

TEST_CASE("an empty part of a list is reported and left out", "[data]") {
  diag::Buffer sink;
  const OptionValues values = given("gpus", "a,,b", Origin::flag);
  CHECK(OptionReader(values, sink).list("gpus") == std::vector<std::string>{"a", "b"});
  CHECK(test::faults_of(sink) == "1:8+4 option/bad-value: --gpus: 'a,,b' has an empty part");
}

TEST_CASE("an option that was not given is reported without a place", "[data]") {
  diag::Buffer sink;
  const OptionValues none;
  OptionReader(none, sink).report("params", Error{"is missing", "give it", 0, 0});
  CHECK(test::faults_of(sink) == "option/bad-value: --params: is missing");
  CHECK(sink.all().front().help == "give it");
}
