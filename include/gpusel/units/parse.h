// Quantities from text: a number, optional spaces, a prefix and a unit; case matters. A bare number
// is an error.
//
//   Result<Bytes> m = parse<Bytes>("80 GiB");    // Error.offset points at the fault
//
// | type           | accepted                                         |
// | Bytes          | B, kB, MB, GB, TB, PB; KiB, MiB, GiB, TiB, PiB   |
// | BytesPerSecond | the same with /s; bps, kbps to Tbps (bits)       |
// | FlopsPerSecond | GFLOPS, TFLOPS, PFLOPS, EFLOPS; GOPS, TOPS, POPS |
// | Seconds        | us, ms, s, min, h, d, days, w                    |
// | Watts          | W, kW, MW                                        |
// | UsdPerHour     | USD/h, $N/h                                      |
// | UsdPerByte     | USD/GB, USD/TB                                   |
// | UsdPerByteSecond | USD/GB-month (of 730 h)                        |
// | Usd            | USD, kUSD, MUSD; $N, $Nk, $NM                    |
// | ItemsPerSecond | /s, /min, /h, /day, /month (of 730 h)            |
// | Ratio          | %                                                |
// | Count          | plain, or k, M, B, T (10^3 to 10^12), Ki, Mi     |
#pragma once

#include "gpusel/base/expected.h"
#include "gpusel/units/units.h"

#include <optional>
#include <string>
#include <string_view>

namespace gpusel::units {

template <class Q>
Result<Q> parse(std::string_view text) = delete;

template <>
Result<Bytes> parse<Bytes>(std::string_view text);
template <>
Result<BytesPerSecond> parse<BytesPerSecond>(std::string_view text);
template <>
Result<FlopsPerSecond> parse<FlopsPerSecond>(std::string_view text);
template <>
Result<Seconds> parse<Seconds>(std::string_view text);
template <>
Result<Watts> parse<Watts>(std::string_view text);
template <>
Result<UsdPerHour> parse<UsdPerHour>(std::string_view text);
template <>
Result<UsdPerByte> parse<UsdPerByte>(std::string_view text);
template <>
Result<UsdPerByteSecond> parse<UsdPerByteSecond>(std::string_view text);
template <>
Result<Usd> parse<Usd>(std::string_view text);
template <>
Result<ItemsPerSecond> parse<ItemsPerSecond>(std::string_view text);
template <>
Result<Ratio> parse<Ratio>(std::string_view text);
template <>
Result<Count> parse<Count>(std::string_view text);

/// A price as listed: an amount of a currency per hour (`98.32 USD/h`, `11.2 EUR/h`).
struct ListedPrice {
  double amount = 0;     // per hour
  std::string currency;  // ISO 4217, upper case
};
Result<ListedPrice> parse_listed_price(std::string_view text);

/// `24GB..80GB`, `8..`, `..4` or one value: inclusive ends.
template <class Q>
struct Interval {
  std::optional<Q> low;
  std::optional<Q> high;
};
template <class Q>
Result<Interval<Q>> parse_interval(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) {
    return parse<Q>(text).transform([](const Q& q) { return Interval<Q>{q, q}; });
  }
  Interval<Q> interval;
  const std::string_view ends[] = {text.substr(0, dots), text.substr(dots + 2)};
  if (ends[0].empty() && ends[1].empty()) {
    return Error{"'" + std::string(text) + "' is an empty range",
                 "write one end or both: 8.., ..4, 2..8", 0, text.size()};
  }
  for (int i = 0; i < 2; ++i) {
    if (ends[i].empty()) continue;
    Result<Q> end = parse<Q>(ends[i]);
    if (!end) {
      Error error = end.error();
      error.offset += i == 0 ? 0 : dots + 2;
      return error;
    }
    (i == 0 ? interval.low : interval.high) = *end;
  }
  if (interval.low && interval.high && *interval.high < *interval.low) {
    return Error{"'" + std::string(text) + "' ends before it begins",
                 "write the smaller value first", 0, text.size()};
  }
  return interval;
}

}  // namespace gpusel::units
