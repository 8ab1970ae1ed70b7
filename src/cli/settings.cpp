#include "settings.h"

#include "options.h"

#include "gpusel/data/document.h"

#include <algorithm>

namespace gpusel::cli {
namespace {

using data::OptionSpec;

// Options that make sense on a command line only; GPUSEL_CATALOG is a list of roots of its own.
bool is_setting(const OptionSpec& spec) {
  return spec.name != "help" && spec.name != "config" && spec.name != "catalog";
}

std::string variable_of(const OptionSpec& spec) {
  std::string name = "GPUSEL_";
  for (const char c : spec.name)
    name += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return name;
}

void add_environment(const std::vector<OptionSpec>& specs, Invocation& invocation) {
  for (const OptionSpec& spec : specs) {
    if (!is_setting(spec)) continue;
    const std::string name = variable_of(spec);
    const std::optional<std::string> value = invocation.io.variable(name);
    if (!value) continue;
    const diag::SourcePtr source = diag::make_source("<environment>", name + "=" + *value);
    invocation.options.set(spec.name,
                           {*value,
                            {source, 1, name.size() + 2, std::max<std::size_t>(value->size(), 1)},
                            data::Origin::environment});
  }
}

void add_file(const std::string& path, data::Origin origin, const std::vector<OptionSpec>& specs,
              Invocation& invocation) {
  const Result<std::string> text = invocation.io.files.read(path);
  if (!text) {
    invocation.diagnostics.report(diag::error("data/unreadable", {}, text.error().message));
    return;
  }
  const diag::SourcePtr source = diag::make_source(path, *text);
  const std::optional<data::Document> document =
      data::parse_document(source, invocation.diagnostics);
  if (!document) return;
  if (!document->root().is_map()) {
    invocation.diagnostics.report(
        diag::error("data/wrong-kind", document->root().span(), "expected a map of settings")
            .with_help("write one 'key: value' per line, such as 'purchase: [on-demand, spot]'"));
    return;
  }
  // Settings of other commands are legal here; they are read and not used.
  std::vector<OptionSpec> all = specs;
  for (const CommandSpec* command : commands()) {
    for (const OptionSpec& spec : command->options()) {
      const bool known = std::any_of(all.begin(), all.end(),
                                     [&](const OptionSpec& s) { return s.name == spec.name; });
      if (!known) all.push_back(spec);
    }
  }
  data::read_options(document->root(), all, origin, {}, invocation.options, invocation.diagnostics);
}

std::optional<std::string> user_config(const Io& io) {
  const std::optional<std::string> xdg = io.variable("XDG_CONFIG_HOME");
  const std::optional<std::string> home = io.variable("HOME");
  if (xdg) return *xdg + "/gpusel/config.yaml";
  if (home) return *home + "/.config/gpusel/config.yaml";
  return std::nullopt;
}

}  // namespace

void add_settings(const CommandSpec& command, Invocation& invocation) {
  const std::vector<OptionSpec> specs = command.options();
  add_environment(specs, invocation);
  const data::OptionValue* config = invocation.options.find("config");
  if (config != nullptr) {
    add_file(config->text, data::Origin::project_config, specs, invocation);
  } else if (invocation.io.files.kind("gpusel.yaml") == PathKind::file) {
    add_file("gpusel.yaml", data::Origin::project_config, specs, invocation);
  }
  const std::optional<std::string> user = user_config(invocation.io);
  if (user && invocation.io.files.kind(*user) == PathKind::file) {
    add_file(*user, data::Origin::user_config, specs, invocation);
  }
}

}  // namespace gpusel::cli
