// DataSet: the data files in force, from the built-in ones up to each `--catalog`. A file of the
// same kind and id in a higher root replaces the lower one whole.
//
//   std::optional<DataSet> set = DataSet::open(roots, io.files, sink);
//   for (const DataFile* file : set->files("provider")) { const Document& doc = *file->document; …
//   }
#pragma once

#include "gpusel/base/io.h"
#include "gpusel/data/document.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpusel::data {

/// What a data file holds, by its first key.
struct DataKind {
  std::string_view key;     // "provider"
  std::string_view folder;  // "providers"
};
/// Every kind of data file.
std::span<const DataKind> data_kinds();

struct Root {
  enum class Kind { builtin, path } kind = Kind::path;
  std::string path;  // a folder or one file; empty for the built-in data
  [[nodiscard]] std::string shown() const { return kind == Kind::builtin ? "<builtin>" : path; }
};

struct DataFile {
  std::string path;                  // as shown: `<builtin>/providers/aws.yaml`, `mine/aws.yaml`
  std::string kind;                  // "provider"; "prices" for a price sheet
  std::string id;                    // "aws"
  std::size_t root = 0;              // index into roots()
  std::vector<std::string> shadows;  // paths of the lower files that it replaces
  diag::SourcePtr source;
  std::shared_ptr<const Document> document;  // null for a built-in file until it is asked for
  std::string_view tree;                     // of a built-in file
};

class DataSet {
 public:
  /// Reads the files of every root, lowest first. A file that cannot be read or parsed is reported
  /// (code `data/…`) and left out; `faulty()` says that there was one.
  static DataSet open(std::vector<Root> roots, const Files& files, diag::Sink& sink);

  [[nodiscard]] const std::vector<Root>& roots() const { return roots_; }
  /// The files in force of one kind, sorted by id, with their documents.
  [[nodiscard]] std::vector<const DataFile*> files(std::string_view kind);
  /// The same one after the other; a built-in file is decoded for its visit alone, so that the
  /// memory of one serves the next.
  void visit(std::string_view kind, const std::function<void(const DataFile&)>& visitor);
  /// Price sheets: CSV files below a folder `prices`, or given by name; lowest root first. They
  /// have no document.
  [[nodiscard]] std::vector<const DataFile*> sheets() const;
  /// All files in force, sorted by kind and id.
  [[nodiscard]] const std::vector<DataFile>& all() const { return files_; }
  [[nodiscard]] bool faulty() const { return faulty_; }
  /// XXH3 over kind, id and text of every file in force, as 16 hexadecimal digits.
  [[nodiscard]] std::string fingerprint() const;

 private:
  std::vector<Root> roots_;
  std::vector<DataFile> files_;
  bool faulty_ = false;
};

}  // namespace gpusel::data
