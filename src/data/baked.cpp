#include "gpusel/data/baked.h"

#include "gpusel/base/bug.h"

#include <functional>

// Per node: a letter for its kind, then numbers in base 32, five bits a character, low bits first,
// the characters '0'..'O' with 32 added while more follow. Scalars: lines since the node before,
// column, length; lists and maps: lines, column, nodes in the subtree. A text that does not stand
// in the source as it is (escapes, folded lines) has an upper-case letter and follows in full.

namespace gpusel::data {
namespace {

constexpr std::string_view kPlainLetters = "npqlm";
constexpr std::string_view kOwnedLetters = "NPQLM";
constexpr unsigned kBits = 5;
constexpr unsigned kMore = 1U << kBits;
constexpr char kBase = '0';

void put(std::string& out, std::size_t value) {
  do {
    const std::size_t rest = value >> kBits;
    out += static_cast<char>(kBase +
                             static_cast<char>((value & (kMore - 1)) | (rest > 0 ? kMore : 0)));
    value = rest;
  } while (value > 0);
}

bool lies_in(std::string_view part, std::string_view whole) {
  const std::less_equal<> before;  // of pointers into different texts, which '<' may not compare
  return part.empty() || (before(whole.data(), part.data()) &&
                          before(part.data() + part.size(), whole.data() + whole.size()));
}

bool is_scalar(NodeKind kind) { return kind != NodeKind::list && kind != NodeKind::map; }

// Reads the nodes one after the other.
class TreeReader {
 public:
  TreeReader(const diag::Source& source, std::string_view tree) : source_(source), tree_(tree) {}

  [[nodiscard]] bool done() const { return at_ == tree_.size(); }

  Node next() {
    const char letter = tree_[at_++];
    const bool owned = letter < 'a';
    Node node;
    node.kind = kind_of(owned ? static_cast<char>(letter + ('a' - 'A')) : letter);
    line_ += number();
    node.line = static_cast<std::uint32_t>(line_);
    node.column = static_cast<std::uint32_t>(number());
    const std::size_t size = number();
    node.end = static_cast<std::uint32_t>(count_ + (is_scalar(node.kind) ? 1 : size));
    if (is_scalar(node.kind) && size > 0)
      node.text = owned ? owned_text(size) : source_text(node, size);
    ++count_;
    return node;
  }

 private:
  static NodeKind kind_of(char letter) {
    std::size_t kind = 0;
    while (kind < kPlainLetters.size() && kPlainLetters[kind] != letter) ++kind;
    GPUSEL_BUG(kind == kPlainLetters.size());
    return static_cast<NodeKind>(kind);
  }
  [[nodiscard]] unsigned digit() {
    GPUSEL_BUG(at_ >= tree_.size());
    return static_cast<unsigned>(tree_[at_++] - kBase);
  }
  std::size_t number() {
    unsigned next = digit();
    std::size_t value = next & (kMore - 1);
    for (unsigned shift = kBits; (next & kMore) != 0; shift += kBits) {
      next = digit();
      value |= static_cast<std::size_t>(next & (kMore - 1)) << shift;
    }
    return value;
  }
  std::string_view owned_text(std::size_t size) {
    GPUSEL_BUG(tree_.size() - at_ < size);
    at_ += size;
    return tree_.substr(at_ - size, size);
  }
  [[nodiscard]] std::string_view source_text(const Node& node, std::size_t size) const {
    GPUSEL_BUG(node.line > source_.line_starts.size());
    const std::size_t quote = node.kind == NodeKind::quoted ? 1 : 0;
    return source_.text.substr(source_.line_starts[node.line - 1] + node.column - 1 + quote, size);
  }

  const diag::Source& source_;
  std::string_view tree_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t count_ = 0;
};

}  // namespace

std::string encode_tree(const Document& document) {
  std::string out;
  const std::string_view source = document.source()->text;
  std::size_t line = 1;
  for (std::size_t i = 0; i < document.nodes().size(); ++i) {
    const Node& node = document.nodes()[i];
    const auto kind = static_cast<std::size_t>(node.kind);
    const bool owned = !lies_in(node.text, source);
    out += (owned ? kOwnedLetters : kPlainLetters)[kind];
    GPUSEL_BUG(node.line < line);
    put(out, node.line - line);
    line = node.line;
    put(out, node.column);
    put(out, is_scalar(node.kind) ? node.text.size() : node.end - i);
    if (owned) out += node.text;
  }
  return out;
}

FirstEntry first_entry(const diag::SourcePtr& source, std::string_view tree) {
  TreeReader reader(*source, tree);
  if (reader.done() || reader.next().kind != NodeKind::map || reader.done()) return {};
  const std::string_view key = reader.next().text;
  return {key, reader.next().text};
}

Document decode_tree(const diag::SourcePtr& source, std::string_view tree) {
  std::vector<Node> nodes;
  constexpr std::size_t kTypicalNodeBytes = 5;
  nodes.reserve(tree.size() / kTypicalNodeBytes + 1);
  TreeReader reader(*source, tree);
  while (!reader.done()) nodes.push_back(reader.next());
  GPUSEL_BUG(nodes.empty());
  return {source, std::move(nodes), {}};
}

}  // namespace gpusel::data
