// Readers of documents: any bytes give a document or a fault with a place, and a document survives
// baking.
#pragma once

#include "input.h"

#include "gpusel/data/baked.h"
#include "gpusel/data/document.h"
#include "gpusel/diag/render.h"

#include <optional>
#include <string>

namespace gpusel::fuzz {

using Parse = std::optional<data::Document> (*)(const diag::SourcePtr&, diag::Sink&);

inline void read_document(Parse parse, const std::string& text) {
  const diag::SourcePtr source = diag::make_source("input", text);
  diag::Buffer faults;
  const std::optional<data::Document> document = parse(source, faults);
  require(document.has_value() != faults.has_errors(), "either a document or an error");
  static_cast<void>(diag::render(faults.sorted(), {}));
  if (!document) return;
  const std::string tree = data::encode_tree(*document);  // the copy refers to it
  const data::Document copy = data::decode_tree(source, tree);
  require(copy.nodes().size() == document->nodes().size(), "baking keeps the nodes");
  for (std::size_t i = 0; i < copy.nodes().size(); ++i) {
    const data::Node& a = document->nodes()[i];
    const data::Node& b = copy.nodes()[i];
    require(a.kind == b.kind && a.line == b.line && a.column == b.column && a.end == b.end &&
                a.text == b.text,
            "baking keeps each node");
  }
}

}  // namespace gpusel::fuzz
