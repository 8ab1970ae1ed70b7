// Diagnostics and the buffer that keeps them.
#include "gpusel/diag/diagnostic.h"

#include "catch.h"

#include <string>

using namespace gpusel::diag;

namespace {

std::string order_of(const std::vector<Diagnostic>& all) {
  std::string text;
  for (const Diagnostic& d : all) text += d.message + " ";
  return text;
}

}  // namespace

TEST_CASE("a diagnostic is built in one expression", "[diag]") {
  const Diagnostic d = warning("x/code", {}, "message").with_help("help").with_path("$.a");
  CHECK(d.severity == Severity::warning);
  CHECK(d.code == "x/code");
  CHECK(d.message == "message");
  CHECK(d.help == "help");
  CHECK(d.path == "$.a");
  CHECK(error("", {}, "").severity == Severity::error);
  CHECK(info("", {}, "").severity == Severity::info);
  CHECK(name_of(Severity::error) == "error");
  CHECK(name_of(Severity::warning) == "warning");
  CHECK(name_of(Severity::info) == "info");
}

TEST_CASE("a buffer sorts by source, line and column and keeps the order of equals", "[diag]") {
  const SourcePtr a = make_source("a", "");
  const SourcePtr b = make_source("b", "");
  Buffer buffer;
  buffer.report(error("", {b, 1, 1, 1}, "b11"));
  buffer.report(error("", {a, 10, 1, 1}, "a10"));
  buffer.report(error("", {a, 9, 5, 1}, "a95"));
  buffer.report(error("", {a, 9, 5, 1}, "a95-again"));
  buffer.report(error("", {a, 9, 2, 1}, "a92"));
  buffer.report(error("", {}, "nowhere"));
  CHECK(order_of(buffer.sorted()) == "nowhere a92 a95 a95-again a10 b11 ");
  CHECK(order_of(buffer.all()) == "b11 a10 a95 a95-again a92 nowhere ");
}

TEST_CASE("a buffer counts and passes on", "[diag]") {
  Buffer buffer;
  CHECK_FALSE(buffer.has_errors());
  buffer.report(warning("", {}, "w"));
  buffer.report(info("", {}, "i"));
  CHECK_FALSE(buffer.has_errors());
  buffer.report(error("", {}, "e"));
  CHECK(buffer.has_errors());
  CHECK(buffer.count(Severity::warning) == 1);
  Buffer other;
  buffer.pass_on(other);
  CHECK(order_of(other.all()) == "w i e ");
}
