// Findings of a check (`catalog check`, `rules check`) and diagnostics as records: one format per
// file `findings_<id>.cpp`, found by the registry.
#pragma once

#include "gpusel/diag/diagnostic.h"
#include "gpusel/report/format.h"
#include "gpusel/report/value.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpusel::report {

struct Findings {
  std::vector<diag::Diagnostic> all;  // sorted
  Value catalog;                      // the `catalog` object of the answer, see docs/schema
  std::string summary;  // the last line of the text form: "0 errors, 2 warnings in 23 files"
};

struct FindingsFormat {
  std::string_view id;
  std::string_view summary;
  std::string (*write)(const Findings&, const WriteOptions&);
};

/// All formats, sorted by id (generated): json, text.
std::span<const FindingsFormat* const> findings_formats();
const FindingsFormat* find_findings_format(std::string_view id);

/// {code, severity, file, line, column, message, help, suppressed}: file, line and column null
/// where there is no place, help null where there is none; columns count code points, as the text
/// form does.
Value finding_value(const diag::Diagnostic& diagnostic);

}  // namespace gpusel::report
