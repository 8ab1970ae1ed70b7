#include "gpusel/data/baked.h"

#include "gpusel/base/bug.h"

// Per node: a letter for its kind, then numbers in base 32, five bits a character, low bits first, the
// characters '0'..'O' with 32 added while more follow. Scalars: lines since the node before, column, length;
// lists and maps: lines, column, nodes in the subtree. A text that does not stand in the source as it is
// (escapes, folded lines) has an upper-case letter and follows in full.

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
    out += static_cast<char>(kBase + static_cast<char>((value & (kMore - 1)) | (rest > 0 ? kMore : 0)));
    value = rest;
  } while (value > 0);
}

std::size_t get(std::string_view tree, std::size_t& at) {
  std::size_t value = 0;
  for (unsigned shift = 0;; shift += kBits) {
    GPUSEL_BUG(at >= tree.size());
    const auto digit = static_cast<unsigned>(tree[at++] - kBase);
    value |= static_cast<std::size_t>(digit & (kMore - 1)) << shift;
    if ((digit & kMore) == 0) return value;
  }
}

bool lies_in(std::string_view part, std::string_view whole) {
  return part.empty() || (part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size());
}

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
    const bool scalar = node.kind != NodeKind::list && node.kind != NodeKind::map;
    put(out, scalar ? node.text.size() : node.end - i);
    if (owned) out += node.text;
  }
  return out;
}

Document decode_tree(const diag::SourcePtr& source, std::string_view tree) {
  std::vector<Node> nodes;
  constexpr std::size_t kTypicalNodeBytes = 5;
  nodes.reserve(tree.size() / kTypicalNodeBytes + 1);
  std::deque<std::string> texts;
  std::size_t line = 1;
  std::size_t line_start = 0;
  for (std::size_t at = 0; at < tree.size();) {
    const char letter = tree[at++];
    const bool owned = letter < 'a';
    Node node;
    node.kind = static_cast<NodeKind>((owned ? kOwnedLetters : kPlainLetters).find(letter));
    for (std::size_t skip = get(tree, at); skip > 0; --skip, ++line) {
      line_start = source->text.find('\n', line_start) + 1;
    }
    node.line = static_cast<std::uint32_t>(line);
    node.column = static_cast<std::uint32_t>(get(tree, at));
    const std::size_t size = get(tree, at);
    const bool scalar = node.kind != NodeKind::list && node.kind != NodeKind::map;
    node.end = static_cast<std::uint32_t>(nodes.size() + (scalar ? 1 : size));
    if (scalar && owned) {
      node.text = tree.substr(at, size);
      at += size;
    } else if (scalar) {
      node.text = source->text.substr(line_start + node.column - 1 + (node.kind == NodeKind::quoted ? 1 : 0), size);
    }
    nodes.push_back(node);
  }
  GPUSEL_BUG(nodes.empty());
  return {source, std::move(nodes), std::move(texts)};
}

}  // namespace gpusel::data
