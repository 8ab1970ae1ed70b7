// UTF-8, terminal width, hostile characters, globs and the small helpers.
#include "gpusel/base/text.h"

#include "catch.h"

#include "gpusel/base/id.h"

#include <optional>
#include <string>
#include <tuple>
#include <vector>

using namespace gpusel;

TEST_CASE("the first byte that is not UTF-8 is found", "[base]") {
  const auto [text, at] = GENERATE(table<std::string, std::optional<std::size_t>>({
      {"", std::nullopt},
      {"plain", std::nullopt},
      {"阿里云", std::nullopt},
      {"\xF0\x9F\x9A\x80", std::nullopt},  // a rocket
      {"\xF4\x8F\xBF\xBF", std::nullopt},  // the last code point
      {"\xED\x9F\xBF", std::nullopt},      // just below the surrogates
      {"ab\xFF", 2},
      {"\x80", 0},      // a continuation alone
      {"\xC0\xAF", 0},  // overlong '/'
      {"\xC1\xBF", 0},
      {"\xE0\x80\xAF", 0},
      {"\xE0\x9F\xBF", 0},
      {"\xF0\x80\x80\xAF", 0},
      {"\xF0\x8F\xBF\xBF", 0},
      {"a\xED\xA0\x80", 1},     // a high surrogate
      {"\xED\xBF\xBF", 0},      // a low surrogate
      {"\xF4\x90\x80\x80", 0},  // above U+10FFFF
      {"\xF5\x80\x80\x80", 0},
      {"\xE4\xB8", 0},  // cut short
      {"x\xE4\xB8y", 1},
  }));
  CAPTURE(text);
  CHECK(invalid_utf8_at(text) == at);
}

TEST_CASE("width counts terminal cells", "[base]") {
  const auto [text, cells] = GENERATE(table<std::string, std::size_t>({
      {"", 0},           {"abc", 3},
      {"é", 1},                              // one code point
      {"e\u0301", 1},                        // with a combining accent
      {"阿里云", 6},     {"ＡＢ", 4},        // fullwidth letters
      {"￥", 2},                             // fullwidth sign
      {"ｱ", 1},                              // halfwidth katakana
      {"か\u3099", 2},                       // combining voiced mark
      {"한국", 4},       {"\U0001F680", 2},  // rocket
      {"\U0001F6D2", 2},                     // shopping trolley
      {"\U0001F916", 2},                     // robot
      {"\U0001F9FF", 2},                     // nazar amulet
      {"\U0001FAE0", 2},                     // melting face
      {"\u2705", 2},                         // check mark
      {"\u26A1", 2},                         // high voltage
      {"\u2713", 1},                         // a plain check mark is narrow
      {"\U0001F6F0", 1},                     // satellite: narrow without a variation selector
      {"\U00020000", 2},                     // rare Chinese character
      {"…", 1},          {"\u200B\uFEFF\u2060", 0},  // zero-width characters
      {"\xFF", 1},                                   // a bad byte takes a cell
  }));
  CAPTURE(text);
  CHECK(display_width(text) == cells);
}

TEST_CASE("a prefix of a width never cuts a character", "[base]") {
  CHECK(prefix_of_width("abc", 2) == "ab");
  CHECK(prefix_of_width("阿里云", 3) == "阿");
  CHECK(prefix_of_width("阿里云", 4) == "阿里");
  CHECK(prefix_of_width("e\u0301x", 1) == "e\u0301");
  CHECK(prefix_of_width("abc", 9) == "abc");
  CHECK(prefix_of_width("阿", 1) == "");
}

TEST_CASE("columns count code points", "[base]") {
  CHECK(code_points("") == 0);
  CHECK(code_points("a阿é") == 3);
  CHECK(code_points("\U0001F680") == 1);
}

