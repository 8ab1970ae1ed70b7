#include "gpusel/rules/expression.h"

#include "checker.h"
#include "parser.h"

#include "gpusel/base/bug.h"
#include "gpusel/base/text.h"

#include <algorithm>
#include <cmath>

namespace gpusel::rules {

Expected<Expression, ExpressionFault> Expression::compile(std::string_view text, FactTable facts) {
  const Expected<std::vector<SyntaxNode>, ExpressionFault> syntax = parse_expression(text);
  if (!syntax) return syntax.error();
  Expected<CheckedNodes, ExpressionFault> checked = check_expression(text, *syntax, facts);
  if (!checked) return checked.error();
  return Expression(std::move(checked->nodes), std::move(checked->texts), facts);
}

Expression::Expression(std::vector<Node> nodes, std::vector<std::string> texts, FactTable facts)
    : nodes_(std::move(nodes)), texts_(std::move(texts)) {
  for (const Node& node : nodes_) {
    if (node.op != Op::fact) continue;
    facts_.push_back(node.index);
    stage_ = std::max(stage_, facts[node.index].stage);
  }
  std::sort(facts_.begin(), facts_.end());
  facts_.erase(std::unique(facts_.begin(), facts_.end()), facts_.end());
}

Truth Expression::evaluate(const Facts& facts) const {
  const Value value = value_of(nodes_.size() - 1, facts);
  if (!value.known) return Truth::unknown;
  return value.number != 0 ? Truth::yes : Truth::no;
}

Expression::Value Expression::read_fact(const Node& node, const Facts& facts) {
  const FactValue value = facts.value(node.index);
  if (!value) return {};
  if (node.type == FactType::text) {
    const auto* text = std::get_if<std::string_view>(&*value);
    GPUSEL_BUG(text == nullptr);
    return {true, 0, *text};
  }
  if (node.type == FactType::boolean) {
    const auto* truth = std::get_if<bool>(&*value);
    GPUSEL_BUG(truth == nullptr);
    return {true, *truth ? 1.0 : 0.0, {}};
  }
  const auto* number = std::get_if<double>(&*value);
  GPUSEL_BUG(number == nullptr);
  return {std::isfinite(*number), *number, {}};
}

Expression::Value Expression::value_of(std::size_t index, const Facts& facts) const {
  const Node& node = nodes_[index];
  switch (node.op) {
    case Op::constant:
      return {true, node.number, {}};
    case Op::text:
      return {true, 0, texts_[node.index]};
    case Op::fact:
      return read_fact(node, facts);
    case Op::is_unknown:
      return {true, value_of(node.left, facts).known ? 0.0 : 1.0, {}};
    case Op::is_known:
      return {true, value_of(node.left, facts).known ? 1.0 : 0.0, {}};
    case Op::negation: {
      const Value inner = value_of(node.left, facts);
      return {inner.known, inner.number != 0 ? 0.0 : 1.0, {}};
    }
    case Op::conjunction:
    case Op::disjunction:
      return junction(node, facts);
    default:
      return binary(node, facts);
  }
}

// Kleene: one side that decides is enough, whatever the other is.
Expression::Value Expression::junction(const Node& node, const Facts& facts) const {
  const double decisive = node.op == Op::disjunction ? 1.0 : 0.0;
  const Value left = value_of(node.left, facts);
  if (left.known && left.number == decisive) return left;
  const Value right = value_of(node.right, facts);
  if (right.known && right.number == decisive) return right;
  return {left.known && right.known, 1.0 - decisive, {}};
}

double Expression::apply(const Node& node, const Value& left, const Value& right) {
  const bool text = node.type == FactType::text;
  switch (node.op) {
    case Op::equal:
      return text ? left.text == right.text : left.number == right.number;
    case Op::not_equal:
      return text ? left.text != right.text : left.number != right.number;
    case Op::less:
      return left.number < right.number;
    case Op::less_equal:
      return left.number <= right.number;
    case Op::greater:
      return left.number > right.number;
    case Op::greater_equal:
      return left.number >= right.number;
    case Op::add:
      return left.number + right.number;
    case Op::subtract:
      return left.number - right.number;
    case Op::multiply:
      return left.number * right.number;
    case Op::divide:
      return left.number / right.number;
    case Op::smaller:
      return std::min(left.number, right.number);
    case Op::larger:
      return std::max(left.number, right.number);
    case Op::contains:
      return left.text.find(right.text) != std::string_view::npos;
    case Op::matches:
      return glob_match(right.text, left.text);
    default:
      break;
  }
  GPUSEL_BUG(true);
  return 0;
}

Expression::Value Expression::binary(const Node& node, const Facts& facts) const {
  const Value left = value_of(node.left, facts);
  if (!left.known) return {};
  const Value right = value_of(node.right, facts);
  if (!right.known) return {};
  const double result = apply(node, left, right);
  return {std::isfinite(result), result, {}};  // a quotient by zero or an overflow is no value
}

}  // namespace gpusel::rules
