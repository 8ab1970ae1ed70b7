#include "command.h"
#include "options.h"
#include "session.h"
#include "view.h"

#include "gpusel/base/suggest.h"
#include "gpusel/recommend/recommend.h"
#include "gpusel/report/findings.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpusel::cli {
namespace {

using diag::ExitCode;
using diag::Severity;

constexpr std::string_view kExamples[] = {
    "catalog check",
    "catalog check mine/providers/aws.yaml",
    "catalog check --catalog mine --fail-on warning --format json",
};

constexpr std::string_view kSeverities[] = {"error", "warning", "info"};
constexpr data::OptionSpec kFailOn{
    "fail-on",   data::OptionKind::value,
    "SEVERITY",  "exit 1 from this severity on: error, warning or info (default error)",
    kSeverities, "Check"};

std::vector<data::OptionSpec> options() {
  std::vector<data::OptionSpec> output = output_options();
  for (data::OptionSpec& spec : output) {
    if (spec.name == "format") spec.help = "text or json (default text)";
  }
  return joined({{kFailOn}, catalog_options(), output});
}

// Files that could be read and parsed have findings; those that could not make the run fail with 3.
bool is_unreadable(const diag::Diagnostic& d) {
  static constexpr std::string_view kCodes[] = {
      "data/unreadable",      "data/syntax",   "data/encoding", "data/empty",
      "data/alias",           "data/anchor",   "data/tag",      "data/merge-key",
      "data/second-document", "data/too-deep", "data/bad-key",  "data/duplicate-key"};
  return std::find(std::begin(kCodes), std::end(kCodes), d.code) != std::end(kCodes);
}

bool concerns(const diag::Diagnostic& d, const std::vector<Argument>& paths) {
  if (paths.empty() || d.span.source == nullptr) return true;
  return std::any_of(paths.begin(), paths.end(), [&](const Argument& path) {
    const std::string& name = d.span.source->name;
    return name == path.text || name.starts_with(path.text + "/") ||
           (path.text.ends_with('/') && name.starts_with(path.text));
  });
}

std::string plural(std::size_t n, std::string_view word) {
  return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s");
}

std::string summary_of(const std::vector<diag::Diagnostic>& findings, std::size_t files) {
  const auto count = [&](Severity s) {
    return static_cast<std::size_t>(
        std::count_if(findings.begin(), findings.end(),
                      [&](const diag::Diagnostic& d) { return d.severity == s; }));
  };
  return fmt::format("{}, {} in {}", plural(count(Severity::error), "error"),
                     plural(count(Severity::warning), "warning"), plural(files, "file"));
}

std::size_t files_checked(const data::DataSet& set, const std::vector<Argument>& paths) {
  if (paths.empty()) return set.all().size();
  return static_cast<std::size_t>(
      std::count_if(set.all().begin(), set.all().end(), [&](const data::DataFile& file) {
        diag::Diagnostic probe;
        probe.span.source = file.source;
        return concerns(probe, paths);
      }));
}

const report::FindingsFormat* format_of(Invocation& invocation) {
  const data::OptionReader read(invocation.options, invocation.diagnostics);
  const std::string name = read.flag("json") ? "json" : read.text("format").value_or("text");
  const report::FindingsFormat* format = report::find_findings_format(name);
  if (format != nullptr) return format;
  std::vector<std::string> names;
  for (const report::FindingsFormat* f : report::findings_formats()) names.emplace_back(f->id);
  read.report("format", Error{"'" + name + "' is not one of " + quoted_list(names),
                              did_you_mean(name, names), 0, name.size()});
  return nullptr;
}

ExitCode exit_code_of(const std::vector<diag::Diagnostic>& findings, std::size_t worst) {
  if (std::any_of(findings.begin(), findings.end(), is_unreadable)) return ExitCode::bad_data;
  const bool failed = std::any_of(findings.begin(), findings.end(), [&](const diag::Diagnostic& d) {
    return static_cast<std::size_t>(d.severity) <= worst;
  });
  return failed ? ExitCode::negative : ExitCode::answered;
}

ExitCode run(Invocation& invocation) {
  const report::FindingsFormat* format = format_of(invocation);
  const data::OptionReader read(invocation.options, invocation.diagnostics);
  const std::size_t worst = read.choice_index("fail-on", kSeverities).value_or(0);
  if (invocation.diagnostics.has_errors()) return ExitCode::usage;
  // Paths are overlays, so that references look into the rest of the catalog.
  std::vector<data::Root> roots = roots_of(invocation);
  for (const Argument& path : invocation.arguments)
    roots.push_back({data::Root::Kind::path, path.text});
  diag::Buffer faults;
  data::DataSet set = data::DataSet::open(std::move(roots), invocation.io.files, faults);
  const catalog::Catalog catalog = catalog::load_catalog(set, faults);
  catalog::check_catalog(catalog, faults);
  static_cast<void>(rules::load_rules(set, recommend::fact_table(), faults));
  workload::check_data(set, catalog, faults);
  report::Findings findings;
  for (const diag::Diagnostic& d : faults.sorted()) {
    if (concerns(d, invocation.arguments)) findings.all.push_back(d);
  }
  findings.catalog = catalog_value(catalog);
  findings.summary = summary_of(findings.all, files_checked(set, invocation.arguments));
  return invocation.print_text(
      format->write(findings,
                    {invocation.io.width, invocation.colour(invocation.io.out_is_terminal)}),
      exit_code_of(findings.all, worst));
}

}  // namespace

extern const CommandSpec cmd_catalog_check;
constinit const CommandSpec cmd_catalog_check{
    "catalog check",
    "is the catalog sound? findings with file, line and column",
    "Checks every data file in force, or only the files and folders named (references still look "
    "into the rest): "
    "form, unknown keys, references, units, ranges, prices, rules and their examples.",
    kExamples,
    {"PATH", "files or folders to check", 1000},
    &options,
    &run};

}  // namespace gpusel::cli
