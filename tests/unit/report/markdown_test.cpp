#include "catch.h"

#include "gpusel/report/format.h"

namespace gpusel::report {
namespace {

std::string as_markdown(const Section& section) {
  Document document;
  document.sections = {section};
  return find_format("markdown")->write(document, {});
}

std::string cell(const std::string& content) {
  Table table;
  table.columns = {{"a", "a", Align::left, 0}};
  table.rows = {{text(content)}};
  const std::string out = as_markdown(Section{"", {}, table});
  return out.substr(std::string_view("| a |\n| --- |\n").size());
}

TEST_CASE("Markdown cells can't bring cells, lines, links or markup", "[report]") {
  CHECK(cell("a|b") == "| a\\|b |\n");
  CHECK(cell("a\\|b") == "| a\\\\\\|b |\n");
  CHECK(cell("a\r\nb") == "| a<br>b |\n");
  CHECK(cell("<script>") == "| \\<script> |\n");
  CHECK(cell("![x](http://evil)") == "| !\\[x](http://evil) |\n");
  CHECK(cell("*b* `c`") == "| \\*b\\* \\`c\\` |\n");
}

TEST_CASE("Markdown leaves underscores inside ids alone", "[report]") {
  CHECK(cell("p5_48") == "| p5_48 |\n");
  CHECK(cell("_x_") == "| \\_x\\_ |\n");
}

TEST_CASE("a plain Markdown line is no heading and no list", "[report]") {
  CHECK(as_markdown(Section{"", {{"", "# a"}, {"", "- b"}}, {}}) == "\\# a\n\n\\- b\n");
}

TEST_CASE("an empty Markdown table prints its text", "[report]") {
  Table table;
  table.columns = {{"a", "a", Align::left, 0}};
  table.empty_text = "No offer fits.";
  CHECK(as_markdown(Section{"Offers", {}, table}) == "## Offers\n\nNo offer fits.\n");
}

TEST_CASE("Markdown of nothing is nothing", "[report]") {
  CHECK(find_format("markdown")->write(Document{}, {}).empty());
}

}  // namespace
}  // namespace gpusel::report
