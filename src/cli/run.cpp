#include "gpusel/cli/run.h"

#include "command.h"
#include "help.h"
#include "parser.h"
#include "settings.h"

#include "gpusel/base/suggest.h"
#include "gpusel/diag/log.h"
#include "gpusel/diag/render.h"
#include "gpusel/report/findings.h"

#include <ostream>

namespace gpusel::cli {
namespace {

using diag::ExitCode;

bool wants_json(const data::OptionValues& options) {
  const data::OptionValue* format = options.find("format");
  const data::OptionValue* json = options.find("json");
  return (format != nullptr && format->text == "json") ||
         (json != nullptr && json->text != "false");
}

// Before the options are known, a fault is printed as JSON when the arguments ask for it anywhere.
bool args_want_json(const std::vector<std::string>& args) {
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (args[i] == "--json" || args[i] == "--format=json") return true;
    if (args[i] == "--format" && i + 1 < args.size() && args[i + 1] == "json") return true;
  }
  return false;
}

void print_diagnostics(const Invocation& invocation, const std::vector<std::string>& args) {
  std::vector<diag::Diagnostic> all = invocation.diagnostics.sorted();
  const data::OptionValue* quiet = invocation.options.find("quiet");
  if (quiet != nullptr && quiet->text != "false") {
    std::erase_if(all,
                  [](const diag::Diagnostic& d) { return d.severity != diag::Severity::error; });
  }
  if (all.empty()) return;
  if (wants_json(invocation.options) || args_want_json(args)) {
    for (const diag::Diagnostic& d : all)
      *invocation.io.err << report::json_line(report::finding_value(d)) << '\n';
    return;
  }
  diag::RenderOptions options;
  options.colour = invocation.colour(invocation.io.err_is_terminal);
  *invocation.io.err << diag::render(all, options);
}

// `-` names standard input wherever a file can be named; it can be read once.
Files with_stdin(const Io& io) {
  Files files = io.files;
  const auto used = std::make_shared<bool>(false);
  files.kind = [kind = io.files.kind](const std::string& path) {
    return path == "-" ? PathKind::file : kind(path);
  };
  files.read = [read = io.files.read, input = io.read_stdin,
                used](const std::string& path) -> Result<std::string> {
    if (path != "-") return read(path);
    if (*used) return Error{"standard input ('-') can be read only once in a run", "", 0, 0};
    *used = true;
    return input();
  };
  return files;
}

ExitCode run_command(const CommandLine& line, const FoundCommand& found, Invocation& invocation) {
  parse_arguments(line, found, invocation);
  const bool help = invocation.options.find("help") != nullptr;
  if (invocation.diagnostics.has_errors()) return ExitCode::usage;
  if (help) {
    *invocation.io.out << help_of(*found.spec, invocation.io.width);
    return ExitCode::answered;
  }
  add_settings(*found.spec, invocation);
  if (invocation.diagnostics.has_errors()) return ExitCode::bad_data;
  const data::OptionReader read(invocation.options, invocation.diagnostics);
  diag::set_verbosity(read.flag("verbose") ? diag::Verbosity::verbose : diag::Verbosity::quiet);
  if (const auto day = read.convert<Date>("as-of", &Date::parse)) invocation.io.today = *day;
  if (invocation.diagnostics.has_errors()) return ExitCode::usage;
  return found.spec->run(invocation);
}

// `gpusel help catalog check` is `gpusel catalog check --help`.
std::vector<std::string> without_help_word(std::vector<std::string> args) {
  if (args.size() < 2 || args[0] != "help") return args;
  args.erase(args.begin());
  args.emplace_back("--help");
  return args;
}

}  // namespace

ExitCode run(const std::vector<std::string>& raw_args, Io& io) {
  const std::vector<std::string> args = without_help_word(raw_args);
  if (args.empty() || args[0] == "--help" || args[0] == "-h" || args[0] == "help") {
    (args.empty() ? *io.err : *io.out) << help_overview(io.width);
    return args.empty() ? ExitCode::usage : ExitCode::answered;
  }
  if (args[0] == "--version" || args[0] == "-V") {
    *io.out << version_text();
    return ExitCode::answered;
  }
  io.files = with_stdin(io);
  Invocation invocation{io, {}, {}, {}};
  const CommandLine line = command_line(args);
  ExitCode code = ExitCode::usage;
  if (args[0].starts_with('-')) {
    invocation.diagnostics.report(
        diag::error("usage/unknown-option", line.span(0), "unknown option '" + args[0] + "'")
            .with_help("begin with a command; see gpusel --help"));
  } else {
    const FoundCommand found = find_command(line, invocation.diagnostics);
    if (found.spec != nullptr) code = run_command(line, found, invocation);
  }
  print_diagnostics(invocation, args);
  return code;
}

}  // namespace gpusel::cli
