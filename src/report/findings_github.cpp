// Workflow commands of GitHub Actions: `::error file=a.yaml,line=3,col=5,title=CODE::message`. The
// runner ends a message at a newline and a property at ',' or ':', so that these are escaped.
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions
#include "gpusel/base/text.h"
#include "gpusel/diag/render.h"
#include "gpusel/report/findings.h"

#include <fmt/format.h>

namespace gpusel::report {
namespace {

std::string_view command_of(diag::Severity severity) {
  switch (severity) {
    case diag::Severity::error:
      return "error";
    case diag::Severity::warning:
      return "warning";
    case diag::Severity::info:
      return "notice";
  }
  return "error";
}

std::string escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (c == '%' || c == '\r' || c == '\n' || special.find(c) != std::string_view::npos) {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out;
}

std::string property(std::string_view text) { return escaped(printable(text), ":,"); }

std::string command(const diag::Diagnostic& d) {
  std::string out = fmt::format("::{} ", command_of(d.severity));
  if (d.span.source != nullptr) {
    out += "file=" + property(d.span.source->name) + ",";
    if (d.span.line > 0)
      out += fmt::format("line={},col={},", d.span.line, diag::shown_column(d.span));
  }
  std::string message = printable(d.message);
  if (!d.help.empty()) message += "\n" + printable(d.help);
  return out + "title=" + property(d.code) + "::" + escaped(message, "") + "\n";
}

std::string write(const Findings& findings, const WriteOptions&) {
  std::string out;
  for (const diag::Diagnostic& d : open_findings(findings)) out += command(d);
  return out + printable(findings.summary) + "\n";
}

}  // namespace

extern const FindingsFormat findings_github;
constinit const FindingsFormat findings_github{
    "github", "workflow commands: annotations on the lines of a pull request", &write};

}  // namespace gpusel::report
