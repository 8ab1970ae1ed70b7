// Findings of a check (`catalog check`, `rules check`) and diagnostics as records: one format per
// file `findings_<id>.cpp`, found by the registry.
#pragma once

#include "gpusel/diag/code.h"
#include "gpusel/report/format.h"
#include "gpusel/report/value.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpusel::report {

struct Finding {
  diag::Diagnostic diagnostic;
  std::optional<std::string> allowed = std::nullopt;  // the reason of the comment that allows it
};

struct Findings {
  std::vector<Finding> all;  // sorted
  Value catalog;             // the `catalog` object of the answer, see docs/schema
  std::string summary;       // the last line of the text form: "0 errors, 2 warnings in 23 files"
  std::string version;       // of the program
  std::vector<diag::CodeTable> codes;  // every code that can be reported
  std::vector<std::string> files;      // that were checked
  diag::Severity fail_on = diag::Severity::error;
};

struct FindingsFormat {
  std::string_view id;
  std::string_view summary;
  std::string (*write)(const Findings&, const WriteOptions&);
};

/// All formats, sorted by id (generated): github, json, junit, sarif, text.
std::span<const FindingsFormat* const> findings_formats();
const FindingsFormat* find_findings_format(std::string_view id);

/// The findings that no comment allows.
std::vector<diag::Diagnostic> open_findings(const Findings& findings);

/// {code, severity, file, line, column, message, help, suppressed}: file, line and column null
/// where there is no place, help null where there is none; columns count code points, as the text
/// form does.
Value finding_value(const diag::Diagnostic& diagnostic);
/// The same with `suppressed` as it is, and `reason` where it is true.
Value finding_value(const Finding& finding);

}  // namespace gpusel::report
