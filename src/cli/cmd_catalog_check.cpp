#include "code_list.h"
#include "command.h"
#include "options.h"
#include "session.h"
#include "view.h"

#include "gpusel/base/suggest.h"
#include "gpusel/data/allow.h"
#include "gpusel/recommend/recommend.h"
#include "gpusel/report/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace gpusel::cli {
namespace {

using diag::ExitCode;
using diag::Severity;

constexpr std::string_view kExamples[] = {
    "catalog check",
    "catalog check mine/providers/aws.yaml",
    "catalog check --catalog mine --fail-on warning --format json",
    "catalog check prices.yaml --format sarif --output findings.sarif",
    "catalog check --list",
};

constexpr std::string_view kSeverities[] = {"error", "warning", "info"};
constexpr data::OptionSpec kList{
    "list", data::OptionKind::flag, "", "print every code that can be reported", {}, "Check"};
constexpr data::OptionSpec kFailOn{
    "fail-on",   data::OptionKind::value,
    "SEVERITY",  "exit 1 from this severity on: error, warning or info (default error)",
    kSeverities, "Check"};

std::vector<data::OptionSpec> options() {
  std::vector<data::OptionSpec> output = output_options();
  for (data::OptionSpec& spec : output) {
    if (spec.name == "format") {
      spec.help =
          "text, json, sarif, junit or github (default text); with --list table, json, csv or "
          "markdown";
    }
  }
  return joined({{kFailOn, kList}, catalog_options(), output});
}

bool concerns(const diag::Diagnostic& d, const std::vector<Argument>& paths) {
  if (paths.empty() || d.span.source == nullptr) return true;
  return std::any_of(paths.begin(), paths.end(), [&](const Argument& path) {
    const std::string& name = d.span.source->name;
    return name == path.text || name.starts_with(path.text + "/") ||
           (path.text.ends_with('/') && name.starts_with(path.text));
  });
}

std::string summary_of(const report::Findings& findings) {
  const std::vector<diag::Diagnostic> open = report::open_findings(findings);
  const auto count = [&](Severity s) {
    return static_cast<double>(std::count_if(
        open.begin(), open.end(), [&](const diag::Diagnostic& d) { return d.severity == s; }));
  };
  std::string text = fmt::format("{}, {}", count_text(count(Severity::error), "error"),
                                 count_text(count(Severity::warning), "warning"));
  if (count(Severity::info) > 0) text += fmt::format(", {} info", count(Severity::info));
  const std::size_t allowed = findings.all.size() - open.size();
  if (allowed > 0) text += fmt::format(", {} suppressed", allowed);
  return text + " in " + count_text(static_cast<double>(findings.files.size()), "file");
}

std::vector<std::string> files_checked(const data::DataSet& set,
                                       const std::vector<Argument>& paths) {
  std::vector<std::string> names;
  for (const data::DataFile& file : set.all()) {
    diag::Diagnostic probe;
    probe.span.source = file.source;
    if (concerns(probe, paths)) names.push_back(file.path);
  }
  return names;
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

ExitCode exit_code_of(const report::Findings& findings) {
  const std::vector<diag::Diagnostic> open = report::open_findings(findings);
  const std::vector<std::string_view> unreadable = unreadable_codes();
  const auto is_unreadable = [&](const diag::Diagnostic& d) {
    return std::find(unreadable.begin(), unreadable.end(), d.code) != unreadable.end();
  };
  if (std::any_of(open.begin(), open.end(), is_unreadable)) return ExitCode::bad_data;
  const bool failed = std::any_of(open.begin(), open.end(), [&](const diag::Diagnostic& d) {
    return d.severity <= findings.fail_on;
  });
  return failed ? ExitCode::negative : ExitCode::answered;
}

// Paths are overlays, so that references look into the rest of the catalog.
std::vector<data::Root> roots_with_paths(const Invocation& invocation) {
  std::vector<data::Root> roots = roots_of(invocation);
  for (const Argument& path : invocation.arguments)
    roots.push_back({data::Root::Kind::path, path.text});
  return roots;
}

// Codes that miss something: where a record of the file was left out after an error, what it would
// have used is no finding of its own.
constexpr std::string_view kAbsences[] = {"catalog/no-instances", "catalog/unused-source",
                                          "catalog/unused-region", "catalog/undated-price"};

// Reports what the checks find, without what only follows from an error of the same file.
void check_loaded(const catalog::CheckContext& context, diag::Buffer& faults) {
  std::set<const diag::Source*> faulty;
  for (const diag::Diagnostic& d : faults.all()) {
    if (d.severity == Severity::error) faulty.insert(d.span.source.get());
  }
  diag::Buffer found;
  catalog::check_catalog(context, found);
  for (const diag::Diagnostic& d : found.all()) {
    const bool absence =
        std::find(std::begin(kAbsences), std::end(kAbsences), d.code) != std::end(kAbsences);
    if (!absence || faulty.count(d.span.source.get()) == 0) faults.report(d);
  }
}

// Everything that is wrong with the data in force, with the comments that allow it.
report::Findings findings_of(Invocation& invocation) {
  diag::Buffer faults;
  data::DataSet set =
      data::DataSet::open(roots_with_paths(invocation), invocation.io.files, faults);
  catalog::Catalog catalog = catalog::load_catalog(set, faults, catalog::Keep::documents);
  catalog::load_lint(catalog, set, faults);
  check_loaded({catalog, invocation.io.today}, faults);
  static_cast<void>(rules::load_rules(set, recommend::fact_table(), faults));
  workload::check_data(set, catalog, faults);
  report::Findings findings;
  findings.codes = check_codes();
  const std::vector<data::Allowance> allowances =
      data::read_allowances(set, findings.codes, faults);
  const std::vector<std::optional<std::string>> reasons =
      data::allowed_by(faults.all(), allowances, findings.codes, invocation.io.today, faults);
  for (std::size_t i = 0; i < faults.all().size(); ++i) {
    const diag::Diagnostic& d = faults.all()[i];
    if (!concerns(d, invocation.arguments)) continue;
    findings.all.push_back({d, i < reasons.size() ? reasons[i] : std::nullopt});
  }
  std::stable_sort(findings.all.begin(), findings.all.end(),
                   [](const report::Finding& a, const report::Finding& b) {
                     return diag::stands_before(a.diagnostic, b.diagnostic);
                   });
  findings.files = files_checked(set, invocation.arguments);
  findings.catalog = catalog_value(catalog);
  return findings;
}

ExitCode run(Invocation& invocation) {
  const data::OptionReader read(invocation.options, invocation.diagnostics);
  if (read.flag("list")) return list_codes(invocation);
  const report::FindingsFormat* format = format_of(invocation);
  const std::size_t worst = read.choice_index("fail-on", kSeverities).value_or(0);
  if (invocation.diagnostics.has_errors()) return ExitCode::usage;
  report::Findings findings = findings_of(invocation);
  findings.fail_on = static_cast<Severity>(worst);
  findings.version = GPUSEL_VERSION;
  findings.summary = summary_of(findings);
  return invocation.print_text(
      format->write(findings,
                    {invocation.io.width, invocation.colour(invocation.io.out_is_terminal)}),
      exit_code_of(findings));
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
