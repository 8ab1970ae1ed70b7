// Field tables: records and tables of rows, and every fault of both in one run.
#include "gpusel/data/field.h"

#include "catch.h"
#include "unit/data/faults.h"

#include <optional>
#include <string>
#include <vector>

using namespace gpusel;
using namespace gpusel::data;

namespace {

enum class Colour { red, green };

struct Item {
  std::string name;
  int count = 0;
  std::optional<units::Bytes> memory;
  std::vector<std::string> tags;
  bool ready = false;
  Colour colour = Colour::red;
  double share = 0.5;
  std::optional<Date> day;
  GpuId gpu;
};

}  // namespace

template <>
struct gpusel::data::EnumNames<Colour> {
  static constexpr std::array<std::pair<std::string_view, Colour>, 2> kNames = {
      {{"red", Colour::red}, {"green", Colour::green}}};
};

namespace {

constexpr Field<Item> kItem[] = {field<&Item::name>("name", "what it is called"),
                                 field<&Item::count>("count", "how many"),
                                 field<&Item::memory>("memory", "such as 80 GiB"),
                                 field<&Item::tags>("tags", "marks"),
                                 optional_field<&Item::ready>("ready", "may be used"),
                                 optional_field<&Item::colour>("colour", "of the box"),
                                 optional_field<&Item::share>("share", "part"),
                                 field<&Item::day>("day", "of sale"),
                                 optional_field<&Item::gpu>("gpu", "id")};

struct Read {
  std::optional<Item> item;
  std::string faults;
  std::vector<std::string> paths;
  std::vector<std::string> helps;
};

Read read(const std::string& text, OtherKeys other = {}) {
  diag::Buffer sink;
  const auto document = parse_yaml(diag::make_source("a.yaml", text), sink);
  REQUIRE(document);
  Read result;
  result.item = read_record<Item>(document->root(), kItem, Reader(sink, "$"), other);
  result.faults = test::faults_of(sink);
  for (const diag::Diagnostic& d : sink.sorted()) {
    result.paths.push_back(d.path);
    result.helps.push_back(d.help);
  }
  return result;
}

struct Rows {
  std::vector<Item> items;
  bool good = false;
  std::string faults;
  std::vector<std::string> paths;
};

Rows rows(const std::string& text) {
  diag::Buffer sink;
  const auto document = parse_yaml(diag::make_source("a.yaml", text), sink);
  REQUIRE(document);
  Rows result;
  result.good =
      read_rows<Item>(document->root(), kItem, Reader(sink, "$.t"),
                      [&](Item item, NodeRef) { result.items.push_back(std::move(item)); });
  result.faults = test::faults_of(sink);
  for (const diag::Diagnostic& d : sink.sorted()) result.paths.push_back(d.path);
  return result;
}

}  // namespace

TEST_CASE("a record is filled from its keys, in any order", "[data]") {
  const Read r = read(
      "count: 3\nname: x\nmemory: 80 GiB\ntags: [a, b]\nready: true\ncolour: green\nshare: "
      "0.25\nday: 2026-11-20\n"
      "gpu: nvidia-h100\n");
  CHECK(r.faults.empty());
  REQUIRE(r.item);
  CHECK(r.item->name == "x");
  CHECK(r.item->count == 3);
  CHECK(r.item->memory == units::gib(80));
  CHECK(r.item->tags == std::vector<std::string>{"a", "b"});
  CHECK(r.item->ready);
  CHECK(r.item->colour == Colour::green);
  CHECK(r.item->share == 0.25);
  CHECK(r.item->day->text() == "2026-11-20");
  CHECK(r.item->gpu == GpuId("nvidia-h100"));
}

TEST_CASE("optional keys and lists may be left out, and keep their defaults", "[data]") {
  const Read r = read("name: x\ncount: 0\n");
  REQUIRE(r.item);
  CHECK_FALSE(r.item->memory);
  CHECK(r.item->tags.empty());
  CHECK(r.item->share == 0.5);
  CHECK(read("name: x\ncount: 1\ntags: one\n").item->tags == std::vector<std::string>{"one"});
}

