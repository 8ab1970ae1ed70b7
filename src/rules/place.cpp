#include "place.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace gpusel::rules {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::size_t skip_spaces(std::string_view text, std::size_t at) {
  while (at < text.size() && is_space(text[at])) ++at;
  return at;
}

std::size_t start_of_line(std::string_view text, std::size_t line) {
  std::size_t at = 0;
  for (std::size_t i = 1; i < line && at < text.size(); ++i) {
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  }
  return at;
}

// Where the scalar's content begins: behind the quote, or on the line after `>` or `|`.
std::size_t start_of_content(std::string_view source, std::size_t at, data::NodeKind kind) {
  if (kind != data::NodeKind::quoted || at >= source.size()) return at;
  if (source[at] == '\'' || source[at] == '"') return at + 1;
  return skip_spaces(source, std::min(source.find('\n', at), source.size()));
}

// Walks source and text side by side; a line break and its indentation count as one space, and in
// single quotes a quote is written twice.
std::optional<std::size_t> walk(std::string_view source, std::size_t begin, data::NodeRef node,
                                std::size_t offset) {
  const std::string_view text = node.text();
  const bool doubled =
      node.kind() == data::NodeKind::quoted && source.substr(begin).starts_with('\'');
  std::size_t at = start_of_content(source, begin, node.kind());
  std::size_t i = 0;
  while (i < offset) {
    if (at >= source.size() || i >= text.size()) return std::nullopt;
    if (is_space(text[i])) {
      i = std::min(skip_spaces(text, i), offset);
      at = skip_spaces(source, at);
      continue;
    }
    if (source[at] != text[i]) return std::nullopt;
    at += doubled && text[i] == '\'' ? 2U : 1U;
    ++i;
  }
  return at;
}

}  // namespace

diag::Span place_of(data::NodeRef node, std::size_t offset, std::size_t length) {
  diag::Span span = node.span();
  if (!span.source || span.line == 0) return span;
  const std::string_view source = span.source->text;
  const std::size_t begin = start_of_line(source, span.line) + span.column - 1;
  if (begin > source.size()) return span;
  const std::optional<std::size_t> at = walk(source, begin, node, offset);
  if (!at) return span;
  const std::string_view before = source.substr(0, *at);
  const std::size_t line_break = before.rfind('\n');
  const std::size_t line_start = line_break == std::string_view::npos ? 0 : line_break + 1;
  span.line = 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  span.column = *at - line_start + 1;
  const std::size_t rest = std::min(source.find('\n', *at), source.size()) - *at;
  span.length = std::max<std::size_t>(1, std::min(length, rest));
  return span;
}

}  // namespace gpusel::rules
