#include "parser.h"

#include "gpusel/base/suggest.h"
#include "gpusel/base/text.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace gpusel::cli {
namespace {

using data::OptionKind;
using data::OptionSpec;

// One occurrence of an option: where its value stands.
struct Occurrence {
  const OptionSpec* spec = nullptr;
  diag::Span span;
};

bool looks_like_option(std::string_view arg) {
  return arg.size() > 1 && arg[0] == '-' && arg != "--";
}

// `--name=value` -> name
std::string_view option_name(std::string_view arg) {
  arg.remove_prefix(arg.starts_with("--") ? 2 : 1);
  return arg.substr(0, arg.find('='));
}

// Words with blanks are shown in quotes, as a shell would need them.
std::string shell_quoted(std::string_view arg) {
  const bool plain = !arg.empty() && arg.find_first_of(" \t'\"$*?") == std::string_view::npos;
  return plain ? printable(arg) : "'" + printable(arg) + "'";
}

class Scan {
 public:
  Scan(const CommandLine& line, std::size_t first, const std::vector<OptionSpec>& specs,
       diag::Sink& sink)
      : line_(line), specs_(specs), sink_(sink) {
    for (std::size_t i = first; i < line.args.size(); ++i) i = step(i);
  }

  std::vector<Occurrence> occurrences;
  std::vector<diag::Span> arguments;
  bool good = true;

 private:
  // CLI11 says neither which option is unknown nor where it stands, and suggests nothing: names are
  // checked first.
  std::size_t step(std::size_t i) {
    const std::string& arg = line_.args[i];
    if (rest_ || !looks_like_option(arg)) {
      if (arg == "--" && !rest_) {
        rest_ = true;
      } else {
        arguments.push_back(line_.span(i));
      }
      return i;
    }
    const std::string_view name = option_name(arg);
    const auto spec = std::find_if(specs_.begin(), specs_.end(), [&](const OptionSpec& s) {
      return (arg.starts_with("--") && s.name == name) || (arg == "-h" && s.name == "help");
    });
    if (spec == specs_.end()) return report_unknown(i, name);
    const bool joined = arg.find('=') != std::string::npos;
    if (spec->kind == OptionKind::flag) {
      if (joined)
        report(i, "usage/unexpected-value", "'--" + std::string(name) + "' takes no value",
               "write it alone");
      occurrences.push_back({&*spec, line_.span(i)});
      return i;
    }
    if (joined && arg.back() != '=') {
      const std::size_t at = arg.find('=') + 1;
      occurrences.push_back({&*spec, line_.span(i, at, arg.size() - at)});
      return i;
    }
    if (joined || i + 1 >= line_.args.size() ||
        (looks_like_option(line_.args[i + 1]) && is_known(line_.args[i + 1]))) {
      report(i, "usage/missing-value", "'--" + std::string(name) + "' needs a value",
             "write --" + std::string(name) + " " + std::string(spec->metavar) + ": " +
                 std::string(spec->help));
      return i;
    }
    occurrences.push_back({&*spec, line_.span(i + 1)});
    return i + 1;
  }

  [[nodiscard]] bool is_known(std::string_view arg) const {
    return std::any_of(specs_.begin(), specs_.end(),
                       [&](const OptionSpec& s) { return s.name == option_name(arg); });
  }

  std::size_t report_unknown(std::size_t i, std::string_view name) {
    std::vector<std::string> known;
    for (const OptionSpec& s : specs_) known.emplace_back(s.name);
    std::vector<std::string> near = nearest(name, known);
    for (std::string& n : near) n.insert(0, "--");
    report(
        i, "usage/unknown-option",
        "unknown option '" + line_.args[i].substr(0, line_.args[i].find('=')) + "'",
        near.empty() ? "see the options with --help" : "did you mean " + quoted_list(near) + "?");
    // A value that follows a misspelled option belongs to it.
    const bool value_follows = line_.args[i].find('=') == std::string::npos &&
                               i + 1 < line_.args.size() && !looks_like_option(line_.args[i + 1]);
    return value_follows ? i + 1 : i;
  }

  void report(std::size_t i, const char* code, std::string message, std::string help) {
    good = false;
    sink_.report(diag::error(code, line_.span(i), std::move(message)).with_help(std::move(help)));
  }

  const CommandLine& line_;
  const std::vector<OptionSpec>& specs_;
  diag::Sink& sink_;
  bool rest_ = false;
};

void add_options(CLI::App& app, const std::vector<OptionSpec>& specs,
                 std::map<std::string_view, std::vector<std::string>>& values,
                 std::map<std::string_view, int>& flags) {
  for (const OptionSpec& spec : specs) {
    const std::string name = (spec.name == "help" ? "-h,--" : "--") + std::string(spec.name);
    if (spec.kind == OptionKind::flag) {
      app.add_flag(name, flags[spec.name]);
    } else {
      // One value for each time the option is written, whatever the value begins with.
      app.add_option(name, values[spec.name])
          ->type_size(1)
          ->expected(1)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
          ->allow_extra_args(false);
    }
  }
}

}  // namespace

