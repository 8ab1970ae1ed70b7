#include "gpusel/units/parse.h"

#include "gpusel/base/number.h"
#include "gpusel/base/suggest.h"
#include "gpusel/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace gpusel::units {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

// What one kind of quantity is called in messages, and its units.
struct Grammar {
  std::string_view noun;
  std::string_view help;
  std::span<const Unit> units;
  bool bare_number = false;
};

constexpr std::array kByteUnits = {
    Unit{"B", 1},       Unit{"kB", kKilo},  Unit{"MB", kMega},          Unit{"GB", kGiga},
    Unit{"TB", kTera},  Unit{"PB", 1e15},   Unit{"KiB", kKibi},         Unit{"MiB", kMebi},
    Unit{"GiB", kGibi}, Unit{"TiB", kTebi}, Unit{"PiB", kTebi * 1024.0}};
constexpr std::array kByteRateUnits = {
    Unit{"B/s", 1},          Unit{"kB/s", kKilo},           Unit{"MB/s", kMega},
    Unit{"GB/s", kGiga},     Unit{"TB/s", kTera},           Unit{"KiB/s", kKibi},
    Unit{"MiB/s", kMebi},    Unit{"GiB/s", kGibi},          Unit{"TiB/s", kTebi},
    Unit{"PB/s", 1e15},      Unit{"PiB/s", kTebi * 1024.0}, Unit{"bps", 1.0 / 8},
    Unit{"kbps", kKilo / 8}, Unit{"Mbps", kMega / 8},       Unit{"Gbps", kGiga / 8},
    Unit{"Tbps", kTera / 8}};
constexpr std::array kFlopRateUnits = {
    Unit{"GFLOPS", kGiga}, Unit{"TFLOPS", kTera}, Unit{"PFLOPS", 1e15}, Unit{"EFLOPS", 1e18},
    Unit{"GOPS", kGiga},   Unit{"TOPS", kTera},   Unit{"POPS", 1e15}};
constexpr std::array kTimeUnits = {Unit{"us", 1e-6},
                                   Unit{"ms", 1e-3},
                                   Unit{"s", 1},
                                   Unit{"min", kSecondsPerMinute},
                                   Unit{"h", kSecondsPerHour},
                                   Unit{"d", kSecondsPerDay},
                                   Unit{"days", kSecondsPerDay},
                                   Unit{"w", 7 * kSecondsPerDay}};
constexpr std::array kPowerUnits = {Unit{"W", 1}, Unit{"kW", kKilo}, Unit{"MW", kMega}};
constexpr std::array kUsdRateUnits = {Unit{"USD/h", 1 / kSecondsPerHour}};
constexpr std::array kUsdUnits = {Unit{"USD", 1}, Unit{"kUSD", kKilo}, Unit{"MUSD", kMega}};
constexpr double kSecondsPerMonth = kHoursPerMonth * kSecondsPerHour;
constexpr std::array kUsdPerByteUnits = {Unit{"USD/GB", 1 / kGiga}, Unit{"USD/TB", 1 / kTera}};
constexpr std::array kStorageUnits = {Unit{"USD/GB-month", 1 / (kGiga * kSecondsPerMonth)}};
constexpr std::array kItemRateUnits = {
    Unit{"/s", 1}, Unit{"/min", 1 / kSecondsPerMinute}, Unit{"/h", 1 / kSecondsPerHour},
    Unit{"/day", 1 / kSecondsPerDay}, Unit{"/month", 1 / kSecondsPerMonth}};
constexpr std::array kRatioUnits = {Unit{"%", 0.01}};
constexpr std::array kCountUnits = {Unit{"k", kKilo}, Unit{"M", kMega},  Unit{"B", kGiga},
                                    Unit{"T", kTera}, Unit{"Ki", kKibi}, Unit{"Mi", kMebi}};

constexpr Grammar kBytes{"a size",
                         "a size needs a unit: GB (10^9 bytes) or GiB (2^30 bytes), such as 80 GiB",
                         kByteUnits};
constexpr Grammar kByteRate{
    "a bandwidth", "a bandwidth needs a unit: GB/s (bytes) or Gbps (bits), such as 400 Gbps",
    kByteRateUnits};
constexpr Grammar kFlopRate{"a compute rate", "a compute rate needs a unit, such as 989 TFLOPS",
                            kFlopRateUnits};
constexpr Grammar kTime{"a duration", "a duration needs a unit: ms, s, min, h or d, such as 7d",
                        kTimeUnits};
constexpr Grammar kPower{"a power", "a power needs a unit, such as 700 W", kPowerUnits};
constexpr Grammar kUsdRate{"a price per hour", "write the price as 3.50 USD/h or $3.50/h",
                           kUsdRateUnits};
constexpr Grammar kUsd{"an amount of money", "write the amount as 50000 USD or $50000", kUsdUnits};
constexpr Grammar kUsdPerByte{"a price of data", "write the price as 0.09 USD/GB",
                              kUsdPerByteUnits};
constexpr Grammar kStorage{"a price of storage", "write the price as 0.023 USD/GB-month",
                           kStorageUnits};
constexpr Grammar kItemRate{"a rate", "a rate needs a unit, such as 20/s or 1.5M/month",
                            kItemRateUnits};
constexpr Grammar kRatio{"a share", "write a percentage, such as 5 %", kRatioUnits};
constexpr Grammar kCount{
    "a count", "write a plain number or one with k, M, B or T (10^3 to 10^12), such as 10B",
    kCountUnits, true};

std::vector<std::string> names(std::span<const Unit> units) {
  std::vector<std::string> result;
  for (const Unit& u : units) result.emplace_back(u.name);
  return result;
}

