// The grammar of quantities: every unit, and the place of every fault.
#include "gpusel/units/parse.h"

#include "catch.h"

#include <string>
#include <tuple>

using namespace gpusel;
using namespace gpusel::units;

namespace {

template <class Q>
void check_units(std::initializer_list<std::pair<const char*, double>> units) {
  for (const auto& [unit, factor] : units) {
    CAPTURE(unit);
    const Result<Q> spaced = parse<Q>("3 " + std::string(unit));
    const Result<Q> joined = parse<Q>("3" + std::string(unit));
    REQUIRE(spaced);
    REQUIRE(joined);
    CHECK(spaced->canonical() == Approx(3 * factor).epsilon(1e-15));
    CHECK(*spaced == *joined);
  }
}

template <class Q>
std::string fault(std::string_view text) {
  const Result<Q> result = parse<Q>(text);
  if (result) return "no fault";
  const Error& e = result.error();
  return std::to_string(e.offset) + "+" + std::to_string(e.length) + " " + e.message + "; " +
         e.help;
}

constexpr const char* kSizeHelp =
    "a size needs a unit: GB (10^9 bytes) or GiB (2^30 bytes), such as 80 GiB";

}  // namespace

TEST_CASE("sizes have decimal and binary units", "[units]") {
  check_units<Bytes>({{"B", 1},
                      {"kB", 1e3},
                      {"MB", 1e6},
                      {"GB", 1e9},
                      {"TB", 1e12},
                      {"PB", 1e15},
                      {"KiB", 1024},
                      {"MiB", 1048576},
                      {"GiB", 1073741824},
                      {"TiB", 1099511627776},
                      {"PiB", 1125899906842624}});
}

TEST_CASE("bandwidths count bytes or bits", "[units]") {
  check_units<BytesPerSecond>({{"B/s", 1},
                               {"kB/s", 1e3},
                               {"MB/s", 1e6},
                               {"GB/s", 1e9},
                               {"TB/s", 1e12},
                               {"PB/s", 1e15},
                               {"KiB/s", 1024},
                               {"MiB/s", 1048576},
                               {"GiB/s", 1073741824},
                               {"TiB/s", 1099511627776},
                               {"PiB/s", 1125899906842624},
                               {"bps", 0.125},
                               {"kbps", 125},
                               {"Mbps", 125e3},
                               {"Gbps", 125e6},
                               {"Tbps", 125e9}});
}

TEST_CASE("the other quantities have their units", "[units]") {
  check_units<FlopsPerSecond>({{"GFLOPS", 1e9},
                               {"TFLOPS", 1e12},
                               {"PFLOPS", 1e15},
                               {"EFLOPS", 1e18},
                               {"GOPS", 1e9},
                               {"TOPS", 1e12},
                               {"POPS", 1e15}});
  check_units<Seconds>({{"us", 1e-6},
                        {"ms", 1e-3},
                        {"s", 1},
                        {"min", 60},
                        {"h", 3600},
                        {"d", 86400},
                        {"days", 86400},
                        {"w", 604800}});
  check_units<Watts>({{"W", 1}, {"kW", 1e3}, {"MW", 1e6}});
  check_units<UsdPerHour>({{"USD/h", 1.0 / 3600}});
  check_units<Usd>({{"USD", 1}, {"kUSD", 1e3}, {"MUSD", 1e6}});
}

TEST_CASE("rates of items are per second to per month of 730 hours", "[units]") {
  const auto [text, per_second] = GENERATE(table<std::string, double>({
      {"20/s", 20},
      {"20 /s", 20},
      {"60/min", 1},
      {"3600/h", 1},
      {"86400/day", 1},
      {"1.5M/month", 1.5e6 / (730 * 3600)},
      {"2k/s", 2000},
  }));
  CAPTURE(text);
  CHECK(parse<ItemsPerSecond>(text)->canonical() == Approx(per_second));
}

TEST_CASE("shares and counts", "[units]") {
  CHECK(parse<Ratio>("5 %")->value == Approx(0.05));
  CHECK(parse<Ratio>("100%")->value == 1);
  const auto [text, value] = GENERATE(table<std::string, double>({
      {"128", 128},
      {"10B", 1e10},
      {"1.5T", 1.5e12},
      {"7M", 7e6},
      {"4k", 4000},
      {"4Ki", 4096},
      {"1Mi", 1048576},
      {"0", 0},
      {"0.5", 0.5},
      {"8 B", 8e9},
  }));
  CAPTURE(text);
  CHECK(parse<Count>(text)->value == value);
}

TEST_CASE("dollars may be written with their sign", "[units]") {
  CHECK(in_usd_per_hour(*parse<UsdPerHour>("$3.50/h")) == Approx(3.5));
  CHECK(in_usd(*parse<Usd>("$50000")) == 50000);
  CHECK(in_usd(*parse<Usd>("$50k")) == 50000);
  CHECK(in_usd(*parse<Usd>("$1.5M")) == 1.5e6);
  const std::string text = GENERATE("$", "$-5", "$ 5", "$5/s", "$5USD", "$5kk", "$k");
  CAPTURE(text);
  CHECK(fault<Usd>(text) ==
        "0+" + std::to_string(text.size()) + " '" + text +
            "' is not an amount of money; write the amount as 50000 USD or $50000");
}

