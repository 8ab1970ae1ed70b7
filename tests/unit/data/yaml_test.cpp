// The accepted subset of YAML: what the parser library would let through is refused at its place.
#include "catch.h"
#include "unit/data/faults.h"

#include "gpusel/data/document.h"

#include <string>
#include <tuple>

using namespace gpusel;
using data::test::outcome;

namespace {

std::string yaml(const std::string& text) { return outcome("a.yaml", text); }

std::string nested(std::size_t levels) {
  return "a: " + std::string(levels, '[') + std::string(levels, ']');
}

}  // namespace

TEST_CASE("a tree has kinds, texts and places", "[data]") {
  CHECK(yaml("a: 1\nb: [x, 'y', \"\"]\nc:\n  d: ~\n") ==
        "{a@1:1: 1@1:4, b@2:1: [x@2:5, 'y'@2:8, ''@2:13]@2:4, c@3:1: {d@4:3: ~@4:6}@4:3}@1:1");
  CHECK(yaml("- a\n- - b\n") == "[a@1:3, [b@2:5]@2:3]@1:1");
  CHECK(yaml("plain") == "plain@1:1");
}

TEST_CASE("columns count bytes, so that spans cut the text rightly", "[data]") {
  CHECK(yaml("- {id: cn, label: \"阿里云 华东\", memory: 80}\n") ==
        "[{id@1:4: cn@1:8, label@1:12: '阿里云 华东'@1:19, memory@1:39: 80@1:47}@1:3]@1:1");
  CHECK(yaml("云: x\n云2: y\n") == "{云@1:1: x@1:6, 云2@2:1: y@2:7}@1:1");
}

TEST_CASE("what the parser library lets through is refused", "[data]") {
  const auto [text, fault] = GENERATE(table<std::string, std::string>({
      {"a: 1\nb: 2\na: 3\n", "3:1+1 data/duplicate-key: key 'a' stands here a second time"},
      {"{a: 1, 'a': 2}", "1:8+1 data/duplicate-key: key 'a' stands here a second time"},
      {"a: 1\n---\nb: 2\n", "2:1+1 data/second-document: a second YAML document begins here"},
      {"a: 1\n...\nb: 2\n", "3:1+1 data/second-document: a second YAML document begins here"},
      {"x: &name 1\n", "1:4+1 data/anchor: an anchor ('&name') is not accepted"},
      {"x: &name {a: 1}\n", "1:4+1 data/anchor: an anchor ('&name') is not accepted"},
      {"x: &name [1]\n", "1:4+1 data/anchor: an anchor ('&name') is not accepted"},
      {"<<: {a: 1}\n", "1:1+1 data/merge-key: merge keys ('<<') are not accepted"},
      {"a: !!str 1\n", "1:4+1 data/tag: a tag ('tag:yaml.org,2002:str') is not accepted"},
      {"a: !x [1]\n", "1:4+1 data/tag: a tag ('!x') is not accepted"},
      {"a: !x {b: 1}\n", "1:4+1 data/tag: a tag ('!x') is not accepted"},
      {"? [1]\n: 2\n", "1:3+1 data/bad-key: a key must be a plain text, not a list or map"},
      {": 2\n", "1:1+1 data/bad-key: a key is missing before ':'"},
      {"~: 2\n", "1:1+1 data/bad-key: a key is missing before ':'"},
      {"", "1:1+1 data/empty: the file is empty"},
      {"# only a comment\n", "1:1+1 data/empty: the file is empty"},
  }));
  CAPTURE(text);
  CHECK(yaml(text) == fault);
}

TEST_CASE("an alias is refused before it can expand", "[data]") {
  std::string bomb = "a: [x, x]\n";
  CHECK(yaml("a: 1\nb: *a\n").find("data/") != std::string::npos);
  bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 30; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int n = 1; n < 10; ++n) bomb += ", " + before;
    bomb += "]\n";
  }
  CHECK(yaml(bomb) == "1:5+1 data/anchor: an anchor ('&name') is not accepted");
}

TEST_CASE("numbers, booleans and near-maps stay texts for the reader to judge", "[data]") {
  const std::string text =
      GENERATE("010", "0x10", "yes", "on", ".inf", ".nan", "1_000", "1,000", "1e3", "a:1");
  CAPTURE(text);
  CHECK(yaml("k: " + text) == "{k@1:1: " + text + "@1:4}@1:1");
  CHECK(yaml(text) == text + "@1:1");
}

TEST_CASE("nothing is null in all of its forms, but not in quotes", "[data]") {
  const std::string null = GENERATE("~", "null", "");
  CHECK(yaml("k: " + null + "\n").find("{k@1:1: ~@") == 0);
  CHECK(yaml("[a, " + std::string(null.empty() ? "~" : null) + "]") == "[a@1:2, ~@1:5]@1:1");
  CHECK(yaml("k: 'null'") == "{k@1:1: 'null'@1:4}@1:1");
  CHECK(yaml("k: '~'") == "{k@1:1: '~'@1:4}@1:1");
  CHECK(yaml("k: ''") == "{k@1:1: ''@1:4}@1:1");
}

