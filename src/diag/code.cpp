#include "gpusel/diag/code.h"

#include <tuple>
#include <utility>

namespace gpusel::diag {

bool stands_before(const Diagnostic& a, const Diagnostic& b) {
  const auto key = [](const Diagnostic& d) {
    return std::make_tuple(
        d.span.source ? std::string_view(d.span.source->name) : std::string_view(), d.span.line,
        d.span.column);
  };
  return key(a) < key(b);
}

Diagnostic finding(const CodeInfo& info, Span span, std::string message) {
  Diagnostic d;
  d.severity = info.severity;
  d.code = std::string(info.code);
  d.span = std::move(span);
  d.message = std::move(message);
  return d;
}

}  // namespace gpusel::diag
