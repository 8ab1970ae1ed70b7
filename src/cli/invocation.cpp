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

diag::ExitCode Invocation::print_text(const std::string& text, diag::ExitCode good) {
  const data::OptionValue* output = options.find("output");
  if (output == nullptr || output->text == "-") {
    *io.out << text << std::flush;
    return good;
  }
  const Result<std::size_t> written = io.files.write(output->text, text);
  if (written) return good;
  diagnostics.report(diag::error("data/unwritable", output->span, written.error().message)
                         .with_help("check the folder and its permissions"));
  return diag::ExitCode::bad_data;
}

diag::ExitCode Invocation::print(const report::Document& document, diag::ExitCode good) {
  const data::OptionReader read(options, diagnostics);
  std::string name = read.text("format").value_or("table");
  if (read.flag("json")) name = "json";
  const report::Format* format = report::find_format(name);
  if (format == nullptr) {
    std::vector<std::string> names;
    for (const report::Format* f : report::formats()) names.emplace_back(f->id);
    read.report("format", Error{"'" + name + "' is not one of " + quoted_list(names),
                                did_you_mean(name, names), 0, name.size()});
    return diag::ExitCode::usage;
  }
  const bool to_file = options.find("output") != nullptr;
  return print_text(format->write(document, {io.width, colour(io.out_is_terminal && !to_file)}),
                    good);
}

}  // namespace gpusel::cli
