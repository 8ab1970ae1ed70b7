#include "command.h"

#include "gpusel/base/suggest.h"

#include <ostream>

namespace gpusel::cli {

diag::Colour Invocation::colour(bool terminal) const {
  const data::OptionValue* when = options.find("color");
  if (when != nullptr && when->text == "always") return diag::Colour::yes;
  if (when != nullptr && when->text == "never") return diag::Colour::no;
  const bool plain = io.variable("NO_COLOR") || io.variable("TERM") == "dumb";
  return terminal && !plain ? diag::Colour::yes : diag::Colour::no;
}

bool Invocation::print_text(const std::string& text) {
  const data::OptionValue* output = options.find("output");
  if (output == nullptr || output->text == "-") {
    *io.out << text << std::flush;
    return true;
  }
  const Result<std::size_t> written = io.files.write(output->text, text);
  if (written) return true;
  diagnostics.report(diag::error("data/unwritable", output->span, written.error().message)
                         .with_help("check the folder and its permissions"));
  return false;
}

bool Invocation::print(const report::Document& document) {
  const data::OptionReader read(options, diagnostics);
  std::string name = read.text("format").value_or("table");
  if (read.flag("json")) name = "json";
  const report::Format* format = report::find_format(name);
  if (format == nullptr) {
    std::vector<std::string> names;
    for (const report::Format* f : report::formats()) names.emplace_back(f->id);
    read.report("format", Error{"'" + name + "' is not one of " + quoted_list(names),
                                did_you_mean(name, names), 0, name.size()});
    return false;
  }
  const bool to_file = options.find("output") != nullptr;
  return print_text(format->write(document, {io.width, colour(io.out_is_terminal && !to_file)}));
}

diag::ExitCode Invocation::outcome(diag::ExitCode good) const {
  return diagnostics.has_errors() ? diag::ExitCode::bad_data : good;
}

}  // namespace gpusel::cli
