#include "gpusel/diag/source.h"

#include <utility>

namespace gpusel::diag {
namespace {

std::vector<std::size_t> line_starts_of(std::string_view text) {
  std::vector<std::size_t> starts{0};
  for (std::size_t end = text.find('\n'); end != std::string_view::npos;
       end = text.find('\n', end + 1)) {
    starts.push_back(end + 1);
  }
  return starts;
}

}  // namespace

SourcePtr make_source(std::string name, std::string text) {
  auto source = std::make_shared<Source>();
  source->name = std::move(name);
  source->owned = std::move(text);
  source->text = source->owned;
  source->line_starts = line_starts_of(source->text);
  return source;
}

SourcePtr make_static_source(std::string name, std::string_view text) {
  auto source = std::make_shared<Source>();
  source->name = std::move(name);
  source->text = text;
  source->line_starts = line_starts_of(text);
  return source;
}

std::string_view line_text(const Source& source, std::size_t line) {
  if (line == 0 || line > source.line_starts.size()) return {};
  const std::size_t begin = source.line_starts[line - 1];
  std::string_view text = source.text.substr(begin, source.text.find('\n', begin) - begin);
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  return text;
}

}  // namespace gpusel::diag
