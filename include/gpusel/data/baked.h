// Built-in data: files parsed at build time, carried as their text and a compact form of their tree.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "gpusel/data/document.h"

namespace gpusel::data {

/// One built-in file. `tree` is what `encode_tree` made of its text.
struct BuiltinFile {
  std::string_view path;  // below the data folder: `providers/aws.yaml`
  std::string_view text;
  std::string_view tree;
};

/// All built-in files, sorted by path. Defined by the baked library that a program links.
std::span<const BuiltinFile> builtin_files();

/// The tree as compact text; `decode_tree(text, encode_tree(doc))` is `doc`.
std::string encode_tree(const Document& document);
/// The tree back, without parsing. A text that `encode_tree` did not make is a bug.
Document decode_tree(const diag::SourcePtr& source, std::string_view tree);

}  // namespace gpusel::data
