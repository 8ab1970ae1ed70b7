#include "parser.h"

#include "lexer.h"
#include "value_text.h"

#include "gpusel/base/number.h"
#include "gpusel/base/text.h"

#include <array>
#include <optional>
#include <span>

namespace gpusel::rules {
namespace {

struct Operator {
  std::string_view text;
  Op op;
};
constexpr std::array kOr = {Operator{"or", Op::disjunction}};
constexpr std::array kAnd = {Operator{"and", Op::conjunction}};
constexpr std::array kComparisons = {
    Operator{"==", Op::equal},      Operator{"!=", Op::not_equal},
    Operator{"<=", Op::less_equal}, Operator{">=", Op::greater_equal},
    Operator{"<", Op::less},        Operator{">", Op::greater}};
constexpr std::array kSums = {Operator{"+", Op::add}, Operator{"-", Op::subtract}};
constexpr std::array kProducts = {Operator{"*", Op::multiply}, Operator{"/", Op::divide}};
constexpr std::array kFunctions = {Operator{"min", Op::smaller}, Operator{"max", Op::larger},
                                   Operator{"contains", Op::contains},
                                   Operator{"matches", Op::matches}};

using Index = std::optional<std::uint32_t>;

class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  Expected<std::vector<SyntaxNode>, ExpressionFault> run() {
    const Index root = disjunction();
    if (root && here().kind != TokenKind::end) {
      unexpected("expected 'and', 'or' or the end, found " + shown(here()),
                 is_comparison(here()) ? "comparisons don't chain: write a < b and b < c" : "");
    }
    if (fault_) return Unexpected<ExpressionFault>(std::move(*fault_));
    return std::move(nodes_);
  }

 private:
  using Level = Index (Parser::*)();

  [[nodiscard]] const Token& here() const { return tokens_[at_]; }
  [[nodiscard]] bool sees(std::string_view text) const {
    return (here().kind == TokenKind::symbol || here().kind == TokenKind::word) &&
           here().text == text;
  }
  bool accept(std::string_view text) {
    if (!sees(text)) return false;
    ++at_;
    return true;
  }
  [[nodiscard]] static bool is_comparison(const Token& token) {
    for (const Operator& o : kComparisons) {
      if (token.kind == TokenKind::symbol && token.text == o.text) return true;
    }
    return false;
  }
  [[nodiscard]] static std::string shown(const Token& token) {
    return token.kind == TokenKind::end ? "the end" : "'" + printable(token.text) + "'";
  }

  Index unexpected(std::string message, std::string help) {
    if (!fault_)
      fault_ = syntax_fault(std::move(message), std::move(help), here().offset, here().length);
    return std::nullopt;
  }
  Index too_complex(std::string message, const Token& token) {
    if (!fault_) {
      fault_ = ExpressionFault{
          "rule/too-complex",
          {std::move(message), "split it into several rules", token.offset, token.length}};
    }
    return std::nullopt;
  }

  Index add(const SyntaxNode& node) {
    if (nodes_.size() == kMaxExpressionNodes) {
      return too_complex("the expression has more than " + std::to_string(kMaxExpressionNodes) +
                             " values and operators",
                         tokens_[at_ > 0 ? at_ - 1 : 0]);
    }
    nodes_.push_back(node);
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }

  // A node over tokens from `begin` up to the last one taken.
  Index add_over(Op op, std::size_t begin, std::uint32_t left, std::uint32_t right) {
    const Token& last = tokens_[at_ - 1];
    return add(
        {op, FactType::boolean, left, right, 0, {}, begin, last.offset + last.length - begin});
  }

  // Operators of one level group to the left.
  Index chain(Level next, std::span<const Operator> operators) {
    Index left = (this->*next)();
    while (left) {
      const std::optional<Op> op = take(operators);
      if (!op) return left;
      const Index right = (this->*next)();
      if (!right) return right;
      left = add_over(*op, nodes_[*left].offset, *left, *right);
    }
    return left;
  }
  std::optional<Op> take(std::span<const Operator> operators) {
    for (const Operator& o : operators) {
      if (accept(o.text)) return o.op;
    }
    return std::nullopt;
  }

  Index disjunction() { return chain(&Parser::conjunction, kOr); }
  Index conjunction() { return chain(&Parser::negation, kAnd); }
  Index sum() { return chain(&Parser::product, kSums); }
  Index product() { return chain(&Parser::operand, kProducts); }

  // One level deeper; the fault stands at the token that opens it.
  template <class F>
  Index nested(const Token& opening, F&& inner) {
    if (depth_ == kMaxExpressionDepth) {
      return too_complex(
          "the expression is nested deeper than " + std::to_string(kMaxExpressionDepth) + " levels",
          opening);
    }
    ++depth_;
    const Index result = inner();
    --depth_;
    return result;
  }

