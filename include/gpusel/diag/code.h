// What is known of a diagnostic's code before anything is wrong: constant tables beside the code
// that reports them.
//
//   constexpr CodeInfo kZeroPrice{"catalog/zero-price", Severity::error, "a price of zero"};
//   sink.report(finding(kZeroPrice, span, "a price of zero").with_help("write 'unknown'"));
#pragma once

#include "gpusel/diag/diagnostic.h"

#include <span>
#include <string>
#include <string_view>

namespace gpusel::diag {

/// What a code says of the file: it has a fault, or it could not be parsed at all.
enum class Meaning { fault, unreadable };

struct CodeInfo {
  constexpr CodeInfo(std::string_view the_code, Severity the_severity, std::string_view says,
                     Meaning what = Meaning::fault)
      : code(the_code), summary(says), severity(the_severity), meaning(what) {}
  std::string_view code;
  std::string_view summary;  // lower case, what is wrong
  Severity severity;
  Meaning meaning;
};

/// The codes of one layer or check.
struct CodeTable {
  std::string_view group;  // "form", "prices"
  std::span<const CodeInfo> codes;
};

/// By source name, line and column.
bool stands_before(const Diagnostic& a, const Diagnostic& b);

/// A diagnostic with the severity that its code has.
Diagnostic finding(const CodeInfo& info, Span span, std::string message);

}  // namespace gpusel::diag
