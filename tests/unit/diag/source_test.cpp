// Sources and their lines.
#include "gpusel/diag/source.h"

#include "catch.h"

#include <string>

using namespace gpusel::diag;

TEST_CASE("lines are found by their number, without their ends", "[diag]") {
  const SourcePtr source = make_source("a.yaml", "one\r\ntwo\n\nfour");
  CHECK(line_text(*source, 0) == "");
  CHECK(line_text(*source, 1) == "one");
  CHECK(line_text(*source, 2) == "two");
  CHECK(line_text(*source, 3) == "");
  CHECK(line_text(*source, 4) == "four");
  CHECK(line_text(*source, 5) == "");
  CHECK(line_text(*make_source("empty", ""), 1) == "");
}

TEST_CASE("a source owns a text or refers to one", "[diag]") {
  static constexpr std::string_view kText = "a\nb\n";
  const SourcePtr refers = make_static_source("<builtin>/a.yaml", kText);
  CHECK(refers->text.data() == kText.data());
  CHECK(line_text(*refers, 2) == "b");
  const SourcePtr owns = make_source("short", "ab");  // short texts move with their string
  CHECK(owns->text == "ab");
  CHECK(owns->text.data() == owns->owned.data());
}

TEST_CASE("the lines of a long text cost no search", "[diag]") {
  constexpr std::size_t kLines = 200000;
  std::string text;
  for (std::size_t i = 0; i < kLines; ++i) text += "0123456789012345678901234567890123456789\n";
  const SourcePtr source = make_source("long.yaml", std::move(text));
  std::size_t cells = 0;
  // A search from the start for each of them would read 800 GB.
  for (std::size_t line = 1; line <= kLines; ++line) cells += line_text(*source, line).size();
  CHECK(cells == kLines * 40);
}
