// The compact tree of built-in data is the tree of its text.
#include "gpusel/data/baked.h"

#include "catch.h"
#include "unit/data/faults.h"

#include "gpusel/base/bug.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace gpusel;
using namespace gpusel::data;
namespace fs = std::filesystem;

namespace {

const fs::path kDataFolder = fs::path(__FILE__).parent_path() / "../../../data";

void check_identity(const std::string& name, const std::string& text) {
  diag::Buffer sink;
  const diag::SourcePtr source = diag::make_source(name, text);
  const std::optional<Document> document = parse_yaml(source, sink);
  CAPTURE(name, test::faults_of(sink));
  REQUIRE(document);
  const std::string tree = encode_tree(*document);
  const Document back = decode_tree(source, tree);
  REQUIRE(back.nodes().size() == document->nodes().size());
  for (std::size_t i = 0; i < back.nodes().size(); ++i) {
    const Node& a = document->nodes()[i];
    const Node& b = back.nodes()[i];
    if (a.kind == b.kind && a.line == b.line && a.column == b.column && a.end == b.end &&
        a.text == b.text)
      continue;
    FAIL("node " << i << " '" << a.text << "' of line " << a.line << " came back as '" << b.text
                 << "' of line " << b.line);
  }
  CHECK(encode_tree(back) == tree);
  const FirstEntry first = first_entry(source, tree);
  const NodeRef root = document->root();
  if (root.is_map() && root.size() > 0) {
    CHECK(first.key == root.begin().key().text());
    CHECK(first.value == (*root.begin()).text());
  } else {
    CHECK(first.key.empty());
  }
}

}  // namespace

TEST_CASE("the trees of all shipped data files come back whole", "[data]") {
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(kDataFolder)) {
    if (entry.path().extension() != ".yaml") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    check_identity(entry.path().filename().string(), text.str());
    ++files;
  }
  CHECK(files > 50);
}

TEST_CASE("the trees of odd documents come back whole", "[data]") {
  const std::string text =
      GENERATE("x", "''", "~", "[]", "{}", "a:", "a:\n", "a: \"\"\n", "\n\n# c\n\na: ''\nb:\n",
               "a: \"tab\\tand \\u4e91 \\\"q\\\"\"\nb: plain\n", "a: 'it''s'\nb: ~\n",
               "a: >\n  folded\n  text\n\nb: |\n  kept\n  lines\nc: 1\n",
               "a: >-\n  folded\n\n  twice\nb: |+\n  x\n\n\nc: end\n",
               "a: one\n  two\n  three\nb: x\n", "\"quoted key\": 'v'\n? plain\n: v\n",
               "- - - a\n    - b\n  - c\n- {x: [1, {y: ''}], z: ~}\n", "云: 阿里\n键: \"值\\n\"\n",
               "a: \"line one\n  line two\"\nb: 2\n", "a: 1\r\nb: \"x\"\r\nc: [1,\r\n 2]\r\n",
               "---\na: 1\n...\n", "\xEF\xBB\xBFprovider: x\na: 1\n");
  check_identity("odd.yaml", text);
}

TEST_CASE("long lines, long texts and many lines come back whole", "[data]") {
  check_identity("long.yaml",
                 "a: " + std::string(100000, 'x') + "\nb: [" + std::string(5000, ' ') + "y]\n");
  check_identity("far.yaml", "a: 1\n" + std::string(100000, '\n') + "b: \"\\t" +
                                 std::string(3000, 'z') + "\"\n");
}

TEST_CASE("the first entry is found behind comments, blank lines and markers", "[data]") {
  const std::string before = GENERATE("", "# comment\n", "\n\n", "# a\n\n  # b: c\n\n", "---\n",
                                      "# colon: in comment\n---\n");
  diag::Buffer sink;
  const diag::SourcePtr source =
      diag::make_source("a", before + "provider: \"aws\"  # comment\nname: AWS\n");
  const auto document = parse_yaml(source, sink);
  REQUIRE(document);
  const FirstEntry first = first_entry(source, encode_tree(*document));
  CHECK(first.key == "provider");
  CHECK(first.value == "aws");
}

TEST_CASE("a tree that was not encoded is a bug", "[data]") {
  const diag::SourcePtr source = diag::make_source("a", "a: 1\n");
  const std::string tree = GENERATE("", "x000", "q", "p0", "Q00Zabc", "p999");
  CAPTURE(tree);
  CHECK_THROWS_AS(decode_tree(source, tree), BugError);
}

TEST_CASE("texts that stand in the source are not copied", "[data]") {
  diag::Buffer sink;
  const diag::SourcePtr source =
      diag::make_source("a", "a: plain\nb: 'quoted'\nc: \"esc\\taped\"\n");
  const auto document = parse_yaml(source, sink);
  REQUIRE(document);
  const std::string tree = encode_tree(*document);
  CHECK(tree.find("plain") == std::string::npos);
  CHECK(tree.find("quoted") == std::string::npos);
  CHECK(tree.find("esc\taped") != std::string::npos);
}
