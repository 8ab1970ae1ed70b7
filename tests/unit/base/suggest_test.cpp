// Edit distance and suggestions.
#include "gpusel/base/suggest.h"

#include "catch.h"

#include <string>
#include <tuple>
#include <vector>

using namespace gpusel;

TEST_CASE("edit distance counts changes, gaps and adjacent swaps", "[base]") {
  const auto [a, b, distance] = GENERATE(table<std::string, std::string, std::size_t>({
      {"", "", 0},
      {"memory", "memory", 0},
      {"memroy", "memory", 1},  // a swap is one step
      {"memry", "memory", 1},
      {"memoryy", "memory", 1},
      {"nemory", "memory", 1},
      {"MEMORY", "memory", 0},  // case is ignored
      {"kitten", "sitting", 3},
      {"ca", "abc", 3},  // no edit inside a swapped pair
      {"", "abc", 3},
  }));
  CAPTURE(a, b);
  CHECK(edit_distance(a, b, 10) == distance);
  CHECK(edit_distance(b, a, 10) == distance);
}

TEST_CASE("edit distance stops above its limit", "[base]") {
  CHECK(edit_distance("abcdef", "uvwxyz", 2) == 3);
  CHECK(edit_distance("a", "abcdefgh", 3) == 4);
  CHECK(edit_distance("memroy", "memory", 0) == 1);
  CHECK(edit_distance("abxdef", "abcdef", 1) == 1);
}

TEST_CASE("the nearest names come first, ties in the order given", "[base]") {
  const std::vector<std::string> names = {"memory_kind", "memory", "memories", "region", "memery"};
  CHECK(nearest("memroy", names) == std::vector<std::string>{"memory", "memery"});
  CHECK(nearest("memroy", names, 1) == std::vector<std::string>{"memory"});
  CHECK(nearest("zzz", names).empty());
  CHECK(nearest("", names).empty());
}

TEST_CASE("a part of a name is near it, after the misspelled ones", "[base]") {
  const std::vector<std::string> names = {"nvidia-h100-sxm5-80gb", "h10", "nvidia-a100-sxm4-80gb"};
  CHECK(nearest("h100", names) == std::vector<std::string>{"h10", "nvidia-h100-sxm5-80gb"});
  CHECK(nearest("10", {"nvidia-h100"}).empty());  // two letters are in everything
}

TEST_CASE("a name that is given twice is suggested once", "[base]") {
  CHECK(nearest("aws", {"aws", "aws"}) == std::vector<std::string>{"aws"});
}

TEST_CASE("a text is not a misspelled name when it is very long", "[base]") {
  const std::string longest(64, 'a');
  CHECK(nearest(longest, {longest}).size() == 1);
  CHECK(nearest(longest + "a", {longest}).empty());
}

TEST_CASE("suggestions and choices are written as people write them", "[base]") {
  CHECK(did_you_mean("awss", {"aws", "gcp"}) == "did you mean 'aws'?");
  CHECK(did_you_mean("ab", {"aa", "bb"}) == "did you mean 'aa' or 'bb'?");
  CHECK(did_you_mean("zzzzz", {"aws", "gcp"}).empty());
  CHECK(quoted_list({}) == "");
  CHECK(quoted_list({"a"}) == "'a'");
  CHECK(quoted_list({"a", "b", "c"}) == "'a', 'b' or 'c'");
  CHECK(quoted_list({"a", "b", "c"}, "and") == "'a', 'b' and 'c'");
}
