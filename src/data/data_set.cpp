#include "gpusel/data/data_set.h"

#include "fingerprint.h"

#include "gpusel/base/id.h"
#include "gpusel/base/suggest.h"
#include "gpusel/base/text.h"
#include "gpusel/data/baked.h"
#include "gpusel/data/value_reader.h"

#include <algorithm>
#include <array>

namespace gpusel::data {
namespace {

constexpr std::array kKinds = {DataKind{"gpus", "gpus"},
                               DataKind{"curves", "curves"},
                               DataKind{"fabric", "fabrics"},
                               DataKind{"models", "models"},
                               DataKind{"framework", "frameworks"},
                               DataKind{"engine", "engines"},
                               DataKind{"provider", "providers"},
                               DataKind{"patch", "patches"},
                               DataKind{"rates", "rates"},
                               DataKind{"lint", "lint"},
                               DataKind{"scores", "scores"},
                               DataKind{"api_prices", "api-prices"},
                               DataKind{"rule", "rules"},
                               DataKind{"preset", "presets"},
                               DataKind{"calibration", "calibrations"}};

constexpr std::string_view kSheetKind = "prices";  // and the folder of price sheets
constexpr std::string_view kSchemaFolder = "schema";
constexpr int kMaxFolderDepth = 8;
constexpr std::size_t kMaxFiles = 10000;

bool is_data_name(std::string_view path) {
  return path.ends_with(".yaml") || path.ends_with(".yml") || path.ends_with(".json");
}

bool is_sheet_name(std::string_view path) { return path.ends_with(".csv"); }

const DataKind* kind_of(std::string_view key) {
  const auto* found =
      std::find_if(kKinds.begin(), kKinds.end(), [&](const DataKind& k) { return k.key == key; });
  return found == kKinds.end() ? nullptr : found;
}

void report_plain(diag::Sink& sink, const char* code, const std::string& message,
                  const std::string& help) {
  sink.report(diag::error(code, {}, message).with_help(help));
}

bool report_unreadable(diag::Sink& sink, const Error& error) {
  report_plain(sink, "data/unreadable", error.message, "check the path and its permissions");
  return false;
}

// The data files below a folder; false after a report.
bool collect(const std::string& path, int depth, const Files& files,
             std::vector<std::string>& found, diag::Sink& sink) {
  if (depth > kMaxFolderDepth) {
    report_plain(sink, "data/too-deep", "folders below '" + path + "' are nested too deep", "");
    return false;
  }
  const Result<std::vector<std::string>> names = files.list(path);
  if (!names) return report_unreadable(sink, names.error());
  bool good = true;
  for (const std::string& name : *names) {
    if (name.starts_with('.')) continue;
    std::string child = path;
    if (!child.ends_with('/')) child += '/';
    child += name;
    const PathKind kind = files.kind(child);
    // `schema` holds JSON Schemas beside the data, for editors.
    if (kind == PathKind::folder && name != kSchemaFolder)
      good = collect(child, depth + 1, files, found, sink) && good;
    const bool sheet = is_sheet_name(name) && path.ends_with("/" + std::string(kSheetKind));
    if (kind == PathKind::file && (sheet || is_data_name(name))) found.push_back(child);
  }
  return good;
}

// Reads the first key of a parsed file; false after a report.
bool identify(DataFile& file, diag::Sink& sink) {
  const NodeRef root = file.document->root();
  const Reader reader(sink, "$");
  std::vector<std::string> keys;
  for (const DataKind& k : kKinds) keys.emplace_back(k.key);
  if (!root.is_map() || root.size() == 0) {
    reader.error(
        "data/no-kind", root.span(), "expected a map whose first key says what the file is",
        "begin the file with one of " + quoted_list(keys) + ", such as 'provider: example'");
    return false;
  }
  const auto first = root.begin();
  const DataKind* kind = kind_of(first.key().text());
  if (kind == nullptr) {
    const std::string near = did_you_mean(first.key().text(), keys);
    reader.error(
        "data/no-kind", first.key().span(),
        "the first key '" + std::string(first.key().text()) + "' does not say what the file is",
        near.empty() ? "begin the file with one of " + quoted_list(keys) : near);
    return false;
  }
  const auto id = scalar_text(*first, reader.at(kind->key), "an id");
  if (!id) return false;
  if (!is_valid_id(*id)) {
    reader.at(kind->key).error("data/bad-id", (*first).span(),
                               (*first).describe() + " is not an id",
                               "an id has letters, digits, '.', '_' and '-'");
    return false;
  }
  file.kind = std::string(kind->key);
  file.id = std::string(*id);
  return true;
}

// Only the first key of a built-in file is decoded, as long as it says what the file is: most
// commands ask for few kinds.
bool read_builtin(const BuiltinFile& builtin, std::size_t root, std::vector<DataFile>& out,
                  diag::Sink& sink) {
  DataFile file;
  file.path = "<builtin>/" + std::string(builtin.path);
  file.root = root;
  file.source = diag::make_static_source(file.path, builtin.text);
  file.tree = builtin.tree;
  const FirstEntry first = first_entry(file.source, builtin.tree);
  if (kind_of(first.key) != nullptr && is_valid_id(first.value)) {
    file.kind = std::string(first.key);
    file.id = std::string(first.value);
  } else {
    file.document = std::make_shared<const Document>(decode_tree(file.source, file.tree));
    if (!identify(file, sink)) return false;
  }
  out.push_back(std::move(file));
  return true;
}

bool read_path(const std::string& path, std::size_t root, const Files& files,
               std::vector<DataFile>& out, diag::Sink& sink) {
  const Result<std::string> text = files.read(path);
  if (!text) return report_unreadable(sink, text.error());
  DataFile file;
  file.path = path;
  file.root = root;
  file.source = diag::make_source(path, *text);
  if (is_sheet_name(path)) {
    file.kind = std::string(kSheetKind);
    file.id = path;
    out.push_back(std::move(file));
    return true;
  }
  std::optional<Document> document = parse_document(file.source, sink);
  if (!document) return false;
  file.document = std::make_shared<const Document>(std::move(*document));
  if (!identify(file, sink)) return false;
  out.push_back(std::move(file));
  return true;
}

bool read_root(const Root& root, std::size_t index, const Files& files, std::vector<DataFile>& out,
               diag::Sink& sink) {
  if (root.kind == Root::Kind::builtin) {
    bool good = true;
    for (const BuiltinFile& b : builtin_files()) good = read_builtin(b, index, out, sink) && good;
    return good;
  }
  const PathKind kind = files.kind(root.path);
  if (kind == PathKind::missing) {
    report_plain(sink, "data/unreadable", "there is no file or folder '" + root.path + "'",
                 "check the spelling of the path");
    return false;
  }
  std::vector<std::string> paths;
  bool good = true;
  if (kind == PathKind::folder) {
    good = collect(root.path, 0, files, paths, sink);
  } else {
    paths.push_back(root.path);
  }
  if (paths.size() > kMaxFiles) {
    report_plain(sink, "data/unreadable", "'" + root.path + "' holds more than 10000 data files",
                 "");
    return false;
  }
  for (const std::string& path : paths) good = read_path(path, index, files, out, sink) && good;
  return good;
}

bool same_place(const DataFile& a, const DataFile& b) { return a.kind == b.kind && a.id == b.id; }

// Reports and removes a file whose kind and id an earlier file of the same root has; false after a
// report.
bool drop_twins(std::vector<DataFile>& found, diag::Sink& sink) {
  std::vector<DataFile> kept;
  for (DataFile& file : found) {
    const auto twin = std::find_if(kept.begin(), kept.end(),
                                   [&](const DataFile& k) { return same_place(k, file); });
    if (twin == kept.end()) {
      kept.push_back(std::move(file));
      continue;
    }
    sink.report(diag::error("data/duplicate-file", {file.source, 1, 1, 1},
                            file.kind + " '" + file.id + "' stands in two files of one root")
                    .with_help("the other is '" + twin->path + "'; keep one of them"));
  }
  const bool good = kept.size() == found.size();
  found = std::move(kept);
  return good;
}

}  // namespace

std::span<const DataKind> data_kinds() { return kKinds; }

DataSet DataSet::open(std::vector<Root> roots, const Files& files, diag::Sink& sink) {
  DataSet set;
  set.roots_ = std::move(roots);
  for (std::size_t i = 0; i < set.roots_.size(); ++i) {
    std::vector<DataFile> found;
    if (!read_root(set.roots_[i], i, files, found, sink)) set.faulty_ = true;
    if (!drop_twins(found, sink)) set.faulty_ = true;
    for (DataFile& file : found) {
      std::erase_if(set.files_, [&](const DataFile& lower) {
        if (!same_place(lower, file)) return false;
        file.shadows = lower.shadows;
        file.shadows.push_back(lower.path);
        return true;
      });
      set.files_.push_back(std::move(file));
    }
  }
  std::stable_sort(set.files_.begin(), set.files_.end(), [](const DataFile& a, const DataFile& b) {
    return a.kind != b.kind ? a.kind < b.kind : a.id < b.id;
  });
  return set;
}

std::vector<const DataFile*> DataSet::files(std::string_view kind) {
  std::vector<const DataFile*> result;
  for (DataFile& file : files_) {
    if (file.kind != kind) continue;
    if (!file.document) {
      file.document = std::make_shared<const Document>(decode_tree(file.source, file.tree));
    }
    result.push_back(&file);
  }
  return result;
}

std::vector<const DataFile*> DataSet::sheets() const {
  std::vector<const DataFile*> result;
  for (const DataFile& file : files_) {
    if (file.kind == kSheetKind) result.push_back(&file);
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const DataFile* a, const DataFile* b) { return a->root < b->root; });
  return result;
}

void DataSet::visit(std::string_view kind, const std::function<void(const DataFile&)>& visitor) {
  for (DataFile& file : files_) {
    if (file.kind != kind) continue;
    const auto held = file.document;
    if (!held)
      file.document = std::make_shared<const Document>(decode_tree(file.source, file.tree));
    visitor(file);
    file.document = held;
  }
}

std::string DataSet::fingerprint() const {
  Fingerprint print;
  for (const DataFile& file : files_) {
    print.add(file.kind);
    print.add(file.id);
    print.add(file.source->text);
  }
  return print.hex();
}

}  // namespace gpusel::data
