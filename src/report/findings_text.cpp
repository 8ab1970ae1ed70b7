#include "gpusel/base/text.h"
#include "gpusel/diag/render.h"
#include "gpusel/report/findings.h"

namespace gpusel::report {
namespace {

std::string write(const Findings& findings, const WriteOptions& options) {
  diag::RenderOptions render_options;
  render_options.colour = options.colour;
  std::vector<diag::Diagnostic> shown = open_findings(findings);
  // Information that fails nothing is counted, not shown: a page of it would hide the warnings.
  std::erase_if(shown, [&](const diag::Diagnostic& d) {
    return d.severity == diag::Severity::info && d.severity > findings.fail_on;
  });
  std::string out = diag::render(shown, render_options);
  if (!findings.summary.empty()) out += printable(findings.summary) + '\n';
  return out;
}

}  // namespace

extern const FindingsFormat findings_text;
constinit const FindingsFormat findings_text{
    "text", "file:line:column, the line and what to write, as compilers do", &write};

}  // namespace gpusel::report
