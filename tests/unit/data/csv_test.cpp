// Tables in comma-separated form: cells, places, and what is refused.
#include "gpusel/data/csv.h"

#include "catch.h"
#include "unit/data/faults.h"

#include "gpusel/base/date.h"

#include <string>
#include <tuple>

using namespace gpusel;
using data::CsvReader;
using data::UnknownColumns;

namespace {

constexpr data::CsvColumn kKnown[] = {{"id", true}, {"value"}, {"note"}};

// Each row as `line: cell|cell@line:column+length`, then the faults.
std::string read(const std::string& text, UnknownColumns unknown = UnknownColumns::refuse) {
  diag::Buffer faults;
  std::string out;
  auto table = CsvReader::open(diag::make_source("a.csv", text), kKnown, unknown, faults);
  while (table) {
    const data::CsvRow* row = table->next();
    if (row == nullptr) break;
    out += std::to_string(row->line()) + ":";
    for (const std::string& column : table->columns()) {
      const diag::Span span = row->span(column);
      out += " " + std::string(row->text(column)) + "@" + std::to_string(span.line) + ":" +
             std::to_string(span.column) + "+" + std::to_string(span.length);
    }
    out += "\n";
  }
  return out + data::test::faults_of(faults);
}

}  // namespace

TEST_CASE("cells have texts and places", "[data]") {
  CHECK(read("id,value\na,1\nb,22") == "2: a@2:1+1 1@2:3+1\n3: b@3:1+1 22@3:3+2\n");
  CHECK(read("id,value\r\na,\r\n") == "2: a@2:1+1 @2:3+1\n");
  CHECK(read("\xEF\xBB\xBFid\na\n") == "2: a@2:1+1\n");
  CHECK(read("id\n\na\n\n") == "3: a@3:1+1\n");
  CHECK(read("id,note\n云,x\n") == "2: 云@2:1+3 x@2:5+1\n");
}

TEST_CASE("quotes keep commas, quotes and line ends", "[data]") {
  CHECK(read("id,note\n\"a,b\",x\n") == "2: a,b@2:1+5 x@2:7+1\n");
  CHECK(read("id,note\n\"say \"\"hi\"\"\",x\n") == "2: say \"hi\"@2:1+12 x@2:14+1\n");
  CHECK(read("id,note\n\"\",x\n") == "2: @2:1+2 x@2:4+1\n");
  CHECK(read("id,note\n\"a\nb\",x\nc,y\n") == "2: a\nb@2:1+5 x@3:4+1\n4: c@4:1+1 y@4:3+1\n");
  CHECK(read("id\n\"a\"\r\n") == "2: a@2:1+3\n");
}

TEST_CASE("what is no table is refused at its place", "[data]") {
  const auto [text, fault] = GENERATE(table<std::string, std::string>({
      {"", "1:1+1 data/empty: the first line must name the columns, and there is none"},
      {"\nid\n", "1:1+1 data/empty: the first line must name the columns, and there is none"},
      {"value\n1\n", "1:1+1 data/missing-key: column 'id' is missing"},
      {"id,value,id\n", "1:10+1 data/duplicate-key: column 'id' stands here a second time"},
      {"id,valeu\n", "1:4+5 data/unknown-key: unknown column 'valeu'"},
      {"id\n\"a\n", "2:1+1 data/syntax: a quoted cell is not closed"},
      {"id\n\"a\"b\n", "2:4+1 data/syntax: text stands after a closing quote"},
      {"id\na\"b\"\n",
       "2:2+1 data/syntax: a quote stands inside a cell that does not begin with one"},
      {"id\na\rb\n", "2:2+1 data/syntax: a carriage return without a line feed"},
      {"id\n\xFF\n", "2:1+1 data/encoding: this byte is not valid UTF-8"},
  }));
  CAPTURE(text);
  CHECK(read(text) == fault);
}

TEST_CASE("a row of another length is reported and left out", "[data]") {
  CHECK(read("id,value\na\nb,2\nc,3,4\n") ==
        "3: b@3:1+1 2@3:3+1\n"
        "2:1+1 data/row-length: the row has 1 cells, the table has 2 columns\n"
        "4:1+1 data/row-length: the row has 3 cells, the table has 2 columns");
}

TEST_CASE("a column that is not known is a warning or kept, as asked", "[data]") {
  CHECK(read("id,extra\na,b\n", UnknownColumns::keep) == "2: a@2:1+1 b@2:3+1\n");
  CHECK(read("id,extra\na,b\n", UnknownColumns::warn) ==
        "2: a@2:1+1 b@2:3+1\n1:4+5 data/unknown-key: unknown column 'extra'");
}

TEST_CASE("a table has bounds", "[data]") {
  CHECK(read("id" + std::string(300, ',') + "\n").find("data/too-long: a row of more than 256") !=
        std::string::npos);
  const std::string long_row = "id\n" + std::string(data::kMaxCsvRowBytes + 1, 'a') + "\n";
  CHECK(read(long_row) == "2:1+1 data/too-long: a row longer than 1 MiB");
  const std::string open = "id\n\"" + std::string(data::kMaxCsvRowBytes + 1, 'a') + "\"\n";
  CHECK(read(open) == "2:1+1 data/syntax: a quoted cell is not closed");
}

TEST_CASE("numbers and dates are read with their place", "[data]") {
  diag::Buffer faults;
  auto table = CsvReader::open(diag::make_source("a.csv",
                                                 "id,value,note\na,1.5,2026-01-02\n"
                                                 "b,\"1,5\",2026-13-01\nc,12x,\n"),
                               kKnown, UnknownColumns::refuse, faults);
  REQUIRE(table);
  const auto date = [](std::string_view text) { return Date::parse(text); };
  const data::CsvRow* row = table->next();
  REQUIRE(row != nullptr);
  CHECK(row->number("value", faults) == 1.5);
  CHECK(row->convert<Date>("note", "data/bad-date", date, faults).has_value());
  CHECK_FALSE(row->number("missing", faults).has_value());
  row = table->next();
  REQUIRE(row != nullptr);
  CHECK_FALSE(row->number("value", faults).has_value());
  CHECK_FALSE(row->convert<Date>("note", "data/bad-date", date, faults).has_value());
  row = table->next();
  REQUIRE(row != nullptr);
  CHECK_FALSE(row->number("value", faults).has_value());
  CHECK_FALSE(row->convert<Date>("note", "data/bad-date", date, faults).has_value());
  CHECK(table->next() == nullptr);
  CHECK(data::test::faults_of(faults) ==
        "3:3+5 data/bad-number: column 'value': '1,5' is not a number\n"
        "3:9+10 data/bad-date: column 'note': '2026-13-01' is a day that does not exist\n"
        "4:3+3 data/bad-number: column 'value': '12x' is not a number");
}