TEST_CASE("a missing key is reported at its map", "[data]") {
  const Read r = read("count: 3\n");
  CHECK_FALSE(r.item);
  CHECK(r.faults == "1:1+1 data/missing-key: key 'name' is missing");
  CHECK(r.helps == std::vector<std::string>{"add 'name:' (what it is called)"});
}

TEST_CASE("an unknown key is reported with the nearest one, or all", "[data]") {
  const Read near = read("name: x\ncount: 1\nmemroy: 80 GB\n");
  CHECK_FALSE(near.item);
  CHECK(near.faults == "3:1+6 data/unknown-key: unknown key 'memroy'");
  CHECK(near.helps == std::vector<std::string>{"did you mean 'memory'?"});
  const Read far = read("name: x\ncount: 1\nzzzzzzzz: 1\n");
  CHECK(far.helps == std::vector<std::string>{
                         "known keys: 'name', 'count', 'memory', 'tags', 'ready', 'colour', "
                         "'share', 'day' and 'gpu'"});
  static constexpr std::string_view kOther[] = {"mine"};
  CHECK(read("name: x\ncount: 1\nmine: 1\n", kOther).faults.empty());
  CHECK(read("name: x\ncount: 1\nmin: 1\n", kOther).helps ==
        std::vector<std::string>{"did you mean 'mine'?"});
}

TEST_CASE("every value of the wrong kind or form is reported at its place", "[data]") {
  const auto [line, fault] = GENERATE(table<std::string, std::string>({
      {"count: 010", "2:8+3 data/bad-number: '010' is not a whole number"},
      {"count: 0x10", "2:8+4 data/bad-number: '0x10' is not a whole number"},
      {"count: 1_000", "2:8+5 data/bad-number: '1_000' is not a whole number"},
      {"count: -1", "2:8+2 data/bad-number: '-1' is out of range"},
      {"count: 3000000000", "2:8+10 data/bad-number: '3000000000' is out of range"},
      {"count: [3]", "2:8+1 data/wrong-kind: expected a whole number, found a list"},
      {"count: ~", "2:8+1 data/empty-value: expected a whole number, found nothing"},
      {"ready: yes", "2:8+3 data/bad-boolean: 'yes' is not true or false"},
      {"ready: 'true'", "2:8+6 data/bad-boolean: 'true' is not true or false"},
      {"share: .inf", "2:8+4 data/bad-number: '.inf' is not a number"},
      {"share: .nan", "2:8+4 data/bad-number: '.nan' is not a number"},
      {"memory: 80", "2:9+2 data/bad-quantity: '80' has no unit"},
      {"memory: 80 Gx", "2:12+2 data/bad-quantity: 'Gx' is not a unit of a size"},
      {"memory: '80 Gx'", "2:13+2 data/bad-quantity: 'Gx' is not a unit of a size"},
      {"memory: {a: 1}", "2:9+1 data/wrong-kind: expected size, found a map"},
      {"day: 2026-02-30", "2:6+10 data/bad-date: '2026-02-30' is a day that does not exist"},
      {"colour: gren", "2:9+4 data/unknown-choice: 'gren' is not one of 'red' or 'green'"},
      {"gpu: a b", "2:6+3 data/bad-id: 'a b' is not an id"},
      {"tags: [a, [b], ~]",
       "2:11+1 data/wrong-kind: expected a text, found a list\n"
       "2:16+1 data/empty-value: expected a text, found nothing"},
  }));
  CAPTURE(line);
  const Read r = read("name: x\n" + line + (line.starts_with("count") ? "\n" : "\ncount: 1\n"));
  CHECK_FALSE(r.item);
  CHECK(r.faults == fault);
  CHECK(r.paths.front().starts_with("$." + line.substr(0, line.find(':'))));
}

