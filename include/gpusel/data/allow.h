// Comments in data files that allow findings, each with its reason:
//
//   - [big, west, spot, 9 USD/h, list]  # gpusel: allow catalog/price-order: list of 1 May, see
//   ticket # gpusel: allow-file catalog/stale-price: the archive is kept for its history
//
// With `until 2027-06-01` behind its codes a comment holds to the end of that day.
//
// `allow` covers the findings of its own line, or of the next line
// that is no comment when it stands alone on one.
#pragma once

#include "gpusel/base/date.h"
#include "gpusel/data/data_set.h"
#include "gpusel/diag/code.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpusel::data {

/// One code that a comment allows, where it holds and why.
struct Allowance {
  std::string code;
  diag::SourcePtr source;
  std::size_t line = 0;  // the line that it covers; 0: the whole file
  std::string reason;
  std::optional<Date> until;  // the last day on which it holds
  diag::Span span;            // of the code in the comment
};

/// The allowances of the files in force. A comment that cannot be read, that names no code in
/// `known` or gives no reason is reported and allows nothing.
std::vector<Allowance> read_allowances(const DataSet& set, std::span<const diag::CodeTable> known,
                                       diag::Sink& sink);

/// For each finding the reason that allows it, or none. Allowances whose day has passed count for
/// nothing; others that cover nothing are reported to
/// `unused`; what says that a file is unreadable is never covered.
std::vector<std::optional<std::string>> allowed_by(const std::vector<diag::Diagnostic>& findings,
                                                   const std::vector<Allowance>& allowances,
                                                   std::span<const diag::CodeTable> known,
                                                   Date today, diag::Sink& unused);

/// The codes that this part reports.
diag::CodeTable allow_codes();

}  // namespace gpusel::data
