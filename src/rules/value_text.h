// Values as text: the units of every fact type, for expressions and for examples.
#pragma once

#include "gpusel/base/expected.h"
#include "gpusel/rules/fact.h"

#include <optional>
#include <string>
#include <string_view>

namespace gpusel::rules {

/// "a size", "an amount of money": for messages.
std::string with_article(FactType type);

/// True for numbers, shares and quantities.
bool is_numeric(FactType type);

/// `40 GiB`, `90 %` or a plain number as a value of exactly this numeric type.
Result<double> parse_value(FactType type, std::string_view text);

struct TypedNumber {
  FactType type = FactType::number;
  double value = 0;
};
/// A number with a unit: the unit decides the type. The error's offset is that of the unit in
/// `text`.
Result<TypedNumber> parse_quantity(std::string_view text);

/// How a value of this type is written, for help texts: "write a size such as 40 GiB".
std::string how_to_write(FactType type);

/// A fact's row, if the table has the name.
std::optional<std::size_t> find_fact(std::string_view name, FactTable facts);
/// What is wrong with a name that no fact has, and the help for it.
Error unknown_fact(std::string_view name, FactTable facts);
/// What is wrong with a text that the fact can't have; nullopt when it can.
std::optional<Error> unknown_choice(std::string_view text, const FactSpec& fact);

}  // namespace gpusel::rules
