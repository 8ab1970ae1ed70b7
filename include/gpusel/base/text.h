// Small text helpers: trimming, splitting, ASCII case, UTF-8 checks and terminal width.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpusel {

std::string_view trim(std::string_view text);
std::vector<std::string_view> split(std::string_view text, char separator);
std::string to_lower(std::string_view text);
std::string replace_all(std::string_view text, char from, char to);
std::string join(const std::vector<std::string>& parts, std::string_view separator);

/// A glob with `*` and `?` (one code point) against a whole text, case-sensitive; never worse than
/// the product of both lengths.
bool glob_match(std::string_view pattern, std::string_view text);

/// Byte offset of the first byte that is not valid UTF-8, if any.
std::optional<std::size_t> invalid_utf8_at(std::string_view text);

/// Terminal cells that a UTF-8 text takes: wide East Asian characters take two, combining marks
/// none.
std::size_t display_width(std::string_view text);

/// The longest prefix of at most `cells` cells; appends nothing.
std::string_view prefix_of_width(std::string_view text, std::size_t cells);

/// Number of code points before a byte offset, for column numbers that people count.
std::size_t code_points(std::string_view text);

/// Control characters (C0, DEL, C1 and escape sequences) replaced by a visible `\xNN`; newlines
/// too. Everything that enters from outside passes here before it is shown on a terminal.
std::string printable(std::string_view text);

}  // namespace gpusel
