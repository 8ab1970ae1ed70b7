// --workload NAME|FILE|- and the flags of the work.
#include "options.h"
#include "session.h"

#include "gpusel/base/suggest.h"
#include "gpusel/base/text.h"

#include <algorithm>

namespace gpusel::cli {
namespace {

using data::OptionSpec;
using workload::WorkloadKind;

constexpr std::string_view kOtherKeys[] = {"workload", "preset", "summary", "sources", "source"};

std::string expanded(const std::string& path, const Io& io) {
  if (!path.starts_with("~/")) return path;
  return io.variable("HOME").value_or("~") + path.substr(1);
}

bool names_file(std::string_view text) {
  return text == "-" || text.starts_with('.') || text.starts_with('/') || text.starts_with('~') ||
         text.ends_with(".yaml") || text.ends_with(".yml") || text.ends_with(".json");
}

std::vector<std::string> known_names(data::DataSet& data) {
  std::vector<std::string> names;
  for (const WorkloadKind* kind : workload::kinds()) names.emplace_back(kind->id);
  for (const data::DataFile* preset : data.files("preset")) names.push_back(preset->id);
  return names;
}

// The kind that a preset or file names, with its other keys as option values.
const WorkloadKind* kind_of_document(const data::Document& document, data::Origin origin,
                                     Invocation& invocation) {
  const data::NodeRef root = document.root();
  const auto name = root.find("workload");
  if (!root.is_map() || !name || !name->is_scalar()) {
    invocation.diagnostics.report(
        diag::error("workload/no-kind", root.span(), "expected a map with a key 'workload'")
            .with_help(
                "write 'workload: llm-train' and one option per line, such as 'params: 10B'"));
    return nullptr;
  }
  const WorkloadKind* kind = workload::find_kind(name->text());
  if (kind == nullptr) {
    std::vector<std::string> names;
    for (const WorkloadKind* k : workload::kinds()) names.emplace_back(k->id);
    invocation.diagnostics.report(
        diag::error("workload/unknown", name->span(), "there is no workload " + name->describe())
            .with_help(did_you_mean(name->text(), names)));
    return nullptr;
  }
  data::read_options(root, kind->options, origin, kOtherKeys, invocation.options,
                     invocation.diagnostics);
  return kind;
}

const WorkloadKind* kind_of_file(const data::OptionValue& value, Invocation& invocation) {
  const std::string path = expanded(value.text, invocation.io);
  const Result<std::string> text = invocation.io.files.read(path);
  if (!text) {
    invocation.diagnostics.report(
        diag::error("data/unreadable", value.span, text.error().message)
            .with_help("check the path; a workload file is YAML with a key 'workload'"));
    return nullptr;
  }
  const diag::SourcePtr source = diag::make_source(path == "-" ? "<standard input>" : path, *text);
  const std::optional<data::Document> document =
      data::parse_document(source, invocation.diagnostics);
  if (!document) return nullptr;
  return kind_of_document(*document, data::Origin::file, invocation);
}

const WorkloadKind* kind_of_name(const data::OptionValue& value, Session& session,
                                 Invocation& invocation) {
  if (const WorkloadKind* kind = workload::find_kind(value.text)) return kind;
  for (const data::DataFile* preset : session.data.files("preset")) {
    if (preset->id == value.text)
      return kind_of_document(*preset->document, data::Origin::preset, invocation);
  }
  const std::vector<std::string> names = known_names(session.data);
  std::string help = did_you_mean(value.text, names);
  if (help.empty()) help = "workloads: " + quoted_list(names, "and");
  invocation.diagnostics.report(
      diag::error("usage/unknown-workload", value.span, "there is no workload '" + value.text + "'")
          .with_help(help));
  return nullptr;
}

// A flag of another kind would be ignored silently.
void report_unused(const WorkloadKind& kind, Invocation& invocation) {
  for (const OptionSpec& spec : workload_options()) {
    const data::OptionValue* value = invocation.options.find(spec.name);
    const bool used = spec.name == "workload" ||
                      std::any_of(kind.options.begin(), kind.options.end(),
                                  [&](const OptionSpec& s) { return s.name == spec.name; });
    if (value == nullptr || used || value->origin != data::Origin::flag) continue;
    std::vector<std::string> others;
    for (const WorkloadKind* other : workload::kinds()) {
      for (const OptionSpec& s : other->options) {
        if (s.name == spec.name) others.emplace_back(other->id);
      }
    }
    invocation.diagnostics.report(
        diag::error("usage/unused-option", value->span,
                    "'--" + std::string(spec.name) + "' is not used by " + std::string(kind.id))
            .with_help("it belongs to " + quoted_list(others, "and")));
  }
}

}  // namespace

std::unique_ptr<const workload::Workload> resolve_workload(Session& session, Invocation& invocation,
                                                           diag::ExitCode& code) {
  code = diag::ExitCode::usage;
  const data::OptionValue* value = invocation.options.find("workload");
  if (value == nullptr) {
    invocation.diagnostics.report(
        diag::error("usage/missing-option", {}, "say what work it is with --workload")
            .with_help("workloads: " + quoted_list(known_names(session.data), "and") +
                       ", or a YAML file"));
    return nullptr;
  }
  const data::OptionValue chosen = *value;  // reading a file adds values
  const bool file = names_file(chosen.text);
  const WorkloadKind* kind =
      file ? kind_of_file(chosen, invocation) : kind_of_name(chosen, session, invocation);
  if (file) code = diag::ExitCode::bad_data;
  if (kind == nullptr) return nullptr;
  report_unused(*kind, invocation);
  const bool clean = !invocation.diagnostics.has_errors();
  std::unique_ptr<const workload::Workload> work =
      kind->make(invocation.options, {&session.catalog, &session.data, &invocation.io.files},
                 invocation.diagnostics);
  if (clean && invocation.diagnostics.has_errors()) {
    // A fault inside a file is bad data, one on the command line wrong usage.
    const auto faults = invocation.diagnostics.all();
    const bool in_file = std::any_of(faults.begin(), faults.end(), [](const diag::Diagnostic& d) {
      return d.span.source != nullptr && d.span.source->name != "<command line>" &&
             d.span.source->name != "<environment>";
    });
    code = in_file ? diag::ExitCode::bad_data : diag::ExitCode::usage;
  }
  if (invocation.diagnostics.has_errors()) return nullptr;
  return work;
}

}  // namespace gpusel::cli
