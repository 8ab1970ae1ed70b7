// Quantities as text for people, and the round-trip form that `parse` reads back.
#pragma once

#include "gpusel/units/units.h"

#include <string>

namespace gpusel::units {

/// Round-trip forms in a readable unit: parse<Q>(to_text(q)) == q up to double rounding.
std::string to_text(Bytes value);           // 80 GiB where whole, else GB
std::string to_text(BytesPerSecond value);  // 2039 GB/s
std::string to_text(FlopsPerSecond value);  // 312 TFLOPS
std::string to_text(Seconds value);         // 604800 s
std::string to_text(Watts value);           // 700 W
std::string to_text(UsdPerHour value);      // 98.32 USD/h
std::string to_text(Usd value);
std::string to_text(ItemsPerSecond value);  // 20/s
std::string to_text(Ratio value);           // 5 %
std::string to_text(Count value);           // 10B

/// Short forms with three significant digits.
std::string show_gib(Bytes value);         // "71.2 GiB"
std::string show_duration(Seconds value);  // "3.4 days", "5.2 h", "850 ms"
std::string show_count(double value);      // "200B", "4.19M", "128"
std::string show_flops(Flops value);       // "1.2e+22 FLOP"
std::string show_number(double value, int significant = 3);

/// Money as a decimal string with a fixed number of places: "12345.67".
std::string money(double amount, int places = 2);
/// For tables, with thousands separators and no cents from 100 up: "12,345", "-12,345", "99.50".
std::string money_grouped(double amount);

}  // namespace gpusel::units
