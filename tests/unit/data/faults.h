// Faults of data files as short texts: `line:column+length code: message; help`.
#pragma once

#include "gpusel/data/document.h"
#include "gpusel/diag/diagnostic.h"

#include <string>

namespace gpusel::data::test {

inline std::string text_of(const diag::Diagnostic& d) {
  std::string place;
  if (d.span.source != nullptr) {
    place = std::to_string(d.span.line) + ":" + std::to_string(d.span.column) + "+" +
            std::to_string(d.span.length) + " ";
  }
  return place + d.code + ": " + d.message;
}

/// All of them, one a line, in the order of their places.
inline std::string faults_of(const diag::Buffer& sink) {
  std::string text;
  for (const diag::Diagnostic& d : sink.sorted()) text += (text.empty() ? "" : "\n") + text_of(d);
  return text;
}

/// The tree on one line, each node with its place: `{a@1:1: [3@1:5]@1:4}@1:1`.
inline std::string tree_of(NodeRef node) {
  const diag::Span span = node.span();
  const std::string place = "@" + std::to_string(span.line) + ":" + std::to_string(span.column);
  std::string text;
  switch (node.kind()) {
    case NodeKind::null:
      return "~" + place;
    case NodeKind::plain:
      return std::string(node.text()) + place;
    case NodeKind::quoted:
      return "'" + std::string(node.text()) + "'" + place;
    case NodeKind::list:
      for (const NodeRef element : node) text += (text.empty() ? "" : ", ") + tree_of(element);
      return "[" + text + "]" + place;
    case NodeKind::map:
      for (auto it = node.begin(); it != node.end(); ++it) {
        text += (text.empty() ? "" : ", ") + tree_of(it.key()) + ": " + tree_of(*it);
      }
      return "{" + text + "}" + place;
  }
  return text;
}

/// The tree of a text, or its faults.
inline std::string outcome(const std::string& name, const std::string& text) {
  diag::Buffer sink;
  const std::optional<Document> document = parse_document(diag::make_source(name, text), sink);
  const std::string faults = faults_of(sink);
  if (document.has_value() != faults.empty())
    return "the outcome and the faults disagree: " + faults;
  return document ? tree_of(document->root()) : faults;
}

}  // namespace gpusel::data::test
