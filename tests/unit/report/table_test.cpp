#include "catch.h"
#include "unit/report/sample.h"

#include "gpusel/base/bug.h"
#include "gpusel/base/text.h"
#include "gpusel/report/format.h"

namespace gpusel::report {
namespace {

std::string as_table(const Section& section, const WriteOptions& options) {
  Document document;
  document.sections = {section};
  return find_format("table")->write(document, options);
}

std::string as_table(const Table& table, int width) {
  return as_table(Section{"", {}, table}, {.width = width});
}

std::string facts(std::vector<Fact> lines, int width) {
  return as_table(Section{"", std::move(lines), {}}, {.width = width});
}

TEST_CASE("table lines keep to the width while text can give way", "[report]") {
  for (int width = 36; width < 140; ++width) {
    const std::string out = as_table(sample_table(), width);
    for (const std::string_view line : split(out, '\n')) {
      INFO(width << ": " << line);
      CHECK(display_width(line) <= static_cast<std::size_t>(width));
      CHECK_FALSE(line.ends_with(' '));
    }
  }
}

TEST_CASE("columns go one by one, the highest priority number first", "[report]") {
  Table table;
  table.columns = {{"a", "aaaa", Align::left, 0},
                   {"b", "bbbb", Align::left, 2},
                   {"c", "cccc", Align::left, 1},
                   {"d", "dddd", Align::left, 2}};
  table.rows = {{text("1"), text("2"), text("3"), text("4")}};
  CHECK(as_table(table, 22) == "aaaa  bbbb  cccc  dddd\n1     2     3     4\n");
  CHECK(
      as_table(table, 21).starts_with("aaaa  bbbb  cccc\n1     2     3\ncolumns not shown:\ndddd"));
  CHECK(as_table(table, 15).starts_with("aaaa  cccc\n1     3\ncolumns not\nshown: bbbb,\ndddd"));
  CHECK(as_table(table, 9).starts_with("aaaa\n1\ncolumns\n"));
}

TEST_CASE("a text column is shortened to 12 cells and no further", "[report]") {
  Table table;
  table.columns = {{"name", "name", Align::left, 0}, {"n", "n", Align::right, 0}};
  table.rows = {{text("abcdefghijklmnopqrstuvwxyz"), whole(123456789)}};
  CHECK(as_table(table, 25) == "name                    n\nabcdefghijklm…  123456789\n");
  CHECK(as_table(table, 5) == "name                  n\nabcdefghijk…  123456789\n");
}

TEST_CASE("a title is never cut", "[report]") {
  Table table;
  table.columns = {{"a", "a title of 19 cells", Align::left, 0}};
  table.rows = {{text("abcdefghijklmnopqrstuvwxyz")}};
  CHECK(as_table(table, 10) == "a title of 19 cells\nabcdefghijklmnopqr…\n");
}

TEST_CASE("the widest text column gives way first", "[report]") {
  Table table;
  table.columns = {{"a", "a", Align::left, 0}, {"b", "b", Align::left, 0}};
  table.rows = {{text("sixteen cells 16"), text("a text of twenty two 22")}};
  CHECK(as_table(table, 38) == "a                 b\nsixteen cells 16  a text of twenty tw…\n");
}

TEST_CASE("numbers are never cut, in a left-aligned column neither", "[report]") {
  Table table;
  table.columns = {{"n", "n", Align::left, 0}};
  table.rows = {{whole(1234567890123456789)}, {money("12345678901234567.00")}};
  CHECK(as_table(table, 8) == "n\n1234567890123456789\n$12345678901234567.00\n");
}

TEST_CASE("wide characters are cut whole and keep the columns aligned", "[report]") {
  Table table;
  table.columns = {{"a", "名称", Align::left, 0}, {"b", "n", Align::right, 0}};
  table.rows = {{text("华东二区上海金融云实例"), whole(1)}, {text("ab"), whole(22)}};
  CHECK(as_table(table, 16) == "名称           n\n华东二区上…    1\nab            22\n");
}

TEST_CASE("an empty table prints its text, or nothing", "[report]") {
  Table table;
  table.columns = {{"a", "a", Align::left, 0}};
  CHECK(as_table(table, 80).empty());
  table.empty_text = "No offer fits \x1b[0m.";
  CHECK(as_table(table, 80) == "No offer fits \\x1b[0m.\n");
}

TEST_CASE("a row of another length is a bug", "[report]") {
  Table table = sample_table();
  table.rows.back().pop_back();
  CHECK_THROWS_AS(as_table(table, 100), BugError);
}

TEST_CASE("colour is bold for a heading and underlined for a header", "[report]") {
  Section section{"Title", {{"label", "text"}}, Table{}};
  section.table->columns = {{"a", "head", Align::left, 0}};
  section.table->rows = {{text("x")}};
  CHECK(as_table(section, {.width = 80, .colour = diag::Colour::yes}) ==
        "\x1b[1mTitle\x1b[0m\nlabel   text\n\n\x1b[4mhead\x1b[0m\nx\n");
  CHECK(as_table(section, {.width = 80}) == "Title\nlabel   text\n\nhead\nx\n");
}

TEST_CASE("facts wrap with a hanging indent", "[report]") {
  CHECK(facts({{"a", "one two three four five six"}, {"long", "x"}}, 27) ==
        "a      one two three four\n       five six\nlong   x\n");
}

TEST_CASE("facts without a label are plain lines, or go on with the one before", "[report]") {
  CHECK(facts({{"", "plain"}, {"a", "b"}, {"", "c"}}, 80) == "plain\na   b\n    c\n");
}

TEST_CASE("facts go below their labels where the width is too small", "[report]") {
  CHECK(facts({{"a long label", "some text"}, {"empty", ""}}, 30) ==
        "a long label\n  some text\nempty\n");
}

TEST_CASE("spaces are kept within a line and dropped at its ends", "[report]") {
  CHECK(facts({{"", "  a  b   c "}}, 5) == "a  b\nc\n");
}

TEST_CASE("a word wider than the line stays whole", "[report]") {
  CHECK(facts({{"", "see https://example.com/pricing now"}}, 20) ==
        "see\nhttps://example.com/pricing\nnow\n");
  CHECK(facts({{"", "https://example.com/pricing"}}, 20) == "https://example.com/pricing\n");
}

TEST_CASE("Chinese breaks between characters but not beside brackets and marks", "[report]") {
  CHECK(facts({{"", "显存足够，价格（最低）"}}, 8) == "显存足\n够，价格\n（最低）\n");
  CHECK(facts({{"", "价格合理（最低）"}}, 10) == "价格合理\n（最低）\n");
  CHECK(facts({{"", "显存abc价格"}}, 6) == "显存\nabc价\n格\n");
}

TEST_CASE("sections are parted by one empty line, empty ones leave none", "[report]") {
  Document document;
  document.sections = {Section{"A", {}, {}}, Section{}, Section{"B", {}, {}}};
  CHECK(find_format("table")->write(document, {}) == "A\n\nB\n");
}

}  // namespace
}  // namespace gpusel::report
