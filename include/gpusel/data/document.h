// Document: one tree with positions for YAML, JSON and baked data; the only thing that readers
// read.
//
//   diag::Buffer faults;
//   std::optional<Document> doc = parse_yaml(source, faults);
//   for (NodeRef entry : doc->root().find("entries")->children()) ...
#pragma once

#include "gpusel/diag/diagnostic.h"
#include "gpusel/diag/source.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpusel::data {

enum class NodeKind : std::uint8_t {
  null,
  plain,   // unquoted scalar; JSON numbers and booleans
  quoted,  // quoted or block scalar; JSON strings
  list,
  map,  // children alternate: key, value
};

/// One node of the flat pre-order array.
struct Node {
  NodeKind kind = NodeKind::null;
  std::uint32_t line = 0;    // from 1
  std::uint32_t column = 0;  // from 1, bytes
  std::uint32_t end = 0;     // index one past the last node of this subtree
  std::string_view text;     // scalars only
};

/// Deepest nesting that is read.
inline constexpr std::size_t kMaxDepth = 32;

class NodeRef;

class Document {
 public:
  Document(diag::SourcePtr source, std::vector<Node> nodes, std::deque<std::string> texts)
      : source_(std::move(source)), nodes_(std::move(nodes)), texts_(std::move(texts)) {}
  Document(Document&&) =
      default;  // a deque keeps its elements in place when moved; a copy would not
  Document& operator=(Document&&) = default;
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;
  ~Document() = default;
  [[nodiscard]] NodeRef root() const;
  [[nodiscard]] const diag::SourcePtr& source() const { return source_; }
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }

 private:
  diag::SourcePtr source_;
  std::vector<Node> nodes_;
  std::deque<std::string> texts_;  // owns the texts that don't lie in the source
};

/// A node of a document that outlives it. Cheap to copy.
class NodeRef {
 public:
  NodeRef(const Document& document, std::size_t index) : document_(&document), index_(index) {}

  [[nodiscard]] NodeKind kind() const { return node().kind; }
  [[nodiscard]] bool is_map() const { return kind() == NodeKind::map; }
  [[nodiscard]] bool is_list() const { return kind() == NodeKind::list; }
  [[nodiscard]] bool is_scalar() const {
    return kind() == NodeKind::plain || kind() == NodeKind::quoted;
  }
  [[nodiscard]] bool is_null() const { return kind() == NodeKind::null; }
  [[nodiscard]] std::string_view text() const { return node().text; }
  [[nodiscard]] diag::Span span() const;
  /// "a map", "a list", "'80 GB'", "nothing": for messages.
  [[nodiscard]] std::string describe() const;

  /// Iterates the elements of a list, or the values of a map.
  class Iterator;
  [[nodiscard]] Iterator begin() const;
  [[nodiscard]] Iterator end() const;
  [[nodiscard]] std::size_t size() const;

  /// The value of a key of a map.
  [[nodiscard]] std::optional<NodeRef> find(std::string_view key) const;
  [[nodiscard]] std::size_t index() const { return index_; }

 private:
  [[nodiscard]] const Node& node() const { return document_->nodes()[index_]; }
  [[nodiscard]] NodeRef next() const { return {*document_, node().end}; }

  const Document* document_;
  std::size_t index_;
};

class NodeRef::Iterator {
 public:
  Iterator(NodeRef at, bool pairs) : at_(at), pairs_(pairs) {}
  NodeRef operator*() const { return pairs_ ? at_.next() : at_; }
  Iterator& operator++() {
    at_ = pairs_ ? at_.next().next() : at_.next();
    return *this;
  }
  bool operator!=(const Iterator& other) const { return at_.index_ != other.at_.index_; }
  /// The key node of a map entry.
  [[nodiscard]] NodeRef key() const { return at_; }

 private:
  NodeRef at_;
  bool pairs_;
};

inline NodeRef::Iterator NodeRef::begin() const {
  return {NodeRef(*document_, index_ + 1), is_map()};
}
inline NodeRef::Iterator NodeRef::end() const {
  return {NodeRef(*document_, node().end), is_map()};
}

/// Exactly one YAML document of the accepted subset: no anchors, aliases, tags, merge keys, doubled
/// keys or nesting beyond kMaxDepth; valid UTF-8. Faults go to the sink with code `data/…`; nullopt
/// after an error.
std::optional<Document> parse_yaml(const diag::SourcePtr& source, diag::Sink& sink);

/// Exactly one JSON value; the same limits. Doubled keys are errors.
std::optional<Document> parse_json(const diag::SourcePtr& source, diag::Sink& sink);

/// By the file name's ending: `.json` is JSON, anything else YAML.
std::optional<Document> parse_document(const diag::SourcePtr& source, diag::Sink& sink);

}  // namespace gpusel::data
