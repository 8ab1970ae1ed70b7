#include "checker.h"

#include "value_text.h"

#include "gpusel/base/text.h"

#include <optional>

namespace gpusel::rules {
namespace {

constexpr const char* kType = "rule/type";

class Checker {
 public:
  Checker(std::string_view text, const std::vector<SyntaxNode>& syntax, FactTable facts)
      : text_(text), syntax_(syntax), facts_(facts), named_(syntax.size(), true) {}

  // Operands stand before their operators, so one pass forward meets every operand first.
  Expected<CheckedNodes, ExpressionFault> run() {
    for (std::size_t i = 0; i < syntax_.size(); ++i) {
      result_type_.push_back(FactType::boolean);
      out_.nodes.push_back({syntax_[i].op, syntax_[i].type, syntax_[i].left, syntax_[i].right, 0,
                            syntax_[i].number});
      if (!check(i)) return Unexpected<ExpressionFault>(std::move(*fault_));
    }
    const std::size_t root = syntax_.size() - 1;
    if (!resolve(root) || !expect_boolean(root))
      return Unexpected<ExpressionFault>(std::move(*fault_));
    return std::move(out_);
  }

 private:
  [[nodiscard]] FactType type_of(std::size_t i) const { return result_type_[i]; }

  // A part of the expression for messages: short, on one line.
  [[nodiscard]] std::string shown(std::size_t i) const {
    constexpr std::size_t kLongest = 40;
    const std::string_view part = text_.substr(syntax_[i].offset, syntax_[i].length);
    const std::string_view start = prefix_of_width(part, kLongest);
    return "'" + printable(start) + (start.size() < part.size() ? "…" : "") + "'";
  }
  [[nodiscard]] std::string typed(std::size_t i) const {
    return shown(i) + " is " + with_article(type_of(i));
  }

  bool fail(const char* code, std::size_t at, std::string message, std::string help) {
    fault_ = ExpressionFault{
        code, {std::move(message), std::move(help), syntax_[at].offset, syntax_[at].length}};
    return false;
  }

  bool check(std::size_t i) {
    const std::size_t left = syntax_[i].left;
    const std::size_t right = syntax_[i].right;
    switch (syntax_[i].op) {
      case Op::constant:
        return give(i, syntax_[i].type);
      case Op::text:
        return make_text(i);
      case Op::fact:
        return find(i);
      case Op::is_unknown:
      case Op::is_known:
        return knowledge(i, left);
      case Op::negation:
        return resolve(left) && expect_boolean(left);
      case Op::conjunction:
      case Op::disjunction:
        return resolve(left) && resolve(right) && expect_boolean(left) && expect_boolean(right);
      case Op::equal:
      case Op::not_equal:
        return equality(i, left, right);
      case Op::less:
      case Op::less_equal:
      case Op::greater:
      case Op::greater_equal:
        return order(i, left, right);
      case Op::add:
      case Op::subtract:
      case Op::smaller:
      case Op::larger:
        return numeric(left, right) && same_type(left, right) && give(i, type_of(left));
      case Op::multiply:
        return product(i, left, right);
      case Op::divide:
        return quotient(i, left, right);
      case Op::contains:
      case Op::matches:
        return texts(left, right);
    }
    return false;
  }

  bool give(std::size_t i, FactType type) {
    result_type_[i] = type;
    out_.nodes[i].type = type;
    return true;
  }

  bool make_text(std::size_t i) {
    out_.nodes[i].op = Op::text;
    out_.nodes[i].index = out_.texts.size();
    out_.texts.emplace_back(syntax_[i].text);
    return give(i, FactType::text);
  }

  // A name that no fact has may yet be a text, if a comparison says so.
  bool find(std::size_t i) {
    const std::optional<std::size_t> fact = find_fact(syntax_[i].text, facts_);
    named_[i] = fact.has_value();
    if (!fact) return true;
    out_.nodes[i].index = *fact;
    return give(i, facts_[*fact].type);
  }

  bool resolve(std::size_t i) {
    if (named_[i]) return true;
    const Error error = unknown_fact(syntax_[i].text, facts_);
    return fail("rule/unknown-fact", i, error.message, error.help);
  }

  bool knowledge(std::size_t i, std::size_t of) {
    if (!resolve(of)) return false;
    if (syntax_[of].op != Op::fact) {
      return fail(kType, of, shown(of) + " is not a fact", "only a fact can be known or unknown");
    }
    return give(i, FactType::boolean);
  }

