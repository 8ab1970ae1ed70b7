// Lexer: the text of an expression as tokens with their places.
#pragma once

#include "gpusel/rules/expression.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace gpusel::rules {

enum class TokenKind {
  word,      // `and`, `offer.purchase`, `on-demand`
  number,    // `8`, `0.5`
  quantity,  // `40 GiB`, `20 %`, `$3.5/h`
  text,      // in single quotes, which the token's text leaves out
  symbol,    // `==`, `(`
  end,
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::size_t offset = 0;  // with the quotes of a text
  std::size_t length = 0;
  std::string_view text;
};

/// The tokens of a text; the last one is of kind `end`.
Expected<std::vector<Token>, ExpressionFault> tokenize(std::string_view text);

/// True for `and`, `is`, `true` …: words that are neither facts nor texts.
bool is_keyword(std::string_view word);

ExpressionFault syntax_fault(std::string message, std::string help, std::size_t offset,
                             std::size_t length);

}  // namespace gpusel::rules
