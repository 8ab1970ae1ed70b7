#include "gpusel/data/value_reader.h"

#include "gpusel/base/suggest.h"

#include <limits>

namespace gpusel::data {

void Reader::error(std::string_view code, const diag::Span& span, std::string message,
                   std::string help) const {
  sink_->report(diag::error(std::string(code), span, std::move(message))
                    .with_help(std::move(help))
                    .with_path(path_));
}

void Reader::fault(std::string_view code, NodeRef node, const Error& error_in_text) const {
  diag::Span span = node.span();
  span.column += error_in_text.offset + (node.kind() == NodeKind::quoted ? 1 : 0);
  span.length = error_in_text.length;
  error(code, span, error_in_text.message, error_in_text.help);
}

std::optional<std::string_view> scalar_text(NodeRef node, const Reader& reader,
                                            std::string_view expected) {
  if (node.is_scalar()) return node.text();
  const bool empty = node.is_null();
  reader.error(empty ? "data/empty-value" : "data/wrong-kind", node.span(),
               "expected " + std::string(expected) + ", found " + node.describe(),
               empty ? "write a value, or remove the key where the value is unknown"
                     : "write a single value here");
  return std::nullopt;
}

std::optional<std::string> ValueReader<std::string>::read(NodeRef node, const Reader& reader) {
  const auto text = scalar_text(node, reader, "a text");
  constexpr std::size_t kLongest = 4096;
  if (text && text->size() > kLongest) {
    reader.error("data/too-long", node.span(), "this text is longer than 4096 bytes", "shorten it");
    return std::nullopt;
  }
  if (!text) return std::nullopt;
  return std::string(*text);
}

std::optional<bool> ValueReader<bool>::read(NodeRef node, const Reader& reader) {
  const auto text = scalar_text(node, reader, "true or false");
  if (!text) return std::nullopt;
  if (node.kind() == NodeKind::plain && (*text == "true" || *text == "false"))
    return *text == "true";
  reader.error("data/bad-boolean", node.span(), node.describe() + " is not true or false",
               "write true or false, without quotes");
  return std::nullopt;
}

std::optional<int> ValueReader<int>::read(NodeRef node, const Reader& reader) {
  const auto text = scalar_text(node, reader, "a whole number");
  if (!text) return std::nullopt;
  const auto value = parse_integer(*text, 0, std::numeric_limits<int>::max());
  if (value) return static_cast<int>(*value);
  reader.fault("data/bad-number", node, value.error());
  return std::nullopt;
}

std::optional<double> ValueReader<double>::read(NodeRef node, const Reader& reader) {
  const auto text = scalar_text(node, reader, "a number");
  if (!text) return std::nullopt;
  const auto value = parse_number(*text);
  if (value) return *value;
  reader.fault("data/bad-number", node, value.error());
  return std::nullopt;
}

std::optional<Date> ValueReader<Date>::read(NodeRef node, const Reader& reader) {
  const auto text = scalar_text(node, reader, "a date");
  if (!text) return std::nullopt;
  const auto value = Date::parse(*text);
  if (value) return *value;
  reader.fault("data/bad-date", node, value.error());
  return std::nullopt;
}

std::optional<units::ListedPrice> ValueReader<units::ListedPrice>::read(NodeRef node,
                                                                        const Reader& reader) {
  const auto text = scalar_text(node, reader, "a price per hour");
  if (!text) return std::nullopt;
  const auto value = units::parse_listed_price(*text);
  if (value) return *value;
  reader.fault("data/bad-quantity", node, value.error());
  return std::nullopt;
}

std::optional<std::size_t> read_choice(NodeRef node, const Reader& reader,
                                       std::span<const std::string_view> names) {
  for (std::size_t i = 0; node.is_scalar() && i < names.size(); ++i) {
    if (names[i] == node.text()) return i;
  }
  const std::vector<std::string> all(names.begin(), names.end());
  const auto text = scalar_text(node, reader, "one of " + quoted_list(all));
  if (!text) return std::nullopt;
  const std::string near = did_you_mean(*text, all);
  reader.error("data/unknown-choice", node.span(),
               node.describe() + " is not one of " + quoted_list(all), near);
  return std::nullopt;
}

}  // namespace gpusel::data
