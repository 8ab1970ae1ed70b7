#include "builder.h"

#include "gpusel/base/bug.h"
#include "gpusel/base/text.h"

namespace gpusel::data {

bool check_encoding(const diag::SourcePtr& source, diag::Sink& sink) {
  const std::optional<std::size_t> bad = invalid_utf8_at(source->text);
  const std::size_t zero = source->text.find('\0');
  const std::size_t at = bad ? *bad : zero;
  if (at == std::string_view::npos) return true;
  const std::string_view before = source->text.substr(0, at);
  std::size_t line = 1;
  for (const char c : before) line += c == '\n' ? 1 : 0;
  const std::size_t start = before.rfind('\n');
  const std::size_t column = start == std::string_view::npos ? at + 1 : at - start;
  sink.report(diag::error("data/encoding", {source, line, column, 1},
                          bad ? "this byte is not valid UTF-8" : "a zero byte is not accepted")
                  .with_help("save the file as UTF-8 text"));
  return false;
}

bool Builder::at_key() const {
  return !open_.empty() && nodes_[open_.back().index].kind == NodeKind::map &&
         open_.back().children % 2 == 0;
}

void Builder::fail(const char* code, std::size_t line, std::size_t column, std::string message,
                   std::string help) {
  sink_.report(
      diag::error(code, {source_, line, column, 1}, std::move(message)).with_help(std::move(help)));
  throw StopParsing{};
}

// A text that stands in the source as it is needs no copy: baked data then costs no allocation per
// scalar.
std::string_view Builder::keep(std::size_t line, std::size_t column, NodeKind kind,
                               std::string text) {
  const std::vector<std::size_t>& starts = source_->line_starts;
  if (line > 0 && line <= starts.size()) {
    const std::size_t at = starts[line - 1] + column - 1 + (kind == NodeKind::quoted ? 1 : 0);
    if (at <= source_->text.size() && source_->text.substr(at, text.size()) == text) {
      return source_->text.substr(at, text.size());
    }
  }
  texts_.push_back(std::move(text));
  return texts_.back();
}

void Builder::check_key(std::size_t line, std::size_t column, std::string_view text) {
  const auto [first, fresh] = open_.back().keys.emplace(text, nodes_.size());
  if (fresh) return;
  fail("data/duplicate-key", line, column,
       "key '" + std::string(text) + "' stands here a second time",
       "the first is on line " + std::to_string(nodes_[first->second].line) + "; keep one of them");
}

void Builder::add(NodeKind kind, std::size_t line, std::size_t column, std::string_view text) {
  if (!open_.empty()) ++open_.back().children;
  Node node;
  node.kind = kind;
  node.line = static_cast<std::uint32_t>(line);
  node.column = static_cast<std::uint32_t>(column);
  node.end = static_cast<std::uint32_t>(nodes_.size() + 1);
  node.text = text;
  nodes_.push_back(node);
}

void Builder::scalar(NodeKind kind, std::size_t line, std::size_t column, std::string text) {
  const bool key = at_key();
  if (key && kind == NodeKind::null) {
    fail("data/bad-key", line, column, "a key is missing before ':'",
         "write the key, or remove the line");
  }
  const std::string_view kept = keep(line, column, kind, std::move(text));
  if (key) check_key(line, column, kept);
  add(kind, line, column, kept);
}

void Builder::open(NodeKind kind, std::size_t line, std::size_t column) {
  if (at_key()) {
    fail("data/bad-key", line, column, "a key must be a plain text, not a list or map",
         "put quotes around a key that begins with '[' or '{'");
  }
  if (open_.size() >= kMaxDepth) {
    fail("data/too-deep", line, column,
         "nested deeper than " + std::to_string(kMaxDepth) + " levels",
         "no data file of gpusel needs more than 8");
  }
  add(kind, line, column, {});
  open_.push_back({nodes_.size() - 1, 0, {}});
}

void Builder::close() {
  GPUSEL_BUG(open_.empty());
  nodes_[open_.back().index].end = static_cast<std::uint32_t>(nodes_.size());
  open_.pop_back();
}

Document Builder::finish() {
  GPUSEL_BUG(!open_.empty() || nodes_.empty());
  return {source_, std::move(nodes_), std::move(texts_)};
}

}  // namespace gpusel::data
