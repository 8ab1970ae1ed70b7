#include "lexer.h"

#include "gpusel/base/number.h"
#include "gpusel/base/text.h"

#include <algorithm>
#include <array>
#include <optional>

namespace gpusel::rules {
namespace {

constexpr std::array<std::string_view, 8> kKeywords = {"or",      "and",   "not",  "is",
                                                       "unknown", "known", "true", "false"};

// Two characters before one: `<=` is not `<`.
constexpr std::array<std::string_view, 13> kSymbols = {"==", "!=", "<=", ">=", "<", ">", "+",
                                                       "-",  "*",  "/",  "(",  ")", ","};

// What people write who know another language.
struct Foreign {
  std::string_view text;
  const char* help;
};
constexpr std::array kForeign = {Foreign{"&&", "write 'and'"}, Foreign{"||", "write 'or'"},
                                 Foreign{"=", "write '==' to compare"},
                                 Foreign{"!", "write 'not', or '!=' to compare"},
                                 Foreign{"\"", "a text stands in single quotes: 'spot'"}};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_word_part(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Expected<std::vector<Token>, ExpressionFault> run() {
    for (skip_spaces(at_); at_ < text_.size(); skip_spaces(at_)) {
      if (!take()) return Unexpected<ExpressionFault>(std::move(*fault_));
    }
    const std::size_t end = tokens_.empty() ? 0 : tokens_.back().offset + tokens_.back().length;
    tokens_.push_back({TokenKind::end, end, 1, {}});
    return std::move(tokens_);
  }

 private:
  [[nodiscard]] char peek(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }

  void skip_spaces(std::size_t& at) const {
    while (at < text_.size() && is_space(text_[at])) ++at;
  }

  void add(TokenKind kind, std::size_t length) {
    tokens_.push_back({kind, at_, length, text_.substr(at_, length)});
    at_ += length;
  }

  bool fail(std::string message, std::string help, std::size_t length) {
    fault_ = syntax_fault(std::move(message), std::move(help), at_, length);
    return false;
  }

  bool take() {
    const char c = text_[at_];
    if (is_letter(c) || c == '_') {
      add(TokenKind::word, word_length(at_));
      return true;
    }
    if (is_digit(c) || (c == '$' && is_digit(peek(at_ + 1)))) return take_number();
    if (c == '\'') return take_text();
    for (const std::string_view symbol : kSymbols) {
      if (!text_.substr(at_).starts_with(symbol)) continue;
      add(TokenKind::symbol, symbol.size());
      return true;
    }
    return refuse();
  }

  // Dots and hyphens join parts of a word: `offer.gpu.count`, `on-demand`.
  [[nodiscard]] std::size_t word_length(std::size_t start) const {
    std::size_t at = start;
    while (at < text_.size()) {
      const bool joint = (text_[at] == '.' || text_[at] == '-') && is_word_part(peek(at + 1));
      if (!joint && !is_word_part(text_[at])) break;
      ++at;
    }
    return at - start;
  }

  // `GiB`, `USD/h`, `%`: a slash belongs to the unit only where a letter follows at once.
  [[nodiscard]] std::size_t unit_length(std::size_t start) const {
    if (peek(start) == '%') return 1;
    std::size_t at = start;
    while (is_letter(peek(at)) || (at > start && is_digit(peek(at)))) ++at;
    if (at > start && peek(at) == '/' && is_letter(peek(at + 1))) {
      ++at;
      while (is_letter(peek(at))) ++at;
    }
    return at - start;
  }

  bool take_number() {
    const std::size_t dollar = text_[at_] == '$' ? 1 : 0;
    const NumberPrefix number = number_prefix(text_.substr(at_ + dollar));
    if (number.length == 0) {
      const std::size_t length = dollar + word_length(at_ + dollar);
      return fail("'" + std::string(text_.substr(at_, length)) + "' is not a number",
                  "write a plain decimal number such as 8 or 0.25", length);
    }
    const std::size_t end = at_ + dollar + number.length;
    if (dollar > 0) {
      const std::size_t slash = peek(end) == '/' && is_letter(peek(end + 1)) ? 1 : 0;
      add(TokenKind::quantity, end + slash + unit_length(end + slash) - at_);
      return true;
    }
    std::size_t unit = end;
    skip_spaces(unit);
    const std::size_t length = unit_length(unit);
    if (length == 0 || is_keyword(text_.substr(unit, length))) {
      add(TokenKind::number, number.length);
    } else {
      add(TokenKind::quantity, unit + length - at_);
    }
    return true;
  }

  bool take_text() {
    const std::size_t close = text_.find('\'', at_ + 1);
    if (close == std::string_view::npos) {
      return fail("the text that begins here is not closed", "add the closing quote",
                  text_.size() - at_);
    }
    tokens_.push_back(
        {TokenKind::text, at_, close + 1 - at_, text_.substr(at_ + 1, close - at_ - 1)});
    at_ = close + 1;
    return true;
  }

  bool refuse() {
    for (const Foreign& foreign : kForeign) {
      if (!text_.substr(at_).starts_with(foreign.text)) continue;
      return fail("'" + std::string(foreign.text) + "' is not part of the language", foreign.help,
                  foreign.text.size());
    }
    std::size_t length = 1;  // one whole UTF-8 character
    while ((static_cast<unsigned char>(peek(at_ + length)) & 0xC0U) == 0x80U) ++length;
    return fail("'" + printable(text_.substr(at_, length)) + "' is not part of the language",
                "a text stands in single quotes", length);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
  std::optional<ExpressionFault> fault_;
};

}  // namespace

bool is_keyword(std::string_view word) {
  return std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end();
}

ExpressionFault syntax_fault(std::string message, std::string help, std::size_t offset,
                             std::size_t length) {
  return {"rule/syntax", {std::move(message), std::move(help), offset, length}};
}

Expected<std::vector<Token>, ExpressionFault> tokenize(std::string_view text) {
  return Lexer(text).run();
}

}  // namespace gpusel::rules
