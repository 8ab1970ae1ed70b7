// JUnit XML: a test case per file, failed where the file has a finding that fails the run. GitLab
// and Jenkins read one `failure` per test case, so that all findings of a file stand in one.
#include "gpusel/base/text.h"
#include "gpusel/diag/render.h"
#include "gpusel/report/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace gpusel::report {
namespace {

// What is no UTF-8, and the two noncharacters that XML 1.0 leaves out, become U+FFFD.
std::string well_formed(std::string text) {
  constexpr std::string_view kInstead = "\xEF\xBF\xBD";
  for (auto bad = invalid_utf8_at(text); bad; bad = invalid_utf8_at(text))
    text.replace(*bad, 1, kInstead);
  for (const std::string_view none : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {
    for (std::size_t at = text.find(none); at != std::string::npos; at = text.find(none, at))
      text.replace(at, none.size(), kInstead);
  }
  return text;
}

// XML 1.0 has no control characters, escaped or not: those of the text are shown, newlines kept.
std::string escaped(std::string_view raw) {
  const std::string text = well_formed(std::string(raw));
  std::string out;
  bool first = true;
  for (const std::string_view line : split(text, '\n')) {
    if (!first) out += '\n';
    first = false;
    for (const char c : printable(line)) {
      switch (c) {
        case '&':
          out += "&amp;";
          break;
        case '<':
          out += "&lt;";
          break;
        case '>':
          out += "&gt;";
          break;
        case '"':
          out += "&quot;";
          break;
        default:
          out += c;
      }
    }
  }
  return out;
}

struct Case {
  std::vector<diag::Diagnostic> failing;
  std::vector<diag::Diagnostic> other;
  std::size_t allowed = 0;
};

constexpr std::string_view kNoFile = "(no file)";

// Every file checked has a case, also without findings.
std::map<std::string, Case> cases_of(const Findings& findings) {
  std::map<std::string, Case> cases;
  for (const std::string& file : findings.files) cases[file];
  for (const Finding& finding : findings.all) {
    const diag::Diagnostic& d = finding.diagnostic;
    Case& c = cases[d.span.source ? d.span.source->name : std::string(kNoFile)];
    if (finding.allowed) {
      ++c.allowed;
    } else {
      (d.severity <= findings.fail_on ? c.failing : c.other).push_back(d);
    }
  }
  return cases;
}

std::string plain(const std::vector<diag::Diagnostic>& all) {
  diag::RenderOptions options;
  options.most_per_source = all.size();
  return diag::render(all, options);
}

std::string case_text(const std::string& name, const Case& c) {
  std::string inside;
  if (!c.failing.empty()) {
    const std::string& code = c.failing.front().code;
    const std::string more =
        c.failing.size() > 1 ? fmt::format(" and {} more", c.failing.size() - 1) : std::string();
    inside += fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n", escaped(code),
                          escaped(c.failing.front().message + more), escaped(plain(c.failing)));
  }
  std::string out = plain(c.other);
  if (c.allowed > 0) out += fmt::format("{} suppressed\n", c.allowed);
  if (!out.empty()) inside += fmt::format("      <system-out>{}</system-out>\n", escaped(out));
  const std::string head = fmt::format(
      "    <testcase classname=\"gpusel.catalog\" name=\"{}\" time=\"0\"", escaped(name));
  return inside.empty() ? head + "/>\n" : head + ">\n" + inside + "    </testcase>\n";
}

std::string write(const Findings& findings, const WriteOptions&) {
  const std::map<std::string, Case> cases = cases_of(findings);
  const std::ptrdiff_t failed = std::count_if(
      cases.begin(), cases.end(), [](const auto& entry) { return !entry.second.failing.empty(); });
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  const std::string counts = fmt::format(
      "name=\"gpusel catalog check\" tests=\"{}\" failures=\"{}\" errors=\"0\" "
      "time=\"0\"",
      cases.size(), failed);
  out += fmt::format("<testsuites {}>\n  <testsuite {}>\n", counts, counts);
  for (const auto& [name, c] : cases) out += case_text(name, c);
  return out + "  </testsuite>\n</testsuites>\n";
}

}  // namespace

extern const FindingsFormat findings_junit;
constinit const FindingsFormat findings_junit{
    "junit", "JUnit XML: a test case per file, for GitLab, Jenkins and others", &write};

}  // namespace gpusel::report
