// The data files in force: where each comes from and what it replaces.
#include "records.h"
#include "view.h"

#include <algorithm>

namespace gpusel::cli {
namespace {

using report::Align;
using report::Value;

constexpr ListColumn kColumns[] = {
    {"kind", "kind"},
    {"id", "id"},
    {"file", "file"},
    {"root", "root", Align::left, 3},
    {"shadows", "replaces", Align::left, 1},
    {"newest_source", "newest source"},
    {"bytes", "bytes", Align::right, 2},
};

// The newest date of the sources of a file.
std::optional<Date> newest_source(const data::DataFile& file) {
  if (!file.document) return std::nullopt;
  const auto sources = file.document->root().find("sources");
  if (!sources || !sources->is_map()) return std::nullopt;
  std::optional<Date> newest;
  for (const data::NodeRef source : *sources) {
    const auto text = source.is_map() ? source.find("date") : std::nullopt;
    const Result<Date> date = Date::parse(text ? text->text() : std::string_view());
    if (date && (!newest || *newest < *date)) newest = *date;
  }
  return newest;
}

Value file_record(const data::DataFile& file, const std::vector<data::Root>& roots) {
  Value shadows = report::list();
  for (const std::string& path : file.shadows) shadows.add(report::text(path));
  const std::optional<Date> date = newest_source(file);
  Value v = report::object();
  v.set("id", report::text(file.id));
  v.set("kind", report::text(file.kind));
  v.set("file", report::text(file.path));
  v.set("root", report::text(roots[file.root].shown()));
  v.set("shadows", std::move(shadows));
  v.set("newest_source",
        date ? report::text(date->text()) : report::unknown("the file has no dated source"));
  v.set("bytes", report::whole(static_cast<std::int64_t>(file.source->text.size())));
  add_unknown(v);
  return v;
}

ListAnswer read_files(Session& session, Invocation&) {
  ListAnswer answer{{}, "files", "Data files", catalog_value(session.catalog), {}, kColumns};
  // Asking for each kind decodes what has not been used yet.
  for (const data::DataKind& kind : data::data_kinds())
    static_cast<void>(session.data.files(kind.key));
  for (const data::DataFile& file : session.data.all())
    answer.records.push_back(file_record(file, session.data.roots()));
  return answer;
}

}  // namespace

constinit const RecordKind kFileRecords{"catalog list", "catalog list", &read_files,
                                        &ids_and_aliases, &has_id_or_alias};

}  // namespace gpusel::cli
