#include "help.h"

#include "gpusel/base/text.h"
#include "gpusel/report/wrap.h"
#include "gpusel/workload/workload.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpusel::cli {
namespace {

constexpr std::string_view kExitCodes =
    "Exit codes: 0 answered; 1 no offer fits, or findings; 2 wrong command line;\n"
    "            3 a file that can't be read, or bad data; 4 internal error\n";

// Lines of at most `width` cells, later ones indented.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  return join(report::wrap(text, width), "\n" + std::string(indent, ' '));
}

std::string option_line(const data::OptionSpec& spec, int width) {
  constexpr std::size_t kIndent = 26;
  std::string left = (spec.name == "help" ? "  -h, --" : "  --") + std::string(spec.name);
  if (!spec.metavar.empty()) left += " " + std::string(spec.metavar);
  const std::size_t room = static_cast<std::size_t>(std::max(width, 50)) - kIndent;
  const std::string help = wrapped(spec.help, room, kIndent);
  if (left.size() + 2 > kIndent) return left + "\n" + std::string(kIndent, ' ') + help + "\n";
  return left + std::string(kIndent - left.size(), ' ') + help + "\n";
}

std::string usage_of(const CommandSpec& command) {
  std::string usage = fmt::format("Usage: gpusel {} [OPTIONS]", command.name);
  if (!command.positional.metavar.empty()) {
    usage +=
        fmt::format(" [{}{}]", command.positional.metavar, command.positional.most > 1 ? "…" : "");
  }
  return usage + "\n";
}

}  // namespace

std::string version_text() { return "gpusel " GPUSEL_VERSION "\n"; }

std::string help_overview(int width) {
  std::string out =
      "gpusel: which cloud GPUs should run this work, how, and what will it cost?\n\n"
      "Usage: gpusel COMMAND [OPTIONS]\n\nCommands:\n";
  for (const CommandSpec* command : commands()) {
    out += fmt::format("  {:<16} {}\n", command->name,
                       wrapped(command->summary, static_cast<std::size_t>(width) - 19, 19));
  }
  out += "\nExamples:\n";
  for (const CommandSpec* command : commands()) {
    if (!command->examples.empty()) out += fmt::format("  gpusel {}\n", command->examples.front());
  }
  out +=
      "\n'gpusel COMMAND --help' shows the options of a command; 'gpusel --version' the version.\n";
  return out + std::string(kExitCodes);
}

std::string help_of(const CommandSpec& command, int width) {
  std::string out = usage_of(command) + "\n";
  out += wrapped(command.description, static_cast<std::size_t>(std::max(width, 50)), 0) +
         "\n\nExamples:\n";
  for (const std::string_view example : command.examples)
    out += fmt::format("  gpusel {}\n", example);
  if (!command.positional.metavar.empty()) {
    out += fmt::format("\n  {}  {}\n", command.positional.metavar, command.positional.help);
  }
  std::vector<std::string_view> groups;
  const std::vector<data::OptionSpec> specs = command.options();
  for (const data::OptionSpec& spec : specs) {
    if (std::find(groups.begin(), groups.end(), spec.group) == groups.end())
      groups.push_back(spec.group);
  }
  for (const std::string_view group : groups) {
    const bool kind = workload::find_kind(group) != nullptr;
    out += kind ? fmt::format("\nThe work, {} only:\n", group) : fmt::format("\n{}:\n", group);
    for (const data::OptionSpec& spec : specs) {
      if (spec.group == group) out += option_line(spec, width);
    }
  }
  return out + "\n" + std::string(kExitCodes);
}

}  // namespace gpusel::cli