TEST_CASE("a fault of a quantity is at its place, with help", "[units]") {
  CHECK(fault<Bytes>("80") == "0+2 '80' has no unit; " + std::string(kSizeHelp));
  CHECK(fault<Bytes>("80 ") == "0+3 '80 ' has no unit; " + std::string(kSizeHelp));
  CHECK(fault<Bytes>("80 Gb") ==
        "3+2 'Gb' is not a unit of a size; did you mean 'GB', 'B' or 'kB'?");
  CHECK(fault<Bytes>("80   flops").starts_with("5+5 'flops' is not a unit of a size"));
  CHECK(fault<Bytes>("80 GB ").starts_with("3+3 'GB ' is not a unit of a size"));
  CHECK(fault<Bytes>("much") == "0+4 'much' is not a size; " + std::string(kSizeHelp));
  CHECK(fault<Bytes>("") == "0+0 '' is not a size; " + std::string(kSizeHelp));
  CHECK(fault<Bytes>("-5 GB") == "0+5 '-5 GB' is negative; " + std::string(kSizeHelp));
  CHECK(fault<Bytes>("-0 GB").starts_with("0+5 '-0 GB' is negative"));
  CHECK(fault<Bytes>("080 GB").starts_with("0+6 '080 GB' is not a size"));
  CHECK(fault<Bytes>("1,000 GB").starts_with("1+7 ',000 GB' is not a unit"));
  CHECK(fault<Bytes>("1e400 GB").starts_with("0+8 '1e400 GB' is not a size"));
  CHECK(fault<Bytes>("1e300 PB")
            .starts_with("0+8 '1e300 PB' is not a size"));  // overflow by the unit
  CHECK(fault<BytesPerSecond>("400").starts_with("0+3 '400' has no unit"));
  CHECK(fault<FlopsPerSecond>("989 tflops") ==
        "4+6 'tflops' is not a unit of a compute rate; did you mean 'TFLOPS', "
        "'GFLOPS' or 'PFLOPS'?");
  CHECK(fault<Ratio>("5").starts_with("0+1 '5' has no unit"));
  CHECK(fault<Count>("10G").starts_with("2+1 'G' is not a unit of a count"));
  CHECK(fault<Count>("-1").starts_with("0+2 '-1' is negative"));
}

TEST_CASE("a fault of a rate of items points into the text given", "[units]") {
  CHECK(fault<ItemsPerSecond>("20").starts_with("0+2 '20' has no unit"));
  CHECK(fault<ItemsPerSecond>("20/mint") ==
        "2+5 '/mint' is not a unit of a rate; did you mean '/min' or '/month'?");
  CHECK(fault<ItemsPerSecond>("1500 /fortnight")
            .starts_with("5+10 '/fortnight' is not a unit of a rate"));
  CHECK(fault<ItemsPerSecond>("/s").starts_with("0+2 '/s' is not a rate"));
  CHECK(fault<ItemsPerSecond>("x/s").starts_with("0+3 'x/s' is not a rate"));
}

TEST_CASE("a listed price keeps its currency", "[units]") {
  const auto [text, amount, currency] = GENERATE(table<std::string, double, std::string>({
      {"98.32 USD/h", 98.32, "USD"},
      {"11.2EUR/h", 11.2, "EUR"},
      {"0 CNY/h", 0, "CNY"},
  }));
  const Result<ListedPrice> price = parse_listed_price(text);
  REQUIRE(price);
  CHECK(price->amount == amount);
  CHECK(price->currency == currency);
}

TEST_CASE("anything else is not a listed price", "[units]") {
  const std::string text =
      GENERATE("98.32", "98.32 USD", "98.32 usd/h", "-1 USD/h", "98,32 USD/h", "$3/h", "1 USDT/h",
               "1 US/h", "1 USD/s", "", "USD/h", "unknown");
  CAPTURE(text);
  const Result<ListedPrice> price = parse_listed_price(text);
  REQUIRE_FALSE(price);
  CHECK(price.error().message == "'" + text + "' is not a price per hour");
  CHECK(price.error().length == text.size());
}

TEST_CASE("an interval has one end or two", "[units]") {
  const auto both = parse_interval<Bytes>("24GB..80GB");
  REQUIRE(both);
  CHECK(both->low == gb(24));
  CHECK(both->high == gb(80));
  const auto from = parse_interval<Count>("8..");
  REQUIRE(from);
  CHECK(from->low->value == 8);
  CHECK_FALSE(from->high);
  const auto upto = parse_interval<Count>("..4");
  REQUIRE(upto);
  CHECK_FALSE(upto->low);
  CHECK(upto->high->value == 4);
  const auto one = parse_interval<Count>("8");
  REQUIRE(one);
  CHECK(one->low->value == 8);
  CHECK(one->high->value == 8);
  CHECK(parse_interval<Count>("8..8").has_value());
}

TEST_CASE("a fault of an interval is at the end that has it", "[units]") {
  const auto fault_of = [](std::string_view text) {
    const Error error = parse_interval<Bytes>(text).error();
    return std::to_string(error.offset) + "+" + std::to_string(error.length) + " " + error.message;
  };
  CHECK(fault_of("..") == "0+2 '..' is an empty range");
  CHECK(fault_of("80GB..24GB") == "0+10 '80GB..24GB' ends before it begins");
  CHECK(fault_of("24..80GB") == "0+2 '24' has no unit");
  CHECK(fault_of("24GB..80Gx") == "8+2 'Gx' is not a unit of a size");
  CHECK(fault_of("1GB..2GB..3GB") == "6+7 'GB..3GB' is not a unit of a size");
  CHECK(fault_of("80") == "0+2 '80' has no unit");
}
