// Form of expressions: what parses, and where the fault is when it does not.
#include "catch.h"
#include "expression_faults.h"

#include <string>

using namespace gpusel;
using namespace gpusel::rules;
using rules::test::check_fault;
using rules::test::compiles;
using rules::test::fault_of;
using rules::test::FaultCase;
using rules::test::kFacts;

namespace {

Truth constant(const std::string& text) {
  const auto result = Expression::compile(text, kFacts);
  if (!result) throw std::invalid_argument(text + ": " + result.error().error.message);
  return result->evaluate(rules::test::Values().facts());
}

std::string repeat(const std::string& part, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += part;
  return text;
}

}  // namespace

TEST_CASE("a syntax fault points at its part of the text", "[rules]") {
  const FaultCase c = GENERATE(values<FaultCase>({
      {"", 0, 1, "expected a value, found the end"},
      {"   ", 0, 1, "expected a value, found the end"},
      {"cluster.nodes >", 15, 1, "expected a value, found the end"},
      {"cluster.nodes >  ", 15, 1, "expected a value, found the end"},
      {"cluster.nodes > and true", 16, 3, "expected a value, found 'and'"},
      {"(true or false", 14, 1, "expected ')', found the end"},
      {"true)", 4, 1, "expected 'and', 'or' or the end, found ')'"},
      {"true false", 5, 5, "expected 'and', 'or' or the end, found 'false'"},
      {"1 < cluster.nodes < 8", 18, 1, "expected 'and', 'or' or the end, found '<'"},
      {"offer.purchase = spot", 15, 1, "'=' is not part of the language"},
      {"true && false", 5, 2, "'&&' is not part of the language"},
      {"!true", 0, 1, "'!' is not part of the language"},
      {"offer.purchase == \"spot\"", 18, 1, "'\"' is not part of the language"},
      {"offer.purchase == 'spot", 18, 5, "the text that begins here is not closed"},
      {"offer.region == 東", 16, 3, "'東' is not part of the language"},
      {"cluster.nodes is big", 17, 3, "expected 'known' or 'unknown' after 'is', found 'big'"},
      {"cluster.nodes > -1", 16, 1, "expected a value, found '-'"},
      {"cluster.nodes > 08", 16, 2, "'08' is not a number"},
      {"cluster.nodes > 1.5.2", 19, 1, "'.' is not part of the language"},
      {"offer.gpu.memory > 40 gib", 22, 3, "'gib' is not a unit"},
      {"offer.gpu.memory > 40gib or true", 21, 3, "'gib' is not a unit"},
      {"offer.gpu.count > 8 gpus", 20, 4, "'gpus' is not a unit"},
      {"min(cluster.nodes) > 1", 17, 1, "expected ',', found ')'"},
      {"min(cluster.nodes, 2, 3) > 1", 20, 1, "expected ')', found ','"},
      {"offer.purchase == not", 18, 3, "expected a value, found 'not'"},
      {"not", 3, 1, "expected a value, found the end"},
  }));
  check_fault(c, "rule/syntax");
}

TEST_CASE("the help of a syntax fault says what to write", "[rules]") {
  CHECK(fault_of("offer.purchase = spot").error.help == "write '==' to compare");
  CHECK(fault_of("true || false").error.help == "write 'or'");
  CHECK(fault_of("1 < 2 < 3").error.help == "comparisons don't chain: write a < b and b < c");
  CHECK(fault_of("offer.gpu.memory > 40 gib").error.help.find("'GiB'") != std::string::npos);
  CHECK(fault_of("estimate.duration > 6 hours").error.help.find("6 h") != std::string::npos);
}

