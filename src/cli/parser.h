// Command line -> option values with their places. CLI11 is used here and nowhere else.
#pragma once

#include "command.h"

#include <optional>
#include <string>
#include <vector>

namespace gpusel::cli {

/// The arguments joined into one line, so that faults have a place in it.
struct CommandLine {
  diag::SourcePtr source;  // `<command line>`: gpusel recommend --params 10B
  std::vector<std::string> args;
  std::vector<std::size_t> columns;  // of each argument, from 1
  [[nodiscard]] diag::Span span(std::size_t arg) const;
  [[nodiscard]] diag::Span span(std::size_t arg, std::size_t offset, std::size_t length) const;
};
CommandLine command_line(const std::vector<std::string>& args);

/// The command that the first words name, and how many words that were; reports an unknown one.
struct FoundCommand {
  const CommandSpec* spec = nullptr;
  std::size_t words = 0;
};
FoundCommand find_command(const CommandLine& line, diag::Sink& sink);

/// Fills options and arguments of the invocation from what follows the command's words; every fault
/// is reported with code `usage/…`.
void parse_arguments(const CommandLine& line, const FoundCommand& command, Invocation& invocation);

}  // namespace gpusel::cli
