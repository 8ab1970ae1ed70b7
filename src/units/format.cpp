#include "gpusel/units/format.h"

#include "gpusel/base/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace gpusel::units {
namespace {

// Plain digits up to 10^15, as people write them; exact as `shortest` is.
std::string with_unit(double value, const char* unit) { return fmt::format("{} {}", value, unit); }

struct Scale {
  double factor;
  const char* suffix;
};

}  // namespace

std::string to_text(Bytes value) {
  const double in = in_gib(value);
  if (in >= 1 && in == std::floor(in)) return with_unit(in, "GiB");
  return value >= gb(1) ? with_unit(in_gb(value), "GB") : with_unit(in_bytes(value), "B");
}
std::string to_text(BytesPerSecond value) { return with_unit(in_gb_per_second(value), "GB/s"); }
std::string to_text(FlopsPerSecond value) { return with_unit(in_tflops(value), "TFLOPS"); }
std::string to_text(Seconds value) { return with_unit(in_seconds(value), "s"); }
std::string to_text(Watts value) { return with_unit(in_watts(value), "W"); }
std::string to_text(UsdPerHour value) {
  return with_unit(round_significant(in_usd_per_hour(value), 12),
                   "USD/h");  // per second inside: 98.32 comes back
}
std::string to_text(Usd value) { return with_unit(in_usd(value), "USD"); }
std::string to_text(ItemsPerSecond value) { return shortest(in_items_per_second(value)) + "/s"; }
std::string to_text(Ratio value) {
  return shortest(round_significant(value.value * 100, 12)) + " %";
}

std::string to_text(Count value) {
  constexpr std::array kScales = {Scale{kTera, "T"}, Scale{kGiga, "B"}, Scale{kMega, "M"}};
  for (const Scale& s : kScales) {
    const double scaled = value.value / s.factor;
    if (scaled >= 1 && scaled * s.factor == value.value && shortest(scaled).size() <= 6) {
      return shortest(scaled) + s.suffix;
    }
  }
  return value.value == std::floor(value.value) ? fmt::format("{:.0f}", value.value)
                                                : shortest(value.value);
}

std::string show_number(double value, int significant) {
  if (!std::isfinite(value)) return "unknown";
  const double rounded = round_significant(value, significant);
  const double size = std::fabs(rounded);
  if (size != 0 && (size >= 1e7 || size < 1e-4))
    return fmt::format("{:.{}g}", rounded, significant);
  const int whole = size < 1 ? 0 : static_cast<int>(std::floor(std::log10(size))) + 1;
  int places = std::max(0, significant - whole);
  if (size < 1 && size > 0)
    places = significant - static_cast<int>(std::floor(std::log10(size))) - 1;
  std::string text = fmt::format("{:.{}f}", rounded, places);
  if (text.find('.') != std::string::npos) {
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

std::string show_gib(Bytes value) {
  return value < gib(0.1) && value > bytes(0) ? show_number(value.canonical() / kMebi) + " MiB"
                                              : fmt::format("{:.1f} GiB", in_gib(value));
}

// Rounded first, so that the unit is that of the number shown: 0.9997 s is 1 s and not 1000 ms.
std::string show_duration(Seconds value) {
  const double s = round_significant(in_seconds(value), 3);
  if (s < 1) return show_number(s * 1e3) + " ms";
  if (s < 2 * kSecondsPerMinute) return show_number(s) + " s";
  if (s < 2 * kSecondsPerHour) return show_number(in_seconds(value) / kSecondsPerMinute) + " min";
  if (s < 2 * kSecondsPerDay) return show_number(in_hours(value)) + " h";
  return show_number(in_days(value)) + " days";
}

std::string show_count(double value) {
  constexpr std::array kScales = {Scale{kTera, "T"}, Scale{kGiga, "B"}, Scale{kMega, "M"},
                                  Scale{kKilo, "k"}};
  // Rounded first, so that 999,999,999 is 1B and not 1000M.
  const double rounded = round_significant(value, 3);
  for (const Scale& s : kScales) {
    if (rounded >= s.factor && (s.factor > kKilo || value >= 10 * kKilo))
      return show_number(rounded / s.factor) + s.suffix;
  }
  return show_number(value, 4);
}

std::string show_flops(Flops value) { return fmt::format("{:.3g} FLOP", in_flops(value)); }

std::string money(double amount, int places) {
  std::string text = fmt::format("{:.{}f}", amount, places);
  const bool nothing = text.find_first_not_of("-0.") == std::string::npos;
  if (nothing && text.starts_with('-')) text.erase(0, 1);
  return text;
}

std::string money_grouped(double amount) {
  const std::string plain = money(amount, std::fabs(amount) < 100 ? 2 : 0);
  const std::size_t whole = std::min(plain.find('.'), plain.size());
  std::string text;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    if (i > 0 && i < whole && (whole - i) % 3 == 0 && plain[i - 1] != '-') text += ',';
    text += plain[i];
  }
  return text;
}

}  // namespace gpusel::units
