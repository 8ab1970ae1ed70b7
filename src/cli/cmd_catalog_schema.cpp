#include "command.h"
#include "options.h"
#include "shapes.h"
#include "view.h"

#include "gpusel/data/data_set.h"

#include <algorithm>

namespace gpusel::cli {
namespace {

using diag::ExitCode;

constexpr std::string_view kExamples[] = {
    "catalog schema",
    "catalog schema provider",
    "catalog schema provider --output provider.schema.json",
};

std::vector<data::OptionSpec> options() { return output_options(); }

std::string folder_of(std::string_view kind) {
  for (const data::DataKind& known : data::data_kinds()) {
    if (known.key == kind) return std::string(known.folder);
  }
  return {};
}

report::Document kinds_document() {
  report::Table table;
  table.columns = {{"kind", "kind"}, {"folder", "folder"}, {"summary", "holds"}};
  report::Value list = report::list();
  for (const data::FileShape* shape : file_shapes()) {
    report::Value v = report::object();
    v.set("kind", report::text(std::string(shape->kind)));
    v.set("folder", report::text(folder_of(shape->kind)));
    v.set("summary", report::text(std::string(shape->summary)));
    table.rows.push_back({*v.find("kind"), *v.find("folder"), *v.find("summary")});
    list.add(std::move(v));
  }
  report::Document document;
  document.value = report::object();
  document.value.set("schema_version", report::text(kSchemaVersion));
  document.value.set("kinds", std::move(list));
  document.sections.push_back({"Kinds of data files", {}, std::move(table)});
  return document;
}

ExitCode run(Invocation& invocation) {
  if (invocation.arguments.empty()) return invocation.print(kinds_document(), ExitCode::answered);
  const Argument& kind = invocation.arguments.front();
  const data::FileShape* shape = find_shape(kind.text, kind.span, invocation.diagnostics);
  if (shape == nullptr) return ExitCode::usage;
  return invocation.print_text(data::json_schema(*shape), ExitCode::answered);
}

}  // namespace

extern const CommandSpec cmd_catalog_schema;
constinit const CommandSpec cmd_catalog_schema{
    "catalog schema",
    "the JSON Schema of a kind of data file, for editors",
    "Prints the JSON Schema (draft 7) of one kind of data file, written from the tables that read "
    "it; without a kind, the kinds there are. Editors with YAML support check and complete data "
    "files by it: '# yaml-language-server: $schema=provider.schema.json' as the first line.",
    kExamples,
    {"KIND", "such as provider, gpus, models or rule", 1},
    &options,
    &run};

}  // namespace gpusel::cli
