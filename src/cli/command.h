// Commands: one constant per file `cmd_<id>.cpp`, found by the registry; help and parsing come from
// it.
#pragma once

#include "gpusel/base/io.h"
#include "gpusel/data/option.h"
#include "gpusel/diag/diagnostic.h"
#include "gpusel/diag/exit_code.h"
#include "gpusel/report/document.h"
#include "gpusel/report/format.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpusel::cli {

/// An argument without a flag.
struct Argument {
  std::string text;
  diag::Span span;
};

/// A parsed command line, ready to run.
struct Invocation {
  Io& io;
  data::OptionValues options;
  std::vector<Argument> arguments;
  diag::Buffer diagnostics;  // printed on standard error at the end

  /// Colour for a stream by --color, NO_COLOR and the terminal.
  [[nodiscard]] diag::Colour colour(bool terminal) const;
  /// Prints an answer in the format asked for, to standard output or --output; `good` unless that
  /// fails.
  [[nodiscard]] diag::ExitCode print(const report::Document& document, diag::ExitCode good);
  [[nodiscard]] diag::ExitCode print_text(const std::string& text, diag::ExitCode good);
};

struct Positional {
  std::string_view metavar;  // empty: the command takes none
  std::string_view help;
  std::size_t most = 0;
};

struct CommandSpec {
  std::string_view name;  // words separated by spaces: "catalog check"
  std::string_view summary;
  std::string_view description;
  std::span<const std::string_view> examples;
  Positional positional;
  /// Every option that the command takes.
  std::vector<data::OptionSpec> (*options)();
  diag::ExitCode (*run)(Invocation&);
};

/// All commands, sorted by file name (generated).
std::span<const CommandSpec* const> commands();

}  // namespace gpusel::cli