diag::Span CommandLine::span(std::size_t arg) const { return span(arg, 0, args[arg].size()); }

diag::Span CommandLine::span(std::size_t arg, std::size_t offset, std::size_t length) const {
  const bool quotes = shell_quoted(args[arg]).size() == args[arg].size() + 2;
  return {source, 1, columns[arg] + offset + (quotes ? 1 : 0), std::max<std::size_t>(length, 1)};
}

CommandLine command_line(const std::vector<std::string>& args) {
  CommandLine line;
  line.args = args;
  std::string text = "gpusel";
  for (const std::string& arg : args) {
    line.columns.push_back(text.size() + 2);
    text += " " + shell_quoted(arg);
  }
  line.source = diag::make_source("<command line>", text);
  return line;
}

FoundCommand find_command(const CommandLine& line, diag::Sink& sink) {
  std::vector<std::string> words;
  for (const std::string& arg : line.args) {
    if (looks_like_option(arg) || words.size() == 2) break;
    words.push_back(arg);
  }
  for (std::size_t n = words.size(); n > 0; --n) {
    const std::string name =
        join({words.begin(), words.begin() + static_cast<std::ptrdiff_t>(n)}, " ");
    for (const CommandSpec* spec : commands()) {
      if (spec->name == name) return {spec, n};
    }
  }
  std::vector<std::string> names;
  for (const CommandSpec* spec : commands()) names.emplace_back(spec->name);
  // `catalog` alone, or `catalog chek`: the commands of that group.
  std::vector<std::string> group;
  for (const std::string& name : names) {
    if (!words.empty() && name.starts_with(words[0] + " ")) group.push_back(name);
  }
  const std::string said = group.empty() ? words[0] : join(words, " ");
  std::string help = did_you_mean(said, group.empty() ? names : group);
  if (help.empty()) help = "commands: " + quoted_list(group.empty() ? names : group, "and");
  const std::size_t at = group.empty() || words.size() == 1 ? 0 : 1;
  sink.report(
      diag::error("usage/unknown-command", line.span(at), "there is no command '" + said + "'")
          .with_help(help));
  return {};
}

void parse_arguments(const CommandLine& line, const FoundCommand& command, Invocation& invocation) {
  const std::vector<OptionSpec> specs = command.spec->options();
  const Scan scan(line, command.words, specs, invocation.diagnostics);
  if (!scan.good) return;
  std::map<std::string_view, std::vector<std::string>> values;
  std::map<std::string_view, int> flags;
  std::vector<std::string> arguments;
  CLI::App app;
  app.set_help_flag();
  add_options(app, specs, values, flags);
  app.add_option("arguments", arguments);
  std::vector<std::string> rest(line.args.begin() + static_cast<std::ptrdiff_t>(command.words),
                                line.args.end());
  std::reverse(rest.begin(), rest.end());  // CLI11 takes them last to first
  try {
    app.parse(rest);
  } catch (const CLI::Error& fault) {
    invocation.diagnostics.report(
        diag::error("usage/arguments", {}, fault.what()).with_help("see --help"));
    return;
  }
  std::map<std::string_view, std::size_t> taken;
  for (const Occurrence& o : scan.occurrences) {
    const bool flag = o.spec->kind == OptionKind::flag;
    const std::size_t n = taken[o.spec->name]++;
    const std::vector<std::string>& given = values[o.spec->name];
    if (!flag && n >= given.size()) continue;
    invocation.options.set(o.spec->name, {flag ? "true" : given[n], o.span, data::Origin::flag});
  }
  for (std::size_t i = 0; i < arguments.size() && i < scan.arguments.size(); ++i) {
    if (i >= command.spec->positional.most) {
      invocation.diagnostics.report(
          diag::error("usage/unexpected-argument", scan.arguments[i],
                      "unexpected argument '" + arguments[i] + "'")
              .with_help(command.spec->positional.most == 0
                             ? "this command takes options only; see --help"
                             : "see --help"));
      continue;
    }
    invocation.arguments.push_back({arguments[i], scan.arguments[i]});
  }
  for (const OptionSpec& spec : specs) {
    if (spec.kind != OptionKind::value || taken[spec.name] < 2) continue;
    invocation.diagnostics.report(
        diag::error("usage/repeated-option", invocation.options.find(spec.name)->span,
                    "'--" + std::string(spec.name) + "' is given more than once")
            .with_help("keep one of them"));
  }
}

}  // namespace gpusel::cli
