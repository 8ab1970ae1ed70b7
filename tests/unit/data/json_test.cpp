// JSON: the same tree and limits as YAML, with the place of every value.
#include "catch.h"
#include "unit/data/faults.h"

#include <string>
#include <tuple>

using namespace gpusel;

namespace {

std::string json(const std::string& text) { return data::test::outcome("a.json", text); }

}  // namespace

TEST_CASE("JSON values have the places of their first characters", "[data]") {
  CHECK(json("{\"a\": 1, \"b\": [true, null, 2.50, \"x\"]}") ==
        "{'a'@1:2: 1@1:7, 'b'@1:10: [true@1:16, ~@1:22, 2.50@1:28, 'x'@1:34]@1:15}@1:1");
  CHECK(json("{\n  \"a\" :\n    12\n  ,\n  \"b\":-3e2 }") ==
        "{'a'@2:3: 12@3:5, 'b'@5:3: -3e2@5:7}@1:1");
  CHECK(json("[1,2,[3],{\"a\":4}]") == "[1@1:2, 2@1:4, [3@1:7]@1:6, {'a'@1:11: 4@1:15}@1:10]@1:1");
  CHECK(json("12") == "12@1:1");
  CHECK(json("  \"x\"  \n") == "'x'@1:3");
  CHECK(json("[[], {}]") == "[[]@1:2, {}@1:6]@1:1");
}

TEST_CASE("escapes and Chinese texts don't shift what follows", "[data]") {
  CHECK(json("[\"\\u4e91\\n\\\"\\\\\", 7]") == "['云\n\"\\'@1:2, 7@1:18]@1:1");
  CHECK(json("[\"阿里\", \"云\"]") == "['阿里'@1:2, '云'@1:12]@1:1");
  CHECK(json("[\"a,b:[c]\", 1]") == "['a,b:[c]'@1:2, 1@1:13]@1:1");
}

TEST_CASE("numbers keep their digits", "[data]") {
  const std::string number = GENERATE("0", "-0", "1.0", "98.32", "18446744073709551616",
                                      "123456789012345678901234567890", "1e3", "1E+2", "0.1000");
  CHECK(json("[" + number + ", 1]") ==
        "[" + number + "@1:2, 1@1:" + std::to_string(number.size() + 4) + "]@1:1");
}

TEST_CASE("what is not JSON, or ambiguous, is refused at its place", "[data]") {
  const auto [text, fault] = GENERATE(table<std::string, std::string>({
      {"{\"a\": 1,\n \"a\": 2}", "2:2+1 data/duplicate-key: key 'a' stands here a second time"},
      {"{\"a\": 1, \"\\u0061\": 2}",
       "1:10+1 data/duplicate-key: key 'a' stands here a second time"},
      {"[NaN]", "1:2+1 data/syntax: this is not JSON"},
      {"[Infinity]", "1:2+1 data/syntax: this is not JSON"},
      {"[1] x", "1:5+1 data/syntax: this is not JSON"},
      {"[1]\n[2]", "2:1+1 data/syntax: this is not JSON"},
      {"[1,]", "1:4+1 data/syntax: this is not JSON"},
      {"{\"a\" 1}", "1:6+1 data/syntax: this is not JSON"},
      {"[01]", "1:4+1 data/syntax: this is not JSON"},
      {"[1", "1:3+1 data/syntax: this is not JSON"},
      {"", "1:1+1 data/syntax: this is not JSON"},
      {"// comment\n1", "1:1+1 data/syntax: this is not JSON"},
      {"[1e400]", "1:6+1 data/syntax: a number before this place is too large"},
  }));
  CAPTURE(text);
  CHECK(json(text) == fault);
}

TEST_CASE("JSON nests 32 levels", "[data]") {
  const auto nested = [](std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
  };
  CHECK(json(nested(32)).find("data/") == std::string::npos);
  CHECK(json(nested(33)) == "1:33+1 data/too-deep: nested deeper than 32 levels");
  CHECK(json(nested(1000000)) == "1:33+1 data/too-deep: nested deeper than 32 levels");
}

TEST_CASE("the ending of a name chooses the reader", "[data]") {
  CHECK(data::test::outcome("a.yaml", "a: 1") == "{a@1:1: 1@1:4}@1:1");
  CHECK(data::test::outcome("a.json", "a: 1").find("this is not JSON") != std::string::npos);
  CHECK(data::test::outcome("<standard input>", "{\"a\": 1}") == "{'a'@1:2: 1@1:7}@1:1");
}
