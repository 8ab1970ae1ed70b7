// Checker: names and types of a parsed expression; what passes can be evaluated without a further
// check.
#pragma once

#include "parser.h"

#include <string>
#include <string_view>
#include <vector>

namespace gpusel::rules {

struct CheckedNodes {
  std::vector<Expression::Node> nodes;
  std::vector<std::string> texts;
};

/// `text` is the one that the nodes were parsed from.
Expected<CheckedNodes, ExpressionFault> check_expression(std::string_view text,
                                                         const std::vector<SyntaxNode>& syntax,
                                                         FactTable facts);

}  // namespace gpusel::rules
