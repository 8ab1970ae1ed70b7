#include "gpusel/base/number.h"

#include <array>
#include <charconv>
#include <cmath>

namespace gpusel {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t digits_at(std::string_view text, std::size_t at) {
  std::size_t n = 0;
  while (at + n < text.size() && is_digit(text[at + n])) ++n;
  return n;
}

}  // namespace

NumberPrefix number_prefix(std::string_view text) {
  std::size_t at = !text.empty() && text[0] == '-' ? 1 : 0;
  const std::size_t whole = digits_at(text, at);
  if (whole == 0 || (whole > 1 && text[at] == '0')) return {};
  at += whole;
  if (at < text.size() && text[at] == '.') {
    const std::size_t fraction = digits_at(text, at + 1);
    if (fraction == 0) return {};
    at += 1 + fraction;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    std::size_t exponent = at + 1;
    if (exponent < text.size() && (text[exponent] == '-' || text[exponent] == '+')) ++exponent;
    const std::size_t digits = digits_at(text, exponent);
    if (digits > 0) at = exponent + digits;
  }
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + at, value);
  if (code != std::errc() || end != text.data() + at || !std::isfinite(value)) return {};
  return {value, at};
}

Result<double> parse_number(std::string_view text) {
  const NumberPrefix n = number_prefix(text);
  if (n.length == 0 || n.length != text.size()) {
    return Error{"'" + std::string(text) + "' is not a number",
                 "write a plain decimal number such as 0.25", 0, text.size()};
  }
  return n.value;
}

Result<std::int64_t> parse_integer(std::string_view text, std::int64_t low, std::int64_t high) {
  std::int64_t value = 0;
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  const bool leading_zero = text.size() > 1 && text[sign] == '0';
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool too_large = code == std::errc::result_out_of_range;
  if ((code != std::errc() && !too_large) || end != text.data() + text.size() || leading_zero) {
    return Error{"'" + std::string(text) + "' is not a whole number",
                 "write digits only, such as 8", 0, text.size()};
  }
  if (too_large || value < low || value > high) {
    return Error{
        "'" + std::string(text) + "' is out of range",
        "expected a whole number from " + std::to_string(low) + " to " + std::to_string(high), 0,
        text.size()};
  }
  return value;
}

std::string shortest(double value) {
  std::array<char, 32> buffer{};
  const auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end};
}

double round_significant(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return value;
  std::array<char, 40> buffer{};
  const auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                         std::chars_format::scientific, digits - 1);
  double rounded = value;
  std::from_chars(buffer.data(), end, rounded);
  return rounded;
}

}  // namespace gpusel
