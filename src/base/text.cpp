#include "gpusel/base/text.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "gpusel/base/id.h"

namespace gpusel {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

struct Decoded {
  char32_t point;
  std::size_t length;  // 0 = not valid
};

Decoded decode(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
  if (length == 0 || first > 0xF4 || at + length > text.size()) return {0, 0};
  char32_t point = first & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {0, 0};
    point = (point << 6U) | (byte(i) & 0x3FU);
  }
  const bool overlong = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
  const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
  if (overlong || surrogate || point > 0x10FFFF) return {0, 0};
  return {point, length};
}

struct Range {
  char32_t first, last;
};

// Combining marks and zero-width characters that occur in practice (Unicode 15, general category Mn/Cf).
constexpr std::array<Range, 6> kZeroWidth = {{{0x0300, 0x036F},
                                              {0x200B, 0x200F},
                                              {0x202A, 0x202E},
                                              {0x2060, 0x2064},
                                              {0xFE00, 0xFE0F},
                                              {0xFEFF, 0xFEFF}}};
// Unicode 15 East Asian Width W and F, merged to blocks.
constexpr std::array<Range, 12> kWide = {{{0x1100, 0x115F},
                                          {0x2E80, 0x303E},
                                          {0x3041, 0x33FF},
                                          {0x3400, 0x4DBF},
                                          {0x4E00, 0x9FFF},
                                          {0xA000, 0xA4CF},
                                          {0xAC00, 0xD7A3},
                                          {0xF900, 0xFAFF},
                                          {0xFE30, 0xFE6F},
                                          {0xFF00, 0xFF60},
                                          {0x1F300, 0x1F64F},
                                          {0x20000, 0x3FFFD}}};

template <std::size_t N>
bool within(const std::array<Range, N>& ranges, char32_t point) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](Range r) { return point >= r.first && point <= r.last; });
}

std::size_t cells_of(char32_t point) {
  if (point < 0x300) return 1;
  if (within(kZeroWidth, point)) return 0;
  return within(kWide, point) ? 2 : 1;
}

}  // namespace

bool is_valid_id(std::string_view text) {
  const auto alnum = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  constexpr std::size_t kMaxLength = 128;
  return !text.empty() && text.size() <= kMaxLength && alnum(text.front()) &&
         std::all_of(text.begin(), text.end(),
                     [&](char c) { return alnum(c) || c == '.' || c == '_' || c == '-'; });
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end == std::string_view::npos ? end : end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

std::string to_lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::string replace_all(std::string_view text, char from, char to) {
  std::string result(text);
  std::replace(result.begin(), result.end(), from, to);
  return result;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string result;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) result += separator;
    result += parts[i];
  }
  return result;
}

bool glob_match(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::optional<std::size_t> invalid_utf8_at(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Decoded d = decode(text, at);
    if (d.length == 0) return at;
    at += d.length;
  }
  return std::nullopt;
}

std::size_t display_width(std::string_view text) {
  std::size_t cells = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Decoded d = decode(text, at);
    cells += d.length == 0 ? 1 : cells_of(d.point);
    at += std::max<std::size_t>(d.length, 1);
  }
  return cells;
}

std::string_view prefix_of_width(std::string_view text, std::size_t cells) {
  std::size_t used = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Decoded d = decode(text, at);
    used += d.length == 0 ? 1 : cells_of(d.point);
    if (used > cells) return text.substr(0, at);
    at += std::max<std::size_t>(d.length, 1);
  }
  return text;
}

std::size_t code_points(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  constexpr std::string_view kHex = "0123456789abcdef";
  for (std::size_t at = 0; at < text.size();) {
    const Decoded d = decode(text, at);
    const bool control = d.length == 0 || d.point < 0x20 || (d.point >= 0x7F && d.point < 0xA0) ||
                         (d.point >= 0x202A && d.point <= 0x202E) ||
                         (d.point >= 0x2066 && d.point <= 0x2069);
    const std::size_t length = std::max<std::size_t>(d.length, 1);
    if (control) {
      for (std::size_t i = 0; i < length; ++i) {
        const auto byte = static_cast<unsigned char>(text[at + i]);
        result += "\\x";
        result += kHex[byte >> 4U];
        result += kHex[byte & 0xFU];
      }
    } else {
      result += text.substr(at, length);
    }
    at += length;
  }
  return result;
}

}  // namespace gpusel
