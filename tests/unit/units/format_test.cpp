// Quantities as text: round trips, and the short forms for people.
#include "gpusel/units/format.h"

#include "catch.h"

#include "gpusel/units/parse.h"

#include <cmath>
#include <random>
#include <string>
#include <tuple>

using namespace gpusel;
using namespace gpusel::units;

namespace {

// Values over many orders of magnitude, round and odd ones alike.
std::vector<double> many_values() {
  std::vector<double> values = {0,       1,   0.5,          1e-6, 80,     98.32, 1e3,
                                999.999, 1e9, 1073741824.0, 1e12, 1.5e15, 9e15,  1e18};
  std::mt19937 random(20261120);  // NOLINT(*-msc51-cpp): the same values in every run
  std::uniform_real_distribution<double> exponent(-6, 18);
  for (int i = 0; i < 500; ++i) {
    const double value = std::pow(10, exponent(random));
    values.push_back(value);
    values.push_back(std::floor(value));
  }
  return values;
}

template <class Q>
void check_round_trip(double tolerance) {
  for (const double value : many_values()) {
    const std::string text = to_text(Q{value});
    CAPTURE(value, text);
    const Result<Q> back = parse<Q>(text);
    REQUIRE(back);
    if constexpr (requires { back->canonical(); }) {
      CHECK(std::fabs(back->canonical() - value) <= tolerance * value);
    } else {
      CHECK(std::fabs(back->value - value) <= tolerance * value);
    }
  }
}

}  // namespace

TEST_CASE("what is printed reads back as the same quantity", "[units]") {
  constexpr double kDouble = 1e-15;
  constexpr double kTwelveDigits = 1e-11;
  check_round_trip<Bytes>(kDouble);
  check_round_trip<BytesPerSecond>(kDouble);
  check_round_trip<FlopsPerSecond>(kDouble);
  check_round_trip<Seconds>(kDouble);
  check_round_trip<Watts>(kDouble);
  check_round_trip<Usd>(kDouble);
  check_round_trip<ItemsPerSecond>(kDouble);
  check_round_trip<Count>(kDouble);
  check_round_trip<UsdPerHour>(kTwelveDigits);
  check_round_trip<Ratio>(kTwelveDigits);
}

TEST_CASE("round-trip texts are in readable units", "[units]") {
  CHECK(to_text(gib(80)) == "80 GiB");
  CHECK(to_text(gb(80)) == "80 GB");
  CHECK(to_text(bytes(1234)) == "1234 B");
  CHECK(to_text(gb_per_second(2039)) == "2039 GB/s");
  CHECK(to_text(gbps(400)) == "50 GB/s");
  CHECK(to_text(tflops(312)) == "312 TFLOPS");
  CHECK(to_text(days(7)) == "604800 s");
  CHECK(to_text(watts(700)) == "700 W");
  CHECK(to_text(usd(1234.5)) == "1234.5 USD");
  CHECK(to_text(ItemsPerSecond{20}) == "20/s");
  CHECK(to_text(Ratio{0.07}) == "7 %");
  CHECK(to_text(Count{1e10}) == "10B");
  CHECK(to_text(Count{1.5e12}) == "1.5T");
  CHECK(to_text(Count{7e6}) == "7M");
  CHECK(to_text(Count{4096}) == "4096");
  CHECK(to_text(Count{0.25}) == "0.25");
  CHECK(to_text(Count{123456789}) == "123456789");
}

TEST_CASE("a price per hour is printed as it was written", "[units]") {
  for (int cents = 1; cents <= 20000; ++cents) {
    const double price = cents / 100.0;
    const std::string text = to_text(usd_per_hour(price));
    if (parse_listed_price(text)->amount != price) FAIL(text);
  }
  CHECK(to_text(usd_per_hour(98.32)) == "98.32 USD/h");
}

TEST_CASE("numbers for people have three significant digits", "[units]") {
  const auto [value, text] = GENERATE(table<double, std::string>({
      {0, "0"},
      {1, "1"},
      {999.6, "1000"},
      {123456, "123000"},
      {12.345, "12.3"},
      {0.12345, "0.123"},
      {0.1, "0.1"},
      {0.001, "0.001"},
      {0.00012, "0.00012"},
      {0.000012, "1.2e-05"},
      {12345678, "1.23e+07"},
      {-12.345, "-12.3"},
      {1.999, "2"},
  }));
  CHECK(show_number(value) == text);
}

TEST_CASE("numbers that are not finite are unknown", "[units]") {
  CHECK(show_number(std::nan("")) == "unknown");
  CHECK(show_number(INFINITY) == "unknown");
  CHECK(show_number(1234.5, 4) == "1234");
}

TEST_CASE("counts take the unit of the rounded number", "[units]") {
  const auto [value, text] = GENERATE(table<double, std::string>({
      {0, "0"},
      {128, "128"},
      {4096, "4096"},
      {9999, "9999"},
      {10000, "10k"},
      {131072, "131k"},
      {4.19e6, "4.19M"},
      {999.6e6, "1B"},
      {2e11, "200B"},
      {1.5e13, "15T"},
      {999400, "999k"},
      {999999, "1M"},
  }));
  CHECK(show_count(value) == text);
}

TEST_CASE("durations take the unit of the rounded number", "[units]") {
  const auto [seconds_in, text] = GENERATE(table<double, std::string>({
      {0, "0 ms"},
      {0.85, "850 ms"},
      {0.00012, "0.12 ms"},
      {0.9999, "1 s"},
      {90, "90 s"},
      {120, "2 min"},
      {119.99, "2 min"},
      {600, "10 min"},
      {7200, "2 h"},
      {5.2 * 3600, "5.2 h"},
      {172800, "2 days"},
      {3.4 * 86400, "3.4 days"},
  }));
  CHECK(show_duration(seconds(seconds_in)) == text);
}

TEST_CASE("memory is shown in GiB, or MiB where that would be nothing", "[units]") {
  CHECK(show_gib(gib(71.23)) == "71.2 GiB");
  CHECK(show_gib(gib(0.05)) == "51.2 MiB");
  CHECK(show_gib(bytes(0)) == "0.0 GiB");
  CHECK(show_flops(flops(1.2e22)) == "1.2e+22 FLOP");
}

TEST_CASE("money has fixed places", "[units]") {
  CHECK(money(12345.678) == "12345.68");
  CHECK(money(0.5) == "0.50");
  CHECK(money(0.12345, 4) == "0.1235");
  CHECK(money(-3.14159) == "-3.14");
  CHECK(money(-0.001) == "0.00");
  CHECK(money(-0.0) == "0.00");
  CHECK(money(12, 0) == "12");
}

TEST_CASE("money for tables is grouped, cents below a hundred only", "[units]") {
  const auto [amount, text] = GENERATE(table<double, std::string>({
      {0, "0.00"},
      {99.5, "99.50"},
      {100, "100"},
      {999.6, "1,000"},
      {12345.678, "12,346"},
      {1234567, "1,234,567"},
      {123456, "123,456"},
      {-5, "-5.00"},
      {-123, "-123"},
      {-12345.678, "-12,346"},
      {-1234567, "-1,234,567"},
      {-0.001, "0.00"},
  }));
  CHECK(money_grouped(amount) == text);
}
