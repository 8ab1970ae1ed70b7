// Diagnostics as text.
#include "gpusel/diag/render.h"

#include "catch.h"

#include "gpusel/base/text.h"

#include <string>

using namespace gpusel;
using namespace gpusel::diag;

namespace {

std::string shown(Diagnostic d, const RenderOptions& options = {}) {
  return render({std::move(d)}, options);
}

// The lines of a text.
std::vector<std::string_view> lines_of(const std::string& text) { return split(text, '\n'); }

// A fault of `length` bytes at the text `part` of a one-line source.
Diagnostic fault_at(const std::string& line, const std::string& part, std::size_t length) {
  return error("x/code", {make_source("a.yaml", line), 1, line.find(part) + 1, length}, "wrong");
}

// The part of the excerpt that stands above the carets.
std::string marked(const std::string& text) {
  const std::vector<std::string_view> lines = lines_of(text);
  const std::string_view carets = lines.at(2);
  const std::size_t first = carets.find('^');
  const std::size_t count = carets.rfind('^') - first + 1;
  const std::string_view before = prefix_of_width(lines.at(1), first);
  return std::string(prefix_of_width(lines.at(1).substr(before.size()), count));
}

}  // namespace

TEST_CASE("a diagnostic shows its place, excerpt, path and help", "[diag]") {
  const SourcePtr source = make_source("bad.yaml", "offers:\n  - memroy: 640 GB\n");
  Diagnostic d = error("data/unknown-key", {source, 2, 5, 6}, "unknown key 'memroy'")
                     .with_help("did you mean 'memory'?")
                     .with_path("$.offers[0]");
  d.notes.emplace_back("seen twice");
  CHECK(shown(d) ==
        "bad.yaml:2:5: error: unknown key 'memroy' [data/unknown-key]\n"
        " 2 |   - memroy: 640 GB\n"
        "   |     ^^^^^^\n"
        "   at $.offers[0]\n"
        "   note: seen twice\n"
        "   help: did you mean 'memory'?\n");
}

TEST_CASE("a diagnostic without a place has a first line only", "[diag]") {
  CHECK(shown(error("x/y", {}, "no such file")) == "gpusel: error: no such file [x/y]\n");
  CHECK(shown(warning("", {make_source("a.yaml", "text"), 0, 0, 0}, "odd")) ==
        "a.yaml: warning: odd\n");
}

TEST_CASE("columns and carets count what people see", "[diag]") {
  const std::string text = shown(fault_at("label: 阿里云 华东, memory: 80", "80", 2));
  CHECK(lines_of(text)[0].substr(0, 12) == "a.yaml:1:24:");  // code points, not bytes
  CHECK(marked(text) == "80");
  CHECK(lines_of(text)[2] == "   | " + std::string(28, ' ') + "^^");
  CHECK(marked(shown(fault_at("label: 阿里云 x", "阿里", 6))) == "阿里");
  CHECK(marked(shown(fault_at("\U0001F680\U0001F680 bad", "bad", 3))) == "bad");
  CHECK(marked(shown(fault_at("e\u0301e\u0301 bad", "bad", 3))) == "bad");
}

TEST_CASE("a span inside a character marks the whole character", "[diag]") {
  const SourcePtr source = make_source("a", "阿里");
  CHECK(marked(shown(error("", {source, 1, 2, 1}, "m"))) == "阿");
  CHECK(marked(shown(error("", {source, 1, 3, 2}, "m"))) == "阿里");
}

TEST_CASE("control characters keep the caret in line", "[diag]") {
  const std::string text = shown(fault_at("a:\tb\x1b[31m bad", "bad", 3));
  CHECK(lines_of(text)[1] == " 1 | a:\\x09b\\x1b[31m bad");
  CHECK(marked(text) == "bad");
  const SourcePtr source = make_source("evil\x1b[2J.yaml", "x");
  CHECK(shown(error("", {source, 1, 1, 1}, "a\nb").with_help("c\rd")) ==
        "evil\\x1b[2J.yaml:1:1: error: a\\x0ab\n 1 | x\n   | ^\n   help: c\\x0dd\n");
}