Error fault(std::string_view text, const Grammar& grammar) {
  return {"'" + std::string(text) + "' is not " + std::string(grammar.noun),
          std::string(grammar.help), 0, text.size()};
}

// The factor of a unit's name, which stands at `at` of the whole text.
Result<double> factor_of(std::string_view unit, std::size_t at, const Grammar& grammar) {
  const auto found = std::find_if(grammar.units.begin(), grammar.units.end(),
                                  [&](const Unit& u) { return u.name == unit; });
  if (found != grammar.units.end()) return found->factor;
  const std::string near = did_you_mean(unit, names(grammar.units));
  return Error{"'" + std::string(unit) + "' is not a unit of " + std::string(grammar.noun),
               near.empty() ? std::string(grammar.help) : near, at, unit.size()};
}

Result<double> parse_canonical(std::string_view text, const Grammar& grammar) {
  const NumberPrefix number = number_prefix(text);
  if (number.length == 0) return fault(text, grammar);
  if (text.starts_with('-')) {
    return Error{"'" + std::string(text) + "' is negative", std::string(grammar.help), 0,
                 text.size()};
  }
  std::size_t at = number.length;
  while (at < text.size() && text[at] == ' ') ++at;
  const std::string_view unit = text.substr(at);
  if (unit.empty()) {
    if (grammar.bare_number) return number.value;
    return Error{"'" + std::string(text) + "' has no unit", std::string(grammar.help), 0,
                 text.size()};
  }
  const Result<double> factor = factor_of(unit, at, grammar);
  if (!factor) return factor.error();
  const double value = number.value * *factor;
  if (!std::isfinite(value)) return fault(text, grammar);
  return value;
}

template <class Q>
Result<Q> parse_with(std::string_view text, const Grammar& grammar) {
  return parse_canonical(text, grammar).transform([](double v) { return Q{v}; });
}

// `$3.50/h` reads as `3.50 USD/h`, `$50k` as `50 kUSD`.
Result<double> parse_dollars(std::string_view text, const Grammar& grammar) {
  if (!text.starts_with('$')) return parse_canonical(text, grammar);
  const NumberPrefix number = number_prefix(text.substr(1));
  const std::string_view rest = text.substr(1 + number.length);
  std::string unit = "USD" + std::string(rest);
  if (rest == "k" || rest == "M") unit = std::string(rest) + "USD";
  const Result<double> value =
      parse_canonical(std::string(text.substr(1, number.length)) + " " + unit, grammar);
  if (!value) return fault(text, grammar);
  return value;
}

}  // namespace

template <>
Result<Bytes> parse<Bytes>(std::string_view text) {
  return parse_with<Bytes>(text, kBytes);
}
template <>
Result<BytesPerSecond> parse<BytesPerSecond>(std::string_view text) {
  return parse_with<BytesPerSecond>(text, kByteRate);
}
template <>
Result<FlopsPerSecond> parse<FlopsPerSecond>(std::string_view text) {
  return parse_with<FlopsPerSecond>(text, kFlopRate);
}
template <>
Result<Seconds> parse<Seconds>(std::string_view text) {
  return parse_with<Seconds>(text, kTime);
}
template <>
Result<Watts> parse<Watts>(std::string_view text) {
  return parse_with<Watts>(text, kPower);
}
template <>
Result<UsdPerHour> parse<UsdPerHour>(std::string_view text) {
  return parse_dollars(text, kUsdRate).transform([](double v) { return UsdPerHour{v}; });
}
template <>
Result<Usd> parse<Usd>(std::string_view text) {
  return parse_dollars(text, kUsd).transform([](double v) { return Usd{v}; });
}
template <>
Result<UsdPerByte> parse<UsdPerByte>(std::string_view text) {
  return parse_with<UsdPerByte>(text, kUsdPerByte);
}
template <>
Result<UsdPerByteSecond> parse<UsdPerByteSecond>(std::string_view text) {
  return parse_with<UsdPerByteSecond>(text, kStorage);
}
template <>
Result<Ratio> parse<Ratio>(std::string_view text) {
  return parse_with<Ratio>(text, kRatio);
}
template <>
Result<Count> parse<Count>(std::string_view text) {
  return parse_with<Count>(text, kCount);
}

template <>
Result<ItemsPerSecond> parse<ItemsPerSecond>(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) {
    const Result<Count> bare = parse<Count>(text);
    if (!bare) return fault(text, kItemRate);
    return Error{"'" + std::string(text) + "' has no unit", std::string(kItemRate.help), 0,
                 text.size()};
  }
  const Result<Count> amount = parse<Count>(trim(text.substr(0, slash)));
  if (!amount) return fault(text, kItemRate);
  return factor_of(text.substr(slash), slash, kItemRate).transform([&](double per_second) {
    return ItemsPerSecond{amount->value * per_second};
  });
}

Result<ListedPrice> parse_listed_price(std::string_view text) {
  const auto error = [&] {
    return Error{"'" + std::string(text) + "' is not a price per hour",
                 "write an amount, a currency and /h, such as 98.32 USD/h", 0, text.size()};
  };
  const NumberPrefix number = number_prefix(text);
  const std::string_view unit = trim(text.substr(number.length));
  constexpr std::size_t kCurrencyLength = 3;
  if (number.length == 0 || number.value < 0 || unit.size() != kCurrencyLength + 2 ||
      !unit.ends_with("/h")) {
    return error();
  }
  const std::string_view currency = unit.substr(0, kCurrencyLength);
  if (!std::all_of(currency.begin(), currency.end(), [](char c) { return c >= 'A' && c <= 'Z'; }))
    return error();
  return ListedPrice{number.value, std::string(currency)};
}

}  // namespace gpusel::units
