// Built-in data: files parsed at build time, carried as their text and a compact form of their
// tree.
#pragma once

#include "gpusel/data/document.h"

#include <span>
#include <string>
#include <string_view>

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
/// The first key of the root map and its value, without decoding the rest; empty where there is
/// none.
struct FirstEntry {
  std::string_view key;
  std::string_view value;
};
FirstEntry first_entry(const diag::SourcePtr& source, std::string_view tree);

/// The tree back, without parsing; `tree` must outlive it. A text that `encode_tree` did not make
/// is a bug.
Document decode_tree(const diag::SourcePtr& source, std::string_view tree);

}  // namespace gpusel::data
