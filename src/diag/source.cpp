#include "gpusel/diag/source.h"

namespace gpusel::diag {

SourcePtr make_source(std::string name, std::string text) {
  auto source = std::make_shared<Source>();
  source->name = std::move(name);
  source->owned = std::move(text);
  source->text = source->owned;
  return source;
}

SourcePtr make_static_source(std::string name, std::string_view text) {
  auto source = std::make_shared<Source>();
  source->name = std::move(name);
  source->text = text;
  return source;
}

std::string_view line_text(const Source& source, std::size_t line) {
  if (line == 0) return {};
  std::size_t begin = 0;
  for (std::size_t n = 1; n < line; ++n) {
    const std::size_t end = source.text.find('\n', begin);
    if (end == std::string_view::npos) return {};
    begin = end + 1;
  }
  std::string_view text = source.text.substr(begin, source.text.find('\n', begin) - begin);
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  return text;
}

}  // namespace gpusel::diag
