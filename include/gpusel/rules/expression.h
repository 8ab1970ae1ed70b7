// Expression: the condition of a rule, checked against a table of facts and compiled to a flat
// array of nodes.
//
//   auto when = Expression::compile("offer.purchase == spot and estimate.duration > 6 h", facts);
//   if (!when) return when.error();           // code, message and the part of the text at fault
//   if (when->evaluate(candidate) == Truth::yes) …
#pragma once

#include "gpusel/base/expected.h"
#include "gpusel/rules/fact.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpusel::rules {

/// A comparison with an unknown fact is unknown; `and`, `or` and `not` follow Kleene's three-valued
/// logic.
enum class Truth { no, yes, unknown };

inline constexpr std::size_t kMaxExpressionLength = 1000;  // characters
inline constexpr std::size_t kMaxExpressionNodes = 200;    // values and operators
inline constexpr std::size_t kMaxExpressionDepth = 32;     // of parentheses, functions and `not`

/// Why a text is not an expression: one of `rule/syntax`, `rule/type`, `rule/unknown-fact`,
/// `rule/unknown-value`, `rule/too-complex`, and the part at fault.
struct ExpressionFault {
  std::string code;
  Error error;
};

enum class Op : std::uint8_t {
  constant,  // boolean, number or quantity
  text,
  fact,
  is_unknown,
  is_known,
  negation,
  conjunction,
  disjunction,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  add,
  subtract,
  multiply,
  divide,
  smaller,  // min(a, b)
  larger,   // max(a, b)
  contains,
  matches,
};

class Expression {
 public:
  /// Parses and checks a text. `Facts` must number the facts as this table does; the table itself
  /// is not kept.
  static Expected<Expression, ExpressionFault> compile(std::string_view text, FactTable facts);

  [[nodiscard]] Truth evaluate(const Facts& facts) const;
  /// The stage at which every fact of the expression is known.
  [[nodiscard]] Stage stage() const { return stage_; }
  /// The facts that the expression reads: indexes into the table, sorted, each once.
  [[nodiscard]] const std::vector<std::size_t>& facts() const { return facts_; }

  /// A node stands behind its operands; the last one is the root.
  struct Node {
    Op op = Op::constant;
    FactType type = FactType::boolean;  // of the operands for comparisons, else of the result
    std::uint32_t left = 0;             // index of a node
    std::uint32_t right = 0;
    std::size_t index = 0;  // of a fact in the table, of a text in texts_
    double number = 0;      // of a constant; booleans are 0 and 1
  };

 private:
  struct Value {
    bool known = false;
    double number = 0;
    std::string_view text;
  };
  Expression(std::vector<Node> nodes, std::vector<std::string> texts, FactTable facts);
  [[nodiscard]] Value value_of(std::size_t node, const Facts& facts) const;
  [[nodiscard]] Value junction(const Node& node, const Facts& facts) const;
  [[nodiscard]] Value binary(const Node& node, const Facts& facts) const;
  static Value read_fact(const Node& node, const Facts& facts);
  static double apply(const Node& node, const Value& left, const Value& right);

  std::vector<Node> nodes_;
  std::vector<std::string> texts_;
  std::vector<std::size_t> facts_;
  Stage stage_ = Stage::offer;
};

}  // namespace gpusel::rules
