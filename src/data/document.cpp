#include "gpusel/data/document.h"

#include "gpusel/base/text.h"

#include <algorithm>

namespace gpusel::data {

NodeRef Document::root() const { return {*this, 0}; }

diag::Span NodeRef::span() const {
  const Node& n = node();
  std::size_t length = 1;
  if (n.kind == NodeKind::quoted) length = n.text.size() + 2;
  if (n.kind == NodeKind::plain) length = std::max<std::size_t>(n.text.size(), 1);
  return {document_->source(), n.line, n.column, length};
}

std::string NodeRef::describe() const {
  switch (kind()) {
    case NodeKind::null:
      return "nothing";
    case NodeKind::list:
      return "a list";
    case NodeKind::map:
      return "a map";
    case NodeKind::plain:
    case NodeKind::quoted:
      break;
  }
  constexpr std::size_t kLongest = 40;  // cells
  std::string shown(prefix_of_width(text(), kLongest));
  if (shown.size() < text().size()) shown += "…";
  return "'" + shown + "'";
}

std::size_t NodeRef::size() const {
  std::size_t n = 0;
  for (Iterator it = begin(); it != end(); ++it) ++n;
  return n;
}

std::optional<NodeRef> NodeRef::find(std::string_view key) const {
  if (!is_map()) return std::nullopt;
  for (Iterator it = begin(); it != end(); ++it) {
    if (it.key().text() == key) return *it;
  }
  return std::nullopt;
}

std::optional<Document> parse_document(const diag::SourcePtr& source, diag::Sink& sink) {
  return source->name.ends_with(".json") ? parse_json(source, sink) : parse_yaml(source, sink);
}

}  // namespace gpusel::data
