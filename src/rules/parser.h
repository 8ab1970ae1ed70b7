// Parser: tokens as a flat tree, each node behind its operands. Types and names are checked later.
#pragma once

#include "gpusel/rules/expression.h"

#include <string_view>
#include <vector>

namespace gpusel::rules {

struct SyntaxNode {
  Op op = Op::constant;
  FactType type = FactType::boolean;  // of a constant
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  double number = 0;       // of a constant
  std::string_view text;   // of a text; the name of a fact, which may turn out to be a text
  std::size_t offset = 0;  // in the expression, parentheses included
  std::size_t length = 0;
};

/// The root is the last node.
Expected<std::vector<SyntaxNode>, ExpressionFault> parse_expression(std::string_view text);

}  // namespace gpusel::rules