TEST_CASE("32 levels are read, the 33rd is refused where it begins", "[data]") {
  CHECK(yaml(nested(31)).find("data/") == std::string::npos);  // and the map around them
  CHECK(yaml(nested(32)) == "1:35+1 data/too-deep: nested deeper than 32 levels");
  CHECK(yaml(nested(100000)) == "1:35+1 data/too-deep: nested deeper than 32 levels");
  std::string block;
  for (std::size_t i = 0; i < 33; ++i) block += std::string(i, ' ') + "k:\n";
  CHECK(yaml(block + std::string(33, ' ') + "v: 1\n").find("data/too-deep") != std::string::npos);
}

TEST_CASE("bytes that are no UTF-8 and zero bytes are refused at their place", "[data]") {
  CHECK(yaml("a: 1\nb: \xFF\n") == "2:4+1 data/encoding: this byte is not valid UTF-8");
  CHECK(yaml("a: \xED\xA0\x80") == "1:4+1 data/encoding: this byte is not valid UTF-8");
  CHECK(yaml(std::string("a: x\0y\n", 7)) == "1:5+1 data/encoding: a zero byte is not accepted");
  CHECK(outcome("a.json", "[\"\xFF\"]") == "1:3+1 data/encoding: this byte is not valid UTF-8");
}

TEST_CASE("broken syntax has a message that says what to do", "[data]") {
  const auto [text, code] = GENERATE(table<std::string, std::string>({
      {"a: b: c\n", "data/syntax: a ':' stands where no key can be"},
      {"a: {b: 1\n", "data/syntax: a '{' is not closed"},
      {"a: [1, 2\n", "data/syntax: a '[' is not closed"},
      {"a: \"open\\\"", "data/syntax: a quoted text is not closed"},
      {"a: \"open\\\"\n", "1:4+1 data/syntax: a quoted text is not closed"},
      {"a: 'it''s\n", "1:4+1 data/syntax: a quoted text is not closed"},
      {"a: 'open\n", "data/syntax: a quoted text is not closed"},
      {"a: 1\n  b: 2\n", "data/syntax: a ':' stands where no key can be"},
      {"a: @x\n", "data/syntax: this character cannot begin a value"},
  }));
  CAPTURE(text);
  CAPTURE(yaml(text));
  CHECK(yaml(text).find(code) != std::string::npos);
}

TEST_CASE("escaped, folded and block texts are read", "[data]") {
  CHECK(yaml("a: \"x\\ty\\u4e91\"") == "{a@1:1: 'x\ty云'@1:4}@1:1");
  CHECK(yaml("a: >\n  one\n  two\n") == "{a@1:1: 'one two\n'@1:4}@1:1");
  CHECK(yaml("a: one\n  two\n") == "{a@1:1: one two@1:4}@1:1");
  CHECK(yaml("a: 'it''s'\n") == "{a@1:1: 'it's'@1:4}@1:1");
}

TEST_CASE("the span of a text covers its quotes", "[data]") {
  diag::Buffer sink;
  const auto document =
      data::parse_yaml(diag::make_source("a", "[plain, 'quoted', '', ~, [], {}]"), sink);
  REQUIRE(document);
  std::vector<std::size_t> lengths;
  for (const data::NodeRef node : document->root()) lengths.push_back(node.span().length);
  CHECK(lengths == std::vector<std::size_t>{5, 8, 2, 1, 1, 1});
}

TEST_CASE("a node describes itself for messages, without cutting a character", "[data]") {
  std::string chinese;
  for (int i = 0; i < 30; ++i) chinese += "云";
  diag::Buffer sink;
  const auto document =
      data::parse_yaml(diag::make_source("a", "[x, 'y z', ~, [], {}, " + chinese + "]"), sink);
  REQUIRE(document);
  std::vector<std::string> texts;
  for (const data::NodeRef node : document->root()) texts.push_back(node.describe());
  CHECK(texts == std::vector<std::string>{"'x'", "'y z'", "nothing", "a list", "a map",
                                          "'" + chinese.substr(0, 60) + "…'"});
}

TEST_CASE("maps are searched by key", "[data]") {
  diag::Buffer sink;
  const auto document =
      data::parse_yaml(diag::make_source("a", "a: {x: 1, y: [1, 2]}\nb: 2"), sink);
  REQUIRE(document);
  const data::NodeRef root = document->root();
  CHECK(root.size() == 2);
  CHECK(root.find("b")->text() == "2");
  CHECK(root.find("a")->find("y")->size() == 2);
  CHECK_FALSE(root.find("c"));
  CHECK_FALSE(root.find("b")->find("x"));  // not a map
}

TEST_CASE("a map of very many keys is read in time that grows with their number", "[data]") {
  std::string text = "{";
  for (int i = 0; i < 200000; ++i)
    text += (i > 0 ? ",\"key" : "\"key") + std::to_string(i) + "\":1";
  diag::Buffer sink;
  const auto document = data::parse_json(diag::make_source("a.json", text + "}"), sink);
  REQUIRE(document);
  CHECK(document->root().size() == 200000);
}
