// How the tests of expressions compile a text and compare the fault that it has.
#pragma once

#include "catch.h"
#include "facts_fixture.h"

#include "gpusel/rules/expression.h"

#include <string>

namespace gpusel::rules::test {

inline ExpressionFault fault_of(const std::string& text) {
  const auto result = Expression::compile(text, kFacts);
  if (!result) return result.error();
  return {"no fault", {text, "", 0, 0}};
}

inline bool compiles(const std::string& text) {
  const auto result = Expression::compile(text, kFacts);
  if (!result) UNSCOPED_INFO(result.error().error.message);
  return result.has_value();
}

/// A text with its fault: the place in bytes from 0, and the message.
struct FaultCase {
  const char* text;
  std::size_t offset;
  std::size_t length;
  const char* message;
};

inline void check_fault(const FaultCase& c, const std::string& code) {
  CAPTURE(c.text);
  const ExpressionFault fault = fault_of(c.text);
  CHECK(fault.code == code);
  CHECK(fault.error.message == c.message);
  CHECK(fault.error.offset == c.offset);
  CHECK(fault.error.length == c.length);
}

}  // namespace gpusel::rules::test
