// Expected and Result: the two alternatives and the monadic calls.
#include "gpusel/base/expected.h"

#include "catch.h"

#include <memory>
#include <string>

using namespace gpusel;

namespace {

Result<int> halved(int value) {
  if (value % 2 != 0) return Error{"odd", "give an even number", 1, 2};
  return value / 2;
}

}  // namespace

TEST_CASE("an expected holds a value or an error", "[base]") {
  const Result<int> good = halved(8);
  REQUIRE(good.has_value());
  CHECK(static_cast<bool>(good));
  CHECK(*good == 4);
  CHECK(good.value_or(7) == 4);
  const Result<int> bad = halved(3);
  REQUIRE_FALSE(bad);
  CHECK(bad.error().message == "odd");
  CHECK(bad.error().offset == 1);
  CHECK(bad.error().length == 2);
  CHECK(bad.value_or(7) == 7);
}

TEST_CASE("transform changes the value and keeps the error", "[base]") {
  const auto text = [](int v) { return std::to_string(v); };
  CHECK(*halved(8).transform(text) == "4");
  CHECK(halved(3).transform(text).error().message == "odd");
}

TEST_CASE("and_then stops at the first error", "[base]") {
  int calls = 0;
  const auto again = [&](int v) {
    ++calls;
    return halved(v);
  };
  CHECK(*halved(8).and_then(again).and_then(again) == 1);
  CHECK(calls == 2);
  CHECK(halved(6).and_then(again).and_then(again).error().help == "give an even number");
  CHECK(calls == 3);
}

TEST_CASE("the same type on both sides is told apart by Unexpected", "[base]") {
  const Expected<std::string, const char*> good(std::string("value"));
  const Expected<std::string, const char*> bad(Unexpected<const char*>("error"));
  CHECK(good.has_value());
  CHECK_FALSE(bad.has_value());
}

TEST_CASE("a value that only moves comes out by move", "[base]") {
  Expected<std::unique_ptr<int>, Error> held(std::make_unique<int>(5));
  const std::unique_ptr<int> out = *std::move(held);
  REQUIRE(out != nullptr);
  CHECK(*out == 5);
}