  Index negation() {
    const Token& opening = here();
    if (!accept("not")) return comparison();
    const Index inner = nested(opening, [this] { return negation(); });
    if (!inner) return inner;
    return add_over(Op::negation, opening.offset, *inner, 0);
  }

  Index comparison() {
    const Index left = sum();
    if (!left) return left;
    if (accept("is")) return knowledge(*left);
    const std::optional<Op> op = take(kComparisons);
    if (!op) return left;
    const Index right = sum();
    if (!right) return right;
    return add_over(*op, nodes_[*left].offset, *left, *right);
  }

  Index knowledge(std::uint32_t of) {
    const bool unknown = sees("unknown");
    if (!unknown && !sees("known")) {
      return unexpected("expected 'known' or 'unknown' after 'is', found " + shown(here()),
                        "write '==' to compare values");
    }
    ++at_;
    return add_over(unknown ? Op::is_unknown : Op::is_known, nodes_[of].offset, of, 0);
  }

  Index operand() {
    const Token& token = here();
    switch (token.kind) {
      case TokenKind::number:
        return constant(FactType::number, number_prefix(token.text).value);
      case TokenKind::quantity:
        return quantity();
      case TokenKind::text:
        ++at_;
        return add(leaf(Op::text, token));
      case TokenKind::word:
        return word();
      case TokenKind::symbol:
        if (token.text == "(") return parenthesis();
        break;
      case TokenKind::end:
        break;
    }
    return unexpected(
        "expected a value, found " + shown(token),
        token.text == "-" ? "no fact is negative: write the comparison without '-'" : "");
  }

  [[nodiscard]] static SyntaxNode leaf(Op op, const Token& token) {
    return {op, FactType::boolean, 0, 0, 0, token.text, token.offset, token.length};
  }

  Index constant(FactType type, double number) {
    SyntaxNode node = leaf(Op::constant, here());
    node.type = type;
    node.number = number;
    ++at_;
    return add(node);
  }

  Index quantity() {
    const Result<TypedNumber> value = parse_quantity(here().text);
    if (value) return constant(value->type, value->value);
    const Error& error = value.error();
    fault_ = syntax_fault(error.message, error.help, here().offset + error.offset, error.length);
    return std::nullopt;
  }

  Index word() {
    const Token& token = here();
    if (token.text == "true" || token.text == "false") {
      return constant(FactType::boolean, token.text == "true" ? 1 : 0);
    }
    for (const Operator& function : kFunctions) {
      const Token& next = tokens_[at_ + 1];
      if (token.text == function.text && next.kind == TokenKind::symbol && next.text == "(")
        return call(function);
    }
    if (is_keyword(token.text)) {
      return unexpected("expected a value, found " + shown(token),
                        "'" + std::string(token.text) +
                            "' is a word of the language; a text needs single quotes");
    }
    ++at_;
    return add(leaf(Op::fact, token));
  }

  Index parenthesis() {
    const Token& opening = here();
    ++at_;
    const Index inner = nested(opening, [this] { return disjunction(); });
    if (!inner) return inner;
    if (!sees(")")) return unexpected("expected ')', found " + shown(here()), "");
    ++at_;
    nodes_[*inner].offset = opening.offset;
    nodes_[*inner].length = tokens_[at_ - 1].offset + 1 - opening.offset;
    return inner;
  }

  Index call(const Operator& function) {
    const Token& name = here();
    at_ += 2;
    const auto argument = [this] { return disjunction(); };
    const Index left = nested(name, argument);
    if (!left) return left;
    const std::string both = "'" + std::string(function.text) + "' takes two values in parentheses";
    if (!accept(",")) return unexpected("expected ',', found " + shown(here()), both);
    const Index right = nested(name, argument);
    if (!right) return right;
    if (!accept(")")) return unexpected("expected ')', found " + shown(here()), both);
    return add_over(function.op, name.offset, *left, *right);
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::vector<SyntaxNode> nodes_;
  std::optional<ExpressionFault> fault_;
};

}  // namespace

Expected<std::vector<SyntaxNode>, ExpressionFault> parse_expression(std::string_view text) {
  if (code_points(text) > kMaxExpressionLength) {
    return ExpressionFault{
        "rule/too-complex",
        {"the expression is longer than " + std::to_string(kMaxExpressionLength) + " characters",
         "split it into several rules", 0, text.size()}};
  }
  Expected<std::vector<Token>, ExpressionFault> tokens = tokenize(text);
  if (!tokens) return tokens.error();
  return Parser(*std::move(tokens)).run();
}

}  // namespace gpusel::rules
