#include "gpusel/diag/render.h"

#include "gpusel/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace gpusel::diag {
namespace {

std::string paint(std::string_view text, std::string_view code, Colour colour) {
  if (colour == Colour::no) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

std::string_view colour_of(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "1;31";
    case Severity::warning:
      return "1;33";
    case Severity::info:
      return "1;36";
  }
  return "1";
}

// A window of the line around the fault, in whole code points.
struct Excerpt {
  std::string before, fault, after;
};

bool continues(std::string_view line, std::size_t at) {
  return at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0U) == 0x80U;
}

// Where the longest suffix of at most `cells` cells begins.
std::size_t suffix_of_width(std::string_view text, std::size_t cells) {
  const std::size_t all = display_width(text);
  if (all <= cells) return 0;
  std::size_t from = prefix_of_width(text, all - cells).size();
  // A wide character across the edge goes as well, and so do the marks on it.
  while (from < text.size() && display_width(text.substr(from)) > cells) {
    ++from;
    while (continues(text, from)) ++from;
  }
  return from;
}

Excerpt excerpt_of(std::string_view line, const Span& span, std::size_t width) {
  std::size_t begin = std::min(span.column > 0 ? span.column - 1 : 0, line.size());
  std::size_t end = std::min(begin + std::max<std::size_t>(span.length, 1), line.size());
  while (begin > 0 && continues(line, begin)) --begin;
  while (continues(line, end)) ++end;
  const std::size_t lead = width / 2;
  const std::size_t from =
      display_width(line) > width ? suffix_of_width(line.substr(0, begin), lead) : 0;
  const std::string_view cut = prefix_of_width(line.substr(begin, end - begin), lead);
  const std::string fault = printable(cut);
  const std::string before = (from > 0 ? "…" : "") + printable(line.substr(from, begin - from));
  const std::size_t used = display_width(before) + display_width(fault);
  const std::string_view rest = line.substr(begin + cut.size());
  const std::string_view after = prefix_of_width(rest, width > used ? width - used : 0);
  return {before, fault, printable(after) + (after.size() < rest.size() ? "…" : "")};
}

void render_one(const Diagnostic& d, const RenderOptions& options, std::string& out) {
  const bool placed = d.span.source != nullptr && d.span.line > 0;
  if (d.span.source != nullptr) {
    out += printable(d.span.source->name);
    if (placed) {
      out += fmt::format(":{}:{}", d.span.line, shown_column(d.span));
    }
    out += ": ";
  } else {
    out += "gpusel: ";
  }
  out += paint(name_of(d.severity), colour_of(d.severity), options.colour);
  out += ": " + printable(d.message);
  if (!d.code.empty()) out += " [" + d.code + "]";
  out += '\n';
  if (placed) {
    const std::string_view line = line_text(*d.span.source, d.span.line);
    if (!line.empty()) {
      const Excerpt e = excerpt_of(line, d.span, options.excerpt_width);
      const std::string number = std::to_string(d.span.line);
      out += fmt::format(" {} | {}{}{}\n", number, e.before, e.fault, e.after);
      out += fmt::format(" {} | {}{}\n", std::string(number.size(), ' '),
                         std::string(display_width(e.before), ' '),
                         paint(std::string(std::max<std::size_t>(display_width(e.fault), 1), '^'),
                               colour_of(d.severity), options.colour));
    }
  }
  if (!d.path.empty()) out += "   at " + printable(d.path) + "\n";
  for (const std::string& note : d.notes) out += "   note: " + printable(note) + "\n";
  if (!d.help.empty()) out += "   help: " + printable(d.help) + "\n";
}

}  // namespace

std::size_t shown_column(const Span& span) {
  const std::string_view line = line_text(*span.source, span.line);
  const std::size_t bytes_before = span.column > 0 ? span.column - 1 : 0;
  return code_points(line.substr(0, std::min(bytes_before, line.size()))) + 1;
}

std::string render(const std::vector<Diagnostic>& diagnostics, const RenderOptions& options) {
  std::string out;
  std::map<std::string, std::size_t> shown;
  std::map<std::string, std::size_t> cut;
  for (const Diagnostic& d : diagnostics) {
    const std::string source = d.span.source ? d.span.source->name : std::string();
    if (++shown[source] > options.most_per_source) {
      ++cut[source];
      continue;
    }
    render_one(d, options, out);
  }
  for (const auto& [source, count] : cut) {
    out += fmt::format("{}: {} more not shown\n", source.empty() ? "gpusel" : printable(source),
                       count);
  }
  return out;
}

}  // namespace gpusel::diag