TEST_CASE("every kind of unit has its type", "[rules]") {
  CHECK(compiles("estimate.duration > 6 h"));
  CHECK(compiles("estimate.duration > 6h"));
  CHECK(compiles("estimate.duration > 6\n  h and true"));
  CHECK(compiles("offer.price.age >= 180 d"));
  CHECK(compiles("offer.gpu.memory > 40 GiB"));
  CHECK(compiles("estimate.memory_share > 90 %"));
  CHECK(compiles("estimate.memory_share > 90%"));
  CHECK(compiles("cost.per_hour > 3.5 USD/h"));
  CHECK(compiles("cost.per_hour > $3.5/h"));
  CHECK(compiles("cost.total > 50 kUSD"));
  CHECK(compiles("cost.total > $50k"));
  CHECK(compiles("offer.network.bandwidth >= 400 Gbps"));
  CHECK(compiles("offer.network.bandwidth >= 50 GB/s"));
  CHECK(compiles("989 TFLOPS > 312 TFLOPS"));
  CHECK(compiles("700 W < 1 kW"));
}

TEST_CASE("operators bind as in arithmetic and logic", "[rules]") {
  CHECK(constant("2 + 3 * 4 == 14") == Truth::yes);
  CHECK(constant("(2 + 3) * 4 == 20") == Truth::yes);
  CHECK(constant("20 - 3 - 2 == 15") == Truth::yes);
  CHECK(constant("24 / 3 / 2 == 4") == Truth::yes);
  CHECK(constant("2 - 1 == 1") == Truth::yes);
  CHECK(constant("2-1 == 1") == Truth::yes);
  CHECK(constant("true or true and false") == Truth::yes);
  CHECK(constant("(true or true) and false") == Truth::no);
  CHECK(constant("not true or true") == Truth::yes);
  CHECK(constant("not (true or true)") == Truth::no);
  CHECK(constant("not 1 == 2") == Truth::yes);
  CHECK(constant("not not true") == Truth::yes);
  CHECK(constant("1 <= 1 and 1 >= 1 and not 1 < 1 and not 1 > 1") == Truth::yes);
  CHECK(constant("min(3, max(1, 2)) == 2") == Truth::yes);
  CHECK(constant("6 h / 2 == 3 h and 1 d / 6 h == 4") == Truth::yes);
}

TEST_CASE("parentheses, functions and not may be 32 deep", "[rules]") {
  const std::size_t most = kMaxExpressionDepth;
  CHECK(compiles(repeat("(", most) + "true" + repeat(")", most)));
  CHECK(compiles(repeat("not ", most) + "true"));
  const ExpressionFault deep = fault_of(repeat("(", most + 1) + "true" + repeat(")", most + 1));
  CHECK(deep.code == "rule/too-complex");
  CHECK(deep.error.offset == most);
  CHECK(deep.error.message == "the expression is nested deeper than 32 levels");
  const ExpressionFault negations = fault_of(repeat("not ", most + 1) + "true");
  CHECK(negations.code == "rule/too-complex");
  CHECK(negations.error.offset == 4 * most);
  // Depth, not number: side by side there may be more.
  CHECK(compiles(repeat("(true) or ", most + 8) + "not (true)"));
  CHECK(fault_of(repeat("(", 900)).code == "rule/too-complex");
  CHECK(fault_of(repeat("min(", most + 1) + "1").code == "rule/too-complex");
}

TEST_CASE("a chain may have 200 values and operators", "[rules]") {
  CHECK(compiles("1" + repeat("+1", 98) + " > 1"));  // 99 + 98 + 2
  CHECK(compiles("not 1" + repeat("+1", 98) + " > 1"));
  const ExpressionFault many = fault_of("1" + repeat("+1", 99) + " > 1");
  CHECK(many.code == "rule/too-complex");
  CHECK(many.error.message == "the expression has more than 200 values and operators");
  CHECK(many.error.offset == 202);
}

TEST_CASE("a text may have 1,000 characters", "[rules]") {
  CHECK(compiles("true" + repeat(" ", kMaxExpressionLength - 4)));
  const ExpressionFault fault = fault_of("true" + repeat(" ", kMaxExpressionLength - 3));
  CHECK(fault.code == "rule/too-complex");
  CHECK(fault.error.message == "the expression is longer than 1000 characters");
  // Characters, not bytes.
  const std::string text = "offer.region == '";
  CHECK(compiles(text + repeat("東", kMaxExpressionLength - text.size() - 1) + "'"));
}