TEST_CASE("hostile characters are made visible", "[base]") {
  const auto [text, shown] = GENERATE(table<std::string, std::string>({
      {"plain 阿里云 \U0001F680", "plain 阿里云 \U0001F680"},
      {"\x1b[31mred", "\\x1b[31mred"},
      {"a\nb\tc\r", "a\\x0ab\\x09c\\x0d"},
      {std::string("a\0b", 3), "a\\x00b"},
      {"\x7F", "\\x7f"},
      {"\u009B31m", "\\xc2\\x9b31m"},         // C1: another way to begin an escape sequence
      {"\u202Eevil", "\\xe2\\x80\\xaeevil"},  // right-to-left override
      {"\u2066x\u2069", "\\xe2\\x81\\xa6x\\xe2\\x81\\xa9"},
      {"\u200E\u200F", "\\xe2\\x80\\x8e\\xe2\\x80\\x8f"},  // LRM, RLM
      {"\u061C", "\\xd8\\x9c"},                            // Arabic letter mark
      {"a\u2028b\u2029", "a\\xe2\\x80\\xa8b\\xe2\\x80\\xa9"},
      {"\xFF", "\\xff"},
      {"\xC3", "\\xc3"},
      {"\u00A0", "\u00A0"},  // just above C1
  }));
  CHECK(printable(text) == shown);
  CHECK(printable(printable(text)) == shown);
}

TEST_CASE("a glob matches a whole text", "[base]") {
  const auto [pattern, text, matches] = GENERATE(table<std::string, std::string, bool>({
      {"", "", true},
      {"", "a", false},
      {"*", "", true},
      {"*", "anything", true},
      {"p5.*", "p5.48xlarge", true},
      {"p5.*", "p4d.24xlarge", false},
      {"*xlarge", "p5.48xlarge", true},
      {"p?.48*", "p5.48xlarge", true},
      {"p?", "p", false},
      {"P5", "p5", false},
      {"a*b*c", "a-b-b-c", true},
      {"a*b*c", "a-c-b", false},
      {"**", "x", true},
      {"?", "云", true},  // one code point
      {"??", "云", false},
      {"*??", "云", false},
      {"*云", "阿里云", true},
  }));
  CAPTURE(pattern, text);
  CHECK(glob_match(pattern, text) == matches);
}

TEST_CASE("a glob of many stars ends soon", "[base]") {
  std::string pattern;
  for (int i = 0; i < 50; ++i) pattern += "*a";
  CHECK_FALSE(glob_match(pattern + "b", std::string(5000, 'a')));
}

TEST_CASE("the small helpers do what their names say", "[base]") {
  CHECK(trim(" \t a b \r\n") == "a b");
  CHECK(trim("  ") == "");
  CHECK(split("a,,b", ',') == std::vector<std::string_view>{"a", "", "b"});
  CHECK(split("", ',') == std::vector<std::string_view>{""});
  CHECK(to_lower("ÄBC-X9") == "Äbc-x9");  // ASCII only
  CHECK(replace_all("a-b-c", '-', '_') == "a_b_c");
  CHECK(join({"a", "b"}, ", ") == "a, b");
  CHECK(join({}, ", ") == "");
}

TEST_CASE("an id has letters, digits and three marks", "[base]") {
  const auto [text, valid] = GENERATE(table<std::string, bool>({
      {"a", true},
      {"nvidia-h100-sxm5-80gb", true},
      {"p5.48xlarge", true},
      {"Standard_ND96", true},
      {"9x", true},
      {"", false},
      {"-a", false},
      {".a", false},
      {"a b", false},
      {"a/b", false},
      {"a\n", false},
      {"云", false},
      {std::string(128, 'a'), true},
      {std::string(129, 'a'), false},
  }));
  CAPTURE(text);
  CHECK(is_valid_id(text) == valid);
}

TEST_CASE("ids compare by their text", "[base]") {
  CHECK(GpuId("a") == GpuId(std::string("a")));
  CHECK(GpuId("a") < GpuId("b"));
  CHECK(GpuId().empty());
  CHECK(std::hash<GpuId>()(GpuId("a")) == std::hash<std::string>()("a"));
}