  bool expect_boolean(std::size_t i) {
    if (type_of(i) == FactType::boolean) return true;
    return fail(kType, i, typed(i) + ", not a condition", "compare it with a value");
  }

  bool same_type(std::size_t left, std::size_t right) {
    if (type_of(left) == type_of(right)) return true;
    // The fault is the literal, where one side is: facts are what they are.
    const bool literal_left =
        out_.nodes[left].op == Op::constant || out_.nodes[left].op == Op::text;
    const bool literal_right =
        out_.nodes[right].op == Op::constant || out_.nodes[right].op == Op::text;
    const std::size_t at = literal_left && !literal_right ? left : right;
    return fail(kType, at, typed(left) + ", " + typed(right),
                how_to_write(type_of(at == left ? right : left)));
  }

  // A bare word beside a text is a text; dots are for facts.
  bool take_word(std::size_t word, std::size_t other) {
    if (named_[word]) return true;
    const bool beside_text = named_[other] && type_of(other) == FactType::text;
    if (!beside_text || syntax_[word].text.find('.') != std::string_view::npos)
      return resolve(word);
    named_[word] = true;
    return make_text(word);
  }

  bool equality(std::size_t i, std::size_t left, std::size_t right) {
    // Two names that no fact has: the first one is reported.
    if (!take_word(left, right) || !take_word(right, left) || !same_type(left, right)) return false;
    if (!possible(left, right) || !possible(right, left)) return false;
    out_.nodes[i].type = type_of(left);
    return true;
  }

  bool possible(std::size_t fact, std::size_t text) {
    if (out_.nodes[fact].op != Op::fact || out_.nodes[text].op != Op::text) return true;
    const std::optional<Error> error =
        unknown_choice(syntax_[text].text, facts_[out_.nodes[fact].index]);
    return !error || fail("rule/unknown-value", text, error->message, error->help);
  }

  bool order(std::size_t i, std::size_t left, std::size_t right) {
    if (!resolve(left) || !resolve(right)) return false;
    for (const std::size_t side : {left, right}) {
      if (is_numeric(type_of(side))) continue;
      return fail(kType, side, typed(side) + " and has no order", "compare it with == or !=");
    }
    if (!same_type(left, right)) return false;
    out_.nodes[i].type = type_of(left);
    return true;
  }

  bool numeric(std::size_t left, std::size_t right) {
    if (!resolve(left) || !resolve(right)) return false;
    for (const std::size_t side : {left, right}) {
      if (!is_numeric(type_of(side))) {
        return fail(kType, side, typed(side) + ", not a number or quantity",
                    "texts and booleans have no arithmetic");
      }
    }
    return true;
  }

  static bool is_factor(FactType type) {
    return type == FactType::number || type == FactType::share;
  }

  // A number or a share scales anything; a number does not change what a share is.
  bool product(std::size_t i, std::size_t left, std::size_t right) {
    if (!numeric(left, right)) return false;
    if (type_of(left) == FactType::number ||
        (is_factor(type_of(left)) && !is_factor(type_of(right)))) {
      return give(i, type_of(right));
    }
    if (is_factor(type_of(right))) return give(i, type_of(left));
    return fail(kType, right, typed(left) + ", " + typed(right) + ": they have no product",
                "multiply by a number or a share");
  }

  bool quotient(std::size_t i, std::size_t left, std::size_t right) {
    if (!numeric(left, right)) return false;
    if (type_of(right) == FactType::number) return give(i, type_of(left));
    if (type_of(left) == type_of(right)) return give(i, FactType::number);
    if (type_of(right) == FactType::share) return give(i, type_of(left));
    return fail(kType, right, typed(left) + ", " + typed(right) + ": they have no quotient",
                "divide by a number, a share or a value of the same type");
  }

  bool texts(std::size_t left, std::size_t right) {
    if (!resolve(left) || !resolve(right)) return false;
    for (const std::size_t side : {left, right}) {
      if (type_of(side) != FactType::text)
        return fail(kType, side, typed(side) + ", not a text", how_to_write(FactType::text));
    }
    return true;
  }

  std::string_view text_;
  const std::vector<SyntaxNode>& syntax_;
  FactTable facts_;
  std::vector<bool> named_;  // false: a name that no fact has
  std::vector<FactType> result_type_;
  CheckedNodes out_;
  std::optional<ExpressionFault> fault_;
};

}  // namespace

Expected<CheckedNodes, ExpressionFault> check_expression(std::string_view text,
                                                         const std::vector<SyntaxNode>& syntax,
                                                         FactTable facts) {
  return Checker(text, syntax, facts).run();
}

}  // namespace gpusel::rules
