#include "command.h"
#include "options.h"
#include "session.h"
#include "shapes.h"

#include "gpusel/data/data_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace gpusel::cli {
namespace {

using diag::ExitCode;

constexpr std::string_view kExamples[] = {
    "catalog export my-catalog",
    "catalog export my-catalog --only provider/aws --only rule",
    "catalog export --template provider --output mine.yaml",
    "catalog export --template patch",
};

constexpr std::string_view kGroup = "Export";
constexpr data::OptionSpec kTemplate{
    "template", data::OptionKind::value,
    "KIND",     "print a commented file to start from: provider, patch, rule, …",
    {},         kGroup};
constexpr data::OptionSpec kOnly{
    "only",      data::OptionKind::repeated,
    "KIND[/ID]", "only files of this kind, or this one file; repeatable",
    {},          kGroup};
constexpr data::OptionSpec kForce{
    "force", data::OptionKind::flag, "", "overwrite files that differ", {}, kGroup};

std::vector<data::OptionSpec> options() {
  return joined({{kTemplate, kOnly, kForce}, catalog_options(), output_options()});
}

struct Wanted {
  std::string_view kind;
  std::string id;  // empty: every file of the kind
};

// The files that --only asks for; reports a kind or file that there is not.
std::vector<Wanted> wanted_files(const data::DataSet& set, Invocation& invocation) {
  std::vector<Wanted> wanted;
  for (const data::OptionValue& value : invocation.options.all("only")) {
    const std::size_t slash = value.text.find('/');
    const data::FileShape* shape = find_shape(std::string_view(value.text).substr(0, slash),
                                              value.span, invocation.diagnostics);
    if (shape == nullptr) continue;
    const std::string id = slash == std::string::npos ? "" : value.text.substr(slash + 1);
    const bool there = std::any_of(set.all().begin(), set.all().end(), [&](const auto& file) {
      return file.kind == shape->kind && (id.empty() || file.id == id);
    });
    if (!there) {
      invocation.diagnostics.report(
          diag::error("usage/unknown-name", value.span, "there is no file '" + value.text + "'")
              .with_help("see them all with 'gpusel catalog list --files'"));
    }
    wanted.push_back({shape->kind, id});
  }
  return wanted;
}

bool is_wanted(const data::DataFile& file, const std::vector<Wanted>& wanted) {
  if (wanted.empty()) return true;
  return std::any_of(wanted.begin(), wanted.end(), [&](const Wanted& w) {
    return file.kind == w.kind && (w.id.empty() || file.id == w.id);
  });
}

std::string target_of(const data::DataFile& file, const std::string& folder) {
  const std::size_t slash = file.path.rfind('/');
  const std::string name = slash == std::string::npos ? file.path : file.path.substr(slash + 1);
  for (const data::DataKind& kind : data::data_kinds()) {
    if (kind.key == file.kind) return fmt::format("{}/{}/{}", folder, kind.folder, name);
  }
  return folder + "/" + name;
}

// All or nothing: a file that stands there with another text stops the run before the first write.
bool may_write(const std::vector<std::pair<std::string, const data::DataFile*>>& targets,
               Invocation& invocation) {
  const data::OptionReader read(invocation.options, invocation.diagnostics);
  if (read.flag("force")) return true;
  bool good = true;
  for (const auto& [path, file] : targets) {
    if (invocation.io.files.kind(path) == PathKind::missing) continue;
    const Result<std::string> there = invocation.io.files.read(path);
    if (there && *there == file->source->text) continue;
    invocation.diagnostics.report(
        diag::error("data/unwritable", {}, "'" + path + "' exists and differs")
            .with_help("choose another folder, or overwrite with --force"));
    good = false;
  }
  return good;
}

ExitCode export_files(Invocation& invocation) {
  if (invocation.arguments.empty()) {
    invocation.diagnostics.report(
        diag::error("usage/missing-argument", {}, "say which folder to write to")
            .with_help("write 'gpusel catalog export DIR', or '--template KIND' for a file to "
                       "start from"));
    return ExitCode::usage;
  }
  const data::DataSet set =
      data::DataSet::open(roots_of(invocation), invocation.io.files, invocation.diagnostics);
  if (invocation.diagnostics.has_errors()) return ExitCode::bad_data;
  const std::vector<Wanted> wanted = wanted_files(set, invocation);
  if (invocation.diagnostics.has_errors()) return ExitCode::usage;
  std::vector<std::pair<std::string, const data::DataFile*>> targets;
  for (const data::DataFile& file : set.all()) {
    if (is_wanted(file, wanted))
      targets.emplace_back(target_of(file, invocation.arguments.front().text), &file);
  }
  if (!may_write(targets, invocation)) return ExitCode::bad_data;
  for (const auto& [path, file] : targets) {
    const Result<std::size_t> written = invocation.io.files.write(path, file->source->text);
    if (written) continue;
    invocation.diagnostics.report(diag::error("data/unwritable", {}, written.error().message)
                                      .with_help("check the folder and its permissions"));
    return ExitCode::bad_data;
  }
  return invocation.print_text(
      fmt::format("{} files written to {}\n", targets.size(), invocation.arguments.front().text),
      ExitCode::answered);
}

ExitCode run(Invocation& invocation) {
  const data::OptionValue* kind = invocation.options.find("template");
  if (kind == nullptr) return export_files(invocation);
  const data::FileShape* shape = find_shape(kind->text, kind->span, invocation.diagnostics);
  if (shape == nullptr) return ExitCode::usage;
  return invocation.print_text(data::template_text(*shape), ExitCode::answered);
}

}  // namespace

extern const CommandSpec cmd_catalog_export;
constinit const CommandSpec cmd_catalog_export{
    "catalog export",
    "write the data files in force to a folder, or a template to start from",
    "Writes the files in force, one per provider, GPU family, model family, rule and so on, as "
    "they are read: edit them and use them with --catalog. A folder that has files which differ is "
    "left alone. --template prints one commented file of a kind instead.",
    kExamples,
    {"DIR", "folder to write to; it is made where it is missing", 1},
    &options,
    &run};

}  // namespace gpusel::cli
