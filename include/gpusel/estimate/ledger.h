// One struct, two speeds: a result is a plain struct of quantities with one member per addend, and
// a constant table of terms over it. The search adds the members through the table; `explain`
// prints the same table.
//
//   struct Memory { Bytes weights, gradients; };
//   constexpr Term<Memory, Bytes> kTerms[] = {{"weights", "weights", &Memory::weights, "2 N / (t
//   p)"}, …}; Bytes all = total(memory, kTerms);
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpusel::estimate {

template <class S, class Q>
struct Term {
  std::string_view id;     // snake_case, the key in JSON
  std::string_view label;  // for people
  Q S::*member;
  std::string_view formula;  // as in docs/estimation.md
};

/// The only sum there is: what ranks is what is shown.
template <class S, class Q, std::size_t N>
constexpr Q total(const S& s, const Term<S, Q> (&terms)[N]) {
  Q sum{};
  for (const Term<S, Q>& t : terms) sum += s.*(t.member);
  return sum;
}

/// A named input of a formula, as text with its unit.
struct Input {
  std::string name;
  std::string value;
};

/// One line of a ledger in canonical units.
struct LedgerLine {
  std::string id;
  std::string label;
  double value = 0;
  std::string formula;
};

/// The terms of a figure with what went into them; the total is their sum.
struct Ledger {
  std::string id;    // memory, time, flops, cost
  std::string unit;  // bytes, s, flop, usd
  std::vector<LedgerLine> lines;
  std::vector<Input> inputs;
  [[nodiscard]] double total() const {
    double sum = 0;
    for (const LedgerLine& line : lines) sum += line.value;
    return sum;
  }
};

template <class S, class Q, std::size_t N>
Ledger ledger_of(std::string id, std::string unit, const S& s, const Term<S, Q> (&terms)[N]) {
  Ledger ledger{std::move(id), std::move(unit), {}, {}};
  for (const Term<S, Q>& t : terms) {
    ledger.lines.push_back({std::string(t.id), std::string(t.label), (s.*(t.member)).canonical(),
                            std::string(t.formula)});
  }
  return ledger;
}

}  // namespace gpusel::estimate
