// FileShape: what a kind of data file may hold, made from the tables that read it; JSON Schemas and
// templates are written from it, so that neither can drift from the readers.
#pragma once

#include "gpusel/data/field.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpusel::data {

/// What stands below one key of a file.
struct FilePart {  // NOLINT(clang-analyzer-optin.performance.Padding): in the order that is written
  enum class Form {
    list,   // of records
    table,  // `{columns: […], rows: [[…]]}`
    map,    // records by name
  };
  std::string_view key;
  std::string_view doc;
  Form form = Form::list;
  std::vector<KeyShape> (*keys)() = nullptr;
  Presence presence = Presence::optional;
  /// More lines of a template, where one record is not enough for a sound file.
  std::string_view more = {};
};

struct FileShape {
  std::string_view kind;                      // the first key: "provider"
  std::string_view summary;                   // "what a provider sells, where and at what price"
  std::vector<KeyShape> (*keys)() = nullptr;  // beside the parts; null: none
  std::span<const FilePart> parts;
};

/// The first key and those of the parts: what `read_record` leaves to the caller.
std::vector<std::string_view> other_keys(const FileShape& shape);
/// Reports the keys of a file that its shape does not have.
void check_keys(NodeRef root, const FileShape& shape, const Reader& reader);

/// The shape as a JSON Schema (draft 7), pretty-printed, with a newline at the end.
std::string json_schema(const FileShape& shape);
/// A file to start from: every key with its doc as a comment and an example. It reads without
/// faults where each required key has an example.
std::string template_text(const FileShape& shape);

}  // namespace gpusel::data