TEST_CASE("several faults are reported in one run, each with its path", "[data]") {
  const Read r = read("name: [x]\nmemory: 80\ntags: [a, ~]\nnope: 1\n");
  CHECK(r.faults ==
        "1:1+1 data/missing-key: key 'count' is missing\n"
        "1:7+1 data/wrong-kind: expected a text, found a list\n"
        "2:9+2 data/bad-quantity: '80' has no unit\n"
        "3:11+1 data/empty-value: expected a text, found nothing\n"
        "4:1+4 data/unknown-key: unknown key 'nope'");
  CHECK(r.paths == std::vector<std::string>{"$", "$.name", "$.memory", "$.tags[1]", "$"});
}

TEST_CASE("a text instead of a map hints at the colon", "[data]") {
  const Read r = read("name:x");
  CHECK(r.faults == "1:1+6 data/wrong-kind: expected a map, found 'name:x'");
  CHECK(r.helps == std::vector<std::string>{"write 'key: value' pairs; a space follows the colon"});
}

TEST_CASE("a text that is far too long is refused", "[data]") {
  CHECK(read("count: 1\nname: " + std::string(4096, 'x')).faults.empty());
  CHECK(read("count: 1\nname: " + std::string(4097, 'x')).faults ==
        "2:7+4097 data/too-long: this text is longer than 4096 bytes");
}

TEST_CASE("rows follow the columns, whatever their order", "[data]") {
  const Rows r = rows("columns: [count, memory, name]\nrows:\n  - [1, 80 GiB, a]\n  - [2, ~, b]\n");
  CHECK(r.good);
  CHECK(r.faults.empty());
  REQUIRE(r.items.size() == 2);
  CHECK(r.items[0].name == "a");
  CHECK(r.items[0].memory == units::gib(80));
  CHECK(r.items[1].count == 2);
  CHECK_FALSE(r.items[1].memory);  // an empty cell of an optional column
}

TEST_CASE("faults of columns are reported together, and no row is read", "[data]") {
  const Rows r = rows("columns: [nam, count, count]\nrows: [[a, 1, 2]]\nrow: 1\n");
  CHECK_FALSE(r.good);
  CHECK(r.items.empty());
  CHECK(r.faults ==
        "1:10+1 data/missing-key: column 'name' is missing\n"
        "1:11+3 data/unknown-key: unknown key 'nam'\n"
        "1:23+5 data/duplicate-key: column 'count' stands here a second time\n"
        "3:1+3 data/unknown-key: unknown key 'row'");
  CHECK(r.paths == std::vector<std::string>{"$.t.columns", "$.t.columns", "$.t.columns", "$.t"});
}

TEST_CASE("a faulty row is left out, the good ones stay", "[data]") {
  const Rows r = rows(
      "columns: [name, count, memory]\nrows:\n  - [a, 1, ~]\n  - [b, 2]\n  - c\n  - [d, x, 80]\n  "
      "- [e, ~, ~]\n"
      "  - [f, 6, 8 GB]\n");
  CHECK_FALSE(r.good);
  REQUIRE(r.items.size() == 2);
  CHECK(r.items[0].name == "a");
  CHECK(r.items[1].name == "f");
  CHECK(r.faults ==
        "4:5+1 data/row-length: the row has 2 cells, the table has 3 columns\n"
        "5:5+1 data/row-length: expected a row, found 'c'\n"
        "6:9+1 data/bad-number: 'x' is not a whole number\n"
        "6:12+2 data/bad-quantity: '80' has no unit\n"
        "7:9+1 data/empty-value: expected a whole number, found nothing");
  CHECK(r.paths == std::vector<std::string>{"$.t.rows[1]", "$.t.rows[2]", "$.t.rows[3].count",
                                            "$.t.rows[3].memory", "$.t.rows[4].count"});
}

TEST_CASE("what is no table is reported once", "[data]") {
  CHECK(rows("nothing").faults ==
        "1:1+7 data/wrong-kind: expected a table with 'columns: […]', found 'nothing'");
  CHECK(rows("columns: [name, count]\nrows: x\n").faults ==
        "2:7+1 data/wrong-kind: expected a table with 'rows: […]', found 'x'");
  CHECK(rows("columns: [name, count]\n").faults ==
        "1:1+1 data/wrong-kind: expected a table with 'rows: […]', found a map");
}
