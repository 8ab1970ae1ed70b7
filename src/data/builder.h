// Builds the flat node array of a Document from parser events; shared by YAML and JSON.
#pragma once

#include "gpusel/data/document.h"

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gpusel::data {

/// Thrown inside a parser to stop it at the first fault that makes the rest meaningless; never
/// leaves data.
struct StopParsing {};

/// Reports the first byte that no data file may hold (not UTF-8, or zero); false after a report.
bool check_encoding(const diag::SourcePtr& source, diag::Sink& sink);

class Builder {
 public:
  Builder(diag::SourcePtr source, diag::Sink& sink) : source_(std::move(source)), sink_(sink) {}

  void scalar(NodeKind kind, std::size_t line, std::size_t column, std::string text);
  void open(NodeKind kind, std::size_t line, std::size_t column);
  void close();
  /// Reports an error and stops the parser.
  [[noreturn]] void fail(const char* code, std::size_t line, std::size_t column,
                         std::string message, std::string help);
  [[nodiscard]] bool has_root() const { return !nodes_.empty(); }
  [[nodiscard]] std::size_t depth() const { return open_.size(); }
  /// True when the next scalar is a key of a map.
  [[nodiscard]] bool at_key() const;
  Document finish();

 private:
  struct Open {
    std::size_t index;
    std::size_t children = 0;
    std::unordered_map<std::string_view, std::size_t> keys;  // to node indices
  };
  void add(NodeKind kind, std::size_t line, std::size_t column, std::string_view text);
  void check_key(std::size_t line, std::size_t column, std::string_view text);
  std::string_view keep(std::size_t line, std::size_t column, NodeKind kind, std::string text);

  diag::SourcePtr source_;
  diag::Sink& sink_;
  std::vector<Node> nodes_;
  std::deque<std::string> texts_;
  std::vector<Open> open_;
};

}  // namespace gpusel::data
