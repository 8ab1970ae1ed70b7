#include "command.h"
#include "options.h"
#include "session.h"
#include "view_validate.h"

namespace gpusel::cli {
namespace {

using diag::ExitCode;
using workload::By;
using workload::MeasuredKind;

constexpr std::string_view kExamples[] = {
    "validate runs.csv",
    "validate runs.csv --by gpu --rows",
    "validate serving.csv --by kind --json",
    "validate - --format csv",
};

constexpr std::string_view kGroup = "Comparison";
constexpr data::OptionSpec kOptions[] = {
    {"by", data::OptionKind::value, "WHAT",
     "slices: source, series, gpu, dtype, framework, engine, workload, kind or model (default: "
     "workload for training rows, kind for serving rows)",
     data::ValueReader<By>::kTexts, kGroup},
    {"rows", data::OptionKind::flag, "", "list every row: measured, predicted, error", {}, kGroup},
};

std::vector<data::OptionSpec> options() {
  return joined({{std::begin(kOptions), std::end(kOptions)}, catalog_options(), output_options()});
}

diag::SourcePtr read_file(Invocation& invocation) {
  if (invocation.arguments.empty()) {
    invocation.diagnostics.report(
        diag::error("usage/missing-argument", {}, "say which file of measured runs")
            .with_help("gpusel validate FILE.csv; docs/validate.md describes its columns"));
    return nullptr;
  }
  const Argument& argument = invocation.arguments.front();
  const Result<std::string> text = invocation.io.files.read(argument.text);
  if (!text) {
    invocation.diagnostics.report(
        diag::error("data/unreadable", argument.span, text.error().message)
            .with_help("check the path and its permissions"));
    return nullptr;
  }
  return diag::make_source(argument.text == "-" ? "<standard input>" : argument.text, *text);
}

ExitCode run(Invocation& invocation) {
  const data::OptionReader read(invocation.options, invocation.diagnostics);
  const std::optional<By> by = read.choice<By>("by");
  if (invocation.diagnostics.has_errors()) return ExitCode::usage;
  const diag::SourcePtr source = read_file(invocation);
  if (source == nullptr) return invocation.arguments.empty() ? ExitCode::usage : ExitCode::bad_data;
  std::optional<Session> session = open_session(invocation);
  if (!session) return ExitCode::bad_data;
  const workload::Context context{&session->catalog, &session->data, &invocation.io.files};
  auto rows = workload::MeasuredRows::open(source, context, invocation.diagnostics);
  if (!rows) return ExitCode::bad_data;
  ValidateAnswer answer;
  answer.file = source->name;
  answer.fingerprint = session->catalog.fingerprint;
  answer.kind = rows->kind();
  answer.by = by.value_or(rows->kind() == MeasuredKind::training ? By::workload : By::kind);
  while (auto row = rows->next()) answer.rows.push_back(*std::move(row));
  if (invocation.diagnostics.has_errors()) return ExitCode::bad_data;
  if (read.flag("rows")) answer.detail = RowDetail::listed;
  return invocation.print(view_validate(answer), ExitCode::answered);
}

}  // namespace

extern const CommandSpec cmd_validate;
constinit const CommandSpec cmd_validate{
    "validate",
    "how far the estimates are from measured runs, published ones or your own",
    "Reads a CSV file of training or serving runs (its columns say which), predicts each run with "
    "the configuration that it states, and prints the errors. What cannot be predicted is skipped "
    "with a reason. docs/validate.md describes the columns.",
    kExamples,
    {"FILE", "a CSV file of measured runs, or - for standard input", 1},
    &options,
    &run};

}  // namespace gpusel::cli
