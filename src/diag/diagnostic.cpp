#include "gpusel/diag/diagnostic.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace gpusel::diag {

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::info:
      return "info";
  }
  return "error";
}

Diagnostic Diagnostic::with_help(std::string text) && {
  help = std::move(text);
  return std::move(*this);
}

Diagnostic Diagnostic::with_path(std::string text) && {
  path = std::move(text);
  return std::move(*this);
}

namespace {
Diagnostic make(Severity severity, std::string code, Span span, std::string message) {
  Diagnostic d;
  d.severity = severity;
  d.code = std::move(code);
  d.span = std::move(span);
  d.message = std::move(message);
  return d;
}
}  // namespace

Diagnostic error(std::string code, Span span, std::string message) {
  return make(Severity::error, std::move(code), std::move(span), std::move(message));
}
Diagnostic warning(std::string code, Span span, std::string message) {
  return make(Severity::warning, std::move(code), std::move(span), std::move(message));
}
Diagnostic info(std::string code, Span span, std::string message) {
  return make(Severity::info, std::move(code), std::move(span), std::move(message));
}

void Buffer::report(Diagnostic diagnostic) { all_.push_back(std::move(diagnostic)); }

std::size_t Buffer::count(Severity severity) const {
  return static_cast<std::size_t>(std::count_if(
      all_.begin(), all_.end(), [&](const Diagnostic& d) { return d.severity == severity; }));
}

std::vector<Diagnostic> Buffer::sorted() const {
  std::vector<Diagnostic> result = all_;
  std::stable_sort(result.begin(), result.end(), [](const Diagnostic& a, const Diagnostic& b) {
    const auto key = [](const Diagnostic& d) {
      return std::make_tuple(
          d.span.source ? std::string_view(d.span.source->name) : std::string_view(), d.span.line,
          d.span.column);
    };
    return key(a) < key(b);
  });
  return result;
}

void Buffer::pass_on(Sink& sink) const {
  for (const Diagnostic& d : all_) sink.report(d);
}

}  // namespace gpusel::diag
