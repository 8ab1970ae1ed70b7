// Facts: the named, typed values that rules speak of. The table is handed in; rules know no domain
// type.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace gpusel::rules {

/// The type of a fact or an expression. Quantities of different types don't compare.
enum class FactType {
  boolean,
  text,
  number,     // a plain number: a count, a version
  share,      // 0.25 is written 25 %
  size,       // bytes
  bandwidth,  // bytes per second
  compute,    // floating-point operations per second
  duration,   // seconds
  money,      // US dollars
  price,      // US dollars per second; written 3.5 USD/h
  power,      // watts
};
std::string_view name_of(FactType type);

/// When a fact becomes known; a rule is judged at the stage of its latest fact.
enum class Stage {
  offer,    // the offer and the request
  machine,  // and the number of nodes
  plan,     // and the estimate
  cost,     // and the price of it all
};
std::string_view name_of(Stage stage);

/// One row of the table: the name is the JSON path without its unit ending (`offer.gpu.memory`).
struct FactSpec {
  std::string_view name;
  FactType type;
  Stage stage;
  std::string_view doc;
  /// The texts that the fact can have, where they are a closed list: a rule that compares with
  /// another is wrong.
  std::span<const std::string_view> choices = {};
};
using FactTable = std::span<const FactSpec>;

/// The canonical value of the units layer (bytes, seconds, US dollars per second, a share as 0.25),
/// of the type that the table states: bool, double or text. nullopt where the fact is not known for
/// this candidate.
using FactValue = std::optional<std::variant<bool, double, std::string_view>>;

/// The values of one candidate: `get(subject, index of the fact in the table)`.
struct Facts {
  const void* subject = nullptr;
  FactValue (*get)(const void* subject, std::size_t fact) = nullptr;
  [[nodiscard]] FactValue value(std::size_t fact) const { return get(subject, fact); }
};

}  // namespace gpusel::rules
