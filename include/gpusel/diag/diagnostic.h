// Diagnostics for users: what is wrong, where, and what would be right. Reported to a Sink, many
// per run.
//
//   sink.report(error("catalog/unknown-key", span, "unknown key 'memroy'").with_help("did you mean
//   'memory'?"));
#pragma once

#include "gpusel/diag/source.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpusel::diag {

enum class Severity { error, warning, info };

std::string_view name_of(Severity severity);

struct Diagnostic {
  Severity severity = Severity::error;
  std::string code;  // stable, documented in docs/diagnostics.md
  Span span;
  std::string path;     // where in the record tree: `$.instances[3].memory`
  std::string message;  // lower case, names the thing in quotes
  std::string help;     // what to write instead
  std::vector<std::string> notes;

  Diagnostic with_help(std::string text) &&;
  Diagnostic with_path(std::string text) &&;
};

Diagnostic error(std::string code, Span span, std::string message);
Diagnostic warning(std::string code, Span span, std::string message);
Diagnostic info(std::string code, Span span, std::string message);

class Sink {
 public:
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;
  virtual ~Sink() = default;
  virtual void report(Diagnostic diagnostic) = 0;
};

/// Keeps what is reported.
class Buffer final : public Sink {
 public:
  void report(Diagnostic diagnostic) override;
  [[nodiscard]] const std::vector<Diagnostic>& all() const { return all_; }
  [[nodiscard]] std::size_t count(Severity severity) const;
  [[nodiscard]] bool has_errors() const { return count(Severity::error) > 0; }
  /// By source name, line, column, in the order reported where those are equal.
  [[nodiscard]] std::vector<Diagnostic> sorted() const;
  void pass_on(Sink& sink) const;

 private:
  std::vector<Diagnostic> all_;
};

}  // namespace gpusel::diag