TEST_CASE("a long line is cut around the caret", "[diag]") {
  const std::string tail = std::string(300, 'y');
  RenderOptions narrow;
  narrow.excerpt_width = 40;
  const std::string late = shown(fault_at(std::string(300, 'x') + "BAD" + tail, "BAD", 3), narrow);
  CHECK(lines_of(late)[1] == " 1 | …" + std::string(20, 'x') + "BAD" + std::string(16, 'y') + "…");
  CHECK(marked(late) == "BAD");
  const std::string early = shown(fault_at("BAD" + tail, "BAD", 3), narrow);
  CHECK(lines_of(early)[1] == " 1 | BAD" + std::string(37, 'y') + "…");
  std::string chinese;
  for (int i = 0; i < 100; ++i) chinese += "云";
  const std::string wide = shown(fault_at(chinese + "BAD" + chinese, "BAD", 3), narrow);
  CHECK(marked(wide) == "BAD");
  CHECK(display_width(lines_of(wide)[1]) <= 5 + 40 + 2);
  const std::string whole_line =
      shown(fault_at(tail, "y", 300), narrow);  // a fault longer than the window
  CHECK(marked(whole_line) == std::string(20, 'y'));
  const std::string at_width = shown(fault_at(std::string(37, 'x') + "BAD", "BAD", 3), narrow);
  CHECK(lines_of(at_width)[1] == " 1 | " + std::string(37, 'x') + "BAD");
}

TEST_CASE("a very long line is cut in time that grows with its length", "[diag]") {
  const std::string line = std::string(2000000, 'x') + "BAD";
  CHECK(marked(shown(fault_at(line, "BAD", 3))) == "BAD");
}

TEST_CASE("a place beyond its line marks the end", "[diag]") {
  const std::string text = shown(error("", {make_source("a", "ab\n"), 1, 9, 4}, "m"));
  CHECK(text == "a:1:3: error: m\n 1 | ab\n   |   ^\n");
  CHECK(shown(error("", {make_source("a", "ab\n"), 7, 1, 1}, "m")) == "a:7:1: error: m\n");
  CHECK(marked(shown(error("", {make_source("a", "abc"), 1, 2, 50}, "m"))) == "bc");
}

TEST_CASE("the faults of one source are limited, those of another are not", "[diag]") {
  const SourcePtr a = make_source("a.yaml", "x\n");
  const SourcePtr b = make_source("b.yaml", "x\n");
  std::vector<Diagnostic> all;
  for (int i = 0; i < 5; ++i) all.push_back(error("", {a, 0, 0, 0}, "a" + std::to_string(i)));
  all.push_back(error("", {b, 0, 0, 0}, "b"));
  for (int i = 0; i < 3; ++i) all.push_back(error("", {}, "n"));
  RenderOptions options;
  options.most_per_source = 2;
  CHECK(
      render(all, options) ==
      "a.yaml: error: a0\na.yaml: error: a1\nb.yaml: error: b\ngpusel: error: n\ngpusel: error: n\n"
      "gpusel: 1 more not shown\na.yaml: 3 more not shown\n");
}

TEST_CASE("colour is only used where it is asked for", "[diag]") {
  RenderOptions colourful;
  colourful.colour = Colour::yes;
  const std::string text = shown(fault_at("x BAD", "BAD", 3), colourful);
  CHECK(text ==
        "a.yaml:1:3: \x1b[1;31merror\x1b[0m: wrong [x/code]\n 1 | x BAD\n   |   "
        "\x1b[1;31m^^^\x1b[0m\n");
  CHECK(shown(warning("", {}, "w"), colourful) == "gpusel: \x1b[1;33mwarning\x1b[0m: w\n");
}
