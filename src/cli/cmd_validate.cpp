#include "command.h"
#include "options.h"
#include "session.h"
#include "view_validate.h"

#include "gpusel/base/id.h"
#include "gpusel/workload/calibration.h"

#include <algorithm>

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
    "validate runs.csv --write-calibration ours.yaml",
    "validate later.csv --calibration ours.yaml",
};

constexpr std::string_view kGroup = "Comparison";
constexpr data::OptionSpec kOptions[] = {
    {"by", data::OptionKind::value, "WHAT",
     "slices: source, series, gpu, dtype, framework, engine, workload, kind or model (default: "
     "workload for training rows, kind for serving rows)",
     data::ValueReader<By>::kTexts, kGroup},
    {"rows", data::OptionKind::flag, "", "list every row: measured, predicted, error", {}, kGroup},
    {"write-calibration",
     data::OptionKind::value,
     "FILE",
     "write the factors that the rows give, by GPU, format and software, for --calibration",
     {},
     kGroup},
};

std::vector<data::OptionSpec> options() {
  return joined({{std::begin(kOptions), std::end(kOptions)}, estimate_options(), output_options()});
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

// `ours` of `folder/ours.yaml`: what the file calls itself.
std::string id_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
  std::string id(path.substr(0, path.rfind('.')));
  return is_valid_id(id) ? id : "calibration";
}

// False after a report: factors of multiplied estimates would multiply twice.
bool may_write(Session& session, Invocation& invocation) {
  const data::OptionReader read(invocation.options, invocation.diagnostics);
  const std::optional<std::string> path = read.text("write-calibration");
  if (!path) return true;
  if (*path == "-") {
    read.report("write-calibration",
                Error{"a calibration is written to a file", "give its name", 0, 1});
    return false;
  }
  const auto in_force = session.data.files("calibration");
  if (in_force.empty()) return true;
  read.report("write-calibration",
              Error{"a calibration is in force already (" + in_force.front()->path + ")",
                    "leave --calibration out: factors are made of estimates as they are", 0, 0});
  return false;
}

bool write(Invocation& invocation, ValidateAnswer& answer) {
  const data::OptionValue* path = invocation.options.find("write-calibration");
  if (path == nullptr) return true;
  const workload::Calibration made = workload::calibrate(
      answer.rows, id_of(path->text), answer.kind, answer.file, invocation.io.today);
  const auto written = invocation.io.files.write(path->text, workload::calibration_text(made));
  if (!written) {
    invocation.diagnostics.report(
        diag::error("data/unwritable", path->span, written.error().message)
            .with_help("check the folder and its permissions"));
    return false;
  }
  answer.written = {path->text, made.factors.size()};
  return true;
}

// The factors that multiplied an estimate of a row, each once.
std::vector<estimate::Assumption> applied(Session& session, Invocation& invocation,
                                          const ValidateAnswer& answer) {
  const auto set = workload::load_calibrations(session.data, invocation.diagnostics);
  std::vector<workload::CalibrationKey> keys;
  std::vector<estimate::Assumption> all;
  for (const workload::MeasuredRow& row : answer.rows) {
    workload::CalibrationKey key{row.gpu, row.dtype, row.software};
    if (!row.skipped.empty() || std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    for (estimate::Assumption& a : set.assumptions(answer.kind, key)) all.push_back(std::move(a));
    keys.push_back(std::move(key));
  }
  return all;
}

ExitCode run(Invocation& invocation) {
  const data::OptionReader read(invocation.options, invocation.diagnostics);
  const std::optional<By> by = read.choice<By>("by");
  if (invocation.diagnostics.has_errors()) return ExitCode::usage;
  const diag::SourcePtr source = read_file(invocation);
  if (source == nullptr) return invocation.arguments.empty() ? ExitCode::usage : ExitCode::bad_data;
  std::optional<Session> session = open_session(invocation);
  if (!session) return ExitCode::bad_data;
  if (!may_write(*session, invocation)) return ExitCode::usage;
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
  answer.assumptions = applied(*session, invocation, answer);
  if (!write(invocation, answer)) return ExitCode::bad_data;
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
