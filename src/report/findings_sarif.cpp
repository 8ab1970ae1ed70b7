// SARIF 2.1.0 (OASIS): one run, a rule per code, a result per finding.
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/
#include "report/json_writer.h"

#include "gpusel/diag/render.h"
#include "gpusel/report/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>

namespace gpusel::report {
namespace {

Value count(std::size_t n) { return whole(static_cast<std::int64_t>(n)); }

std::string level_of(diag::Severity severity) {
  return severity == diag::Severity::info ? "note" : std::string(diag::name_of(severity));
}

// A path as a reference of RFC 3986: what is not unreserved is written by its bytes.
std::string uri_of(std::string_view path) {
  constexpr std::string_view kPlain = "-._~/";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || kPlain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

struct Rules {
  Value list = report::list();
  std::map<std::string, std::size_t, std::less<>> index;
};

Value message_value(std::string text_of) { return object().set("text", text(std::move(text_of))); }

Rules rules_of(const std::vector<diag::CodeTable>& tables) {
  Rules rules;
  for (const diag::CodeTable& table : tables) {
    for (const diag::CodeInfo& info : table.codes) {
      const std::string code(info.code);
      if (!rules.index.emplace(code, rules.index.size()).second) continue;
      Value rule = object();
      rule.set("id", text(code));
      rule.set("shortDescription", message_value(std::string(info.summary)));
      rule.set("help", message_value("docs/diagnostics.md of gpusel has a section '" + code +
                                     "': what it means, why it matters, how to mend it"));
      rule.set("defaultConfiguration", object().set("level", text(level_of(info.severity))));
      rule.set("properties",
               object().set("tags", std::move(list().add(text(std::string(table.group))))));
      rules.list.add(std::move(rule));
    }
  }
  return rules;
}

Value location_of(const diag::Span& span) {
  Value physical = object();
  physical.set("artifactLocation", object().set("uri", text(uri_of(span.source->name))));
  if (span.line > 0) {
    diag::Span end = span;
    end.column += std::max<std::size_t>(span.length, 1);
    const std::size_t begin = diag::shown_column(span);
    physical.set("region", object()
                               .set("startLine", count(span.line))
                               .set("startColumn", count(begin))
                               .set("endColumn", count(std::max(diag::shown_column(end), begin))));
  }
  return object().set("physicalLocation", std::move(physical));
}

Value result_of(const Finding& finding, const Rules& rules) {
  const diag::Diagnostic& d = finding.diagnostic;
  Value result = object();
  result.set("ruleId", text(d.code));
  const auto rule = rules.index.find(d.code);
  if (rule != rules.index.end()) result.set("ruleIndex", count(rule->second));
  result.set("level", text(level_of(d.severity)));
  result.set("message", message_value(d.help.empty() ? d.message : d.message + "; " + d.help));
  Value locations = list();
  if (d.span.source != nullptr) locations.add(location_of(d.span));
  result.set("locations", std::move(locations));
  Value suppressions = list();
  if (finding.allowed) {
    suppressions.add(
        object().set("kind", text("inSource")).set("justification", text(*finding.allowed)));
  }
  result.set("suppressions", std::move(suppressions));
  return result;
}

std::string write(const Findings& findings, const WriteOptions&) {
  Rules rules = rules_of(findings.codes);
  Value results = list();
  for (const Finding& finding : findings.all) results.add(result_of(finding, rules));
  Value driver = object();
  driver.set("name", text("gpusel"));
  driver.set("version", text(findings.version));
  driver.set("rules", std::move(rules.list));
  Value run = object();
  run.set("tool", object().set("driver", std::move(driver)));
  run.set("columnKind", text("unicodeCodePoints"));
  run.set("results", std::move(results));
  Value log = object();
  log.set("$schema", text("https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                          "sarif-schema-2.1.0.json"));
  log.set("version", text("2.1.0"));
  log.set("runs", std::move(list().add(std::move(run))));
  return json_document(log);
}

}  // namespace

extern const FindingsFormat findings_sarif;
constinit const FindingsFormat findings_sarif{"sarif", "SARIF 2.1.0, for code scanning and editors",
                                              &write};

}  // namespace gpusel::report
