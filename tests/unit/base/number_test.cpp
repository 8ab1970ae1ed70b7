// Strict decimal numbers.
#include "gpusel/base/number.h"

#include "catch.h"

#include <cmath>
#include <limits>
#include <string>
#include <tuple>

using namespace gpusel;

TEST_CASE("a decimal number at the start of a text is read as far as it goes", "[base]") {
  const auto [text, value, length] = GENERATE(table<std::string, double, std::size_t>({
      {"12", 12, 2},     {"0", 0, 1},         {"0.25x", 0.25, 4},
      {"-0.5", -0.5, 4}, {"1.5e9", 1.5e9, 5}, {"1E-3", 1e-3, 4},
      {"80GB", 80, 2},   {"5e", 5, 1},    // an exponent without digits is not one
      {"5e+", 5, 1},     {"2..8", 0, 0},  // a point needs digits
      {"12.", 0, 0},     {".5", 0, 0},        {"+1", 0, 0},
      {"010", 0, 0},     {"00", 0, 0},        {"-01", 0, 0},
      {"0x10", 0, 1},  // the zero only
      {"inf", 0, 0},     {"nan", 0, 0},       {"1e400", 0, 0},
      {"-1e400", 0, 0},  {"", 0, 0},          {"-", 0, 0},
      {" 1", 0, 0},
  }));
  CAPTURE(text);
  const NumberPrefix number = number_prefix(text);
  CHECK(number.value == value);
  CHECK(number.length == length);
}

TEST_CASE("a whole text is a number or an error over all of it", "[base]") {
  CHECK(*parse_number("0.25") == 0.25);
  CHECK(*parse_number("1e3") == 1000);
  const std::string text =
      GENERATE("010", "0x10", "1e400", "1_000", "1,000", ".inf", ".nan", "12.", "", "1 ", "yes");
  CAPTURE(text);
  const Result<double> bad = parse_number(text);
  REQUIRE_FALSE(bad);
  CHECK(bad.error().message == "'" + text + "' is not a number");
  CHECK(bad.error().length == text.size());
}

TEST_CASE("whole numbers are bounded and written plainly", "[base]") {
  CHECK(*parse_integer("8", 1, 8) == 8);
  CHECK(*parse_integer("-3", -5, 5) == -3);
  CHECK(*parse_integer("0", 0, 1) == 0);
  const std::string text =
      GENERATE("", "8.0", "1e3", "010", "-010", "0x10", "+8", "8 ", "-", "1_000");
  CAPTURE(text);
  CHECK(parse_integer(text, -10000, 10000).error().message ==
        "'" + text + "' is not a whole number");
}

TEST_CASE("a whole number out of range says so, however long it is", "[base]") {
  const std::string text = GENERATE("9", "-1", "99999999999999999999", "-99999999999999999999");
  CAPTURE(text);
  const Result<std::int64_t> bad = parse_integer(text, 0, 8);
  REQUIRE_FALSE(bad);
  CHECK(bad.error().message == "'" + text + "' is out of range");
  CHECK(bad.error().help == "expected a whole number from 0 to 8");
}

TEST_CASE("the shortest text reads back as the same number", "[base]") {
  CHECK(shortest(0.1) == "0.1");
  CHECK(shortest(98.32) == "98.32");
  CHECK(shortest(0) == "0");
  CHECK(shortest(1e21) == "1e+21");
  for (const double value : {0.1, 1.0 / 3, 1e-300, 1.7976931348623157e308, 123456789.123, 5e-324}) {
    CHECK(*parse_number(shortest(value)) == value);
  }
}

TEST_CASE("rounding keeps significant digits", "[base]") {
  CHECK(round_significant(123456, 3) == 123000);
  CHECK(round_significant(0.0123456, 3) == 0.0123);
  CHECK(round_significant(-9.996, 3) == -10);
  CHECK(round_significant(0, 3) == 0);
  CHECK(std::isinf(round_significant(std::numeric_limits<double>::infinity(), 3)));
  CHECK(round_significant(0.1 + 0.2, 15) == 0.3);
}
