#include "report/json_writer.h"

#include "gpusel/report/findings.h"

#include <algorithm>
#include <cstdint>

namespace gpusel::report {
namespace {

constexpr std::string_view kSchemaVersion = "1.0";

Value counts_value(const Findings& findings) {
  const std::vector<diag::Diagnostic> all = open_findings(findings);
  Value counts = object();
  for (const diag::Severity severity :
       {diag::Severity::error, diag::Severity::warning, diag::Severity::info}) {
    const std::ptrdiff_t n = std::count_if(
        all.begin(), all.end(), [&](const diag::Diagnostic& d) { return d.severity == severity; });
    counts.set(std::string(diag::name_of(severity)), whole(std::int64_t{n}));
  }
  counts.set("suppressed", whole(static_cast<std::int64_t>(findings.all.size() - all.size())));
  return counts;
}

std::string write(const Findings& findings, const WriteOptions&) {
  Value records = list();
  for (const Finding& finding : findings.all) records.add(finding_value(finding));
  Value answer = object();
  answer.set("schema_version", text(std::string(kSchemaVersion)));
  answer.set("catalog", findings.catalog);
  answer.set("findings", std::move(records));
  answer.set("counts", counts_value(findings));
  return json_document(answer);
}

}  // namespace

extern const FindingsFormat findings_json;
constinit const FindingsFormat findings_json{"json", "one object with every finding, for programs",
                                             &write};

}  // namespace gpusel::report
