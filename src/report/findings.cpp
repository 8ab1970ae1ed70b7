#include "gpusel/report/findings.h"

#include "gpusel/diag/render.h"

#include <algorithm>
#include <cstdint>

namespace gpusel::report {
namespace {

Value count(std::size_t n) { return whole(static_cast<std::int64_t>(n)); }

}  // namespace

const FindingsFormat* find_findings_format(std::string_view id) {
  const std::span<const FindingsFormat* const> all = findings_formats();
  const std::span<const FindingsFormat* const>::iterator at =
      std::find_if(all.begin(), all.end(), [&](const FindingsFormat* f) { return f->id == id; });
  return at == all.end() ? nullptr : *at;
}

std::vector<diag::Diagnostic> open_findings(const Findings& findings) {
  std::vector<diag::Diagnostic> open;
  for (const Finding& finding : findings.all) {
    if (!finding.allowed) open.push_back(finding.diagnostic);
  }
  return open;
}

Value finding_value(const diag::Diagnostic& diagnostic) {
  return finding_value(Finding{diagnostic});
}

Value finding_value(const Finding& finding) {
  const diag::Diagnostic& diagnostic = finding.diagnostic;
  const diag::Span& span = diagnostic.span;
  const bool placed = span.source != nullptr && span.line > 0;
  Value value = object();
  value.set("code", text(diagnostic.code))
      .set("severity", text(std::string(diag::name_of(diagnostic.severity))))
      .set("file", span.source != nullptr ? text(span.source->name) : null())
      .set("line", placed ? count(span.line) : null())
      .set("column", placed ? count(diag::shown_column(span)) : null())
      .set("message", text(diagnostic.message))
      .set("help", diagnostic.help.empty() ? null() : text(diagnostic.help))
      .set("suppressed", boolean(finding.allowed.has_value()));
  if (finding.allowed) value.set("reason", text(*finding.allowed));
  return value;
}

}  // namespace gpusel::report
