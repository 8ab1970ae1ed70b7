// The named quantities of gpusel, their literals, and the only ways in and out of them.
//
//   constexpr Bytes a100 = 80_GiB;      const double shown = in_gib(a100);
#pragma once

#include "gpusel/units/quantity.h"

#include <compare>

namespace gpusel::units {

using Bytes = Quantity<Dim{.byte = 1}>;
using Flops = Quantity<Dim{.flop = 1}>;
using Seconds = Quantity<Dim{.second = 1}>;
using Usd = Quantity<Dim{.usd = 1}>;
using Items = Quantity<Dim{.item = 1}>;
using Joules = Quantity<Dim{.joule = 1}>;

using BytesPerSecond = Quantity<Dim{.byte = 1, .second = -1}>;
using FlopsPerSecond = Quantity<Dim{.flop = 1, .second = -1}>;
using ItemsPerSecond = Quantity<Dim{.second = -1, .item = 1}>;
using UsdPerHour = Quantity<Dim{.second = -1, .usd = 1}>;  // canonical: US dollars per second
using UsdPerByte = Quantity<Dim{.byte = -1, .usd = 1}>;
/// The price of keeping data; canonical: US dollars per byte and second.
using UsdPerByteSecond = Quantity<Dim{.byte = -1, .second = -1, .usd = 1}>;
using UsdPerItem = Quantity<Dim{.usd = 1, .item = -1}>;
using BytesPerItem = Quantity<Dim{.byte = 1, .item = -1}>;
using FlopsPerItem = Quantity<Dim{.flop = 1, .item = -1}>;
using Watts = Quantity<Dim{.second = -1, .joule = 1}>;

/// A share: 0.25 is 25 %. A plain count of parameters, GPUs or sequences.
struct Ratio {
  double value = 0;
  friend constexpr auto operator<=>(Ratio, Ratio) = default;
};
struct Count {
  double value = 0;
  friend constexpr auto operator<=>(Count, Count) = default;
};

inline constexpr double kKilo = 1e3;
inline constexpr double kMega = 1e6;
inline constexpr double kGiga = 1e9;
inline constexpr double kTera = 1e12;
inline constexpr double kKibi = 1024.0;
inline constexpr double kMebi = kKibi * 1024.0;
inline constexpr double kGibi = kMebi * 1024.0;
inline constexpr double kTebi = kGibi * 1024.0;
inline constexpr double kSecondsPerMinute = 60;
inline constexpr double kSecondsPerHour = 3600;
inline constexpr double kSecondsPerDay = 86400;
/// The month of every monthly figure: 365 x 24 / 12 hours.
inline constexpr double kHoursPerMonth = 730;

constexpr Bytes bytes(double n) { return Bytes{n}; }
constexpr Bytes gb(double n) { return Bytes{n * kGiga}; }
constexpr Bytes gib(double n) { return Bytes{n * kGibi}; }
constexpr Flops flops(double n) { return Flops{n}; }
constexpr Seconds seconds(double n) { return Seconds{n}; }
constexpr Seconds hours(double n) { return Seconds{n * kSecondsPerHour}; }
constexpr Seconds days(double n) { return Seconds{n * kSecondsPerDay}; }
constexpr Items items(double n) { return Items{n}; }
constexpr Usd usd(double n) { return Usd{n}; }
constexpr UsdPerHour usd_per_hour(double n) { return UsdPerHour{n / kSecondsPerHour}; }
constexpr BytesPerSecond bytes_per_second(double n) { return BytesPerSecond{n}; }
constexpr BytesPerSecond gb_per_second(double n) { return BytesPerSecond{n * kGiga}; }
constexpr BytesPerSecond gbps(double n) { return BytesPerSecond{n * kGiga / 8}; }
constexpr FlopsPerSecond tflops(double n) { return FlopsPerSecond{n * kTera}; }
constexpr Watts watts(double n) { return Watts{n}; }

constexpr double in_bytes(Bytes b) { return b.canonical(); }
constexpr double in_gb(Bytes b) { return b.canonical() / kGiga; }
constexpr double in_gib(Bytes b) { return b.canonical() / kGibi; }
constexpr double in_flops(Flops f) { return f.canonical(); }
constexpr double in_seconds(Seconds s) { return s.canonical(); }
constexpr double in_hours(Seconds s) { return s.canonical() / kSecondsPerHour; }
constexpr double in_days(Seconds s) { return s.canonical() / kSecondsPerDay; }
constexpr double in_items(Items i) { return i.canonical(); }
constexpr double in_usd(Usd u) { return u.canonical(); }
constexpr double in_usd_per_hour(UsdPerHour p) { return p.canonical() * kSecondsPerHour; }
constexpr double in_usd_per_gb(UsdPerByte p) { return p.canonical() * kGiga; }
constexpr double in_usd_per_gb_month(UsdPerByteSecond p) {
  return p.canonical() * kGiga * kHoursPerMonth * kSecondsPerHour;
}
constexpr double in_usd_per_item(UsdPerItem p) { return p.canonical(); }
constexpr double in_bytes_per_second(BytesPerSecond b) { return b.canonical(); }
constexpr double in_gb_per_second(BytesPerSecond b) { return b.canonical() / kGiga; }
constexpr double in_gbps(BytesPerSecond b) { return b.canonical() * 8 / kGiga; }
constexpr double in_flops_per_second(FlopsPerSecond f) { return f.canonical(); }
constexpr double in_tflops(FlopsPerSecond f) { return f.canonical() / kTera; }
constexpr double in_items_per_second(ItemsPerSecond r) { return r.canonical(); }
constexpr double in_watts(Watts w) { return w.canonical(); }

namespace literals {
consteval Bytes operator""_B(unsigned long long n) { return bytes(static_cast<double>(n)); }
consteval Bytes operator""_GB(unsigned long long n) { return gb(static_cast<double>(n)); }
consteval Bytes operator""_GiB(unsigned long long n) { return gib(static_cast<double>(n)); }
consteval Seconds operator""_s(unsigned long long n) { return seconds(static_cast<double>(n)); }
consteval Seconds operator""_h(unsigned long long n) { return hours(static_cast<double>(n)); }
consteval FlopsPerSecond operator""_TFLOPS(unsigned long long n) {
  return tflops(static_cast<double>(n));
}
consteval BytesPerSecond operator""_GBps(unsigned long long n) {
  return gb_per_second(static_cast<double>(n));
}
consteval Watts operator""_W(unsigned long long n) { return watts(static_cast<double>(n)); }
}  // namespace literals

}  // namespace gpusel::units
