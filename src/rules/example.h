// Examples of a rule: facts by name, and whether the rule must fire on them.
#pragma once

#include "gpusel/data/value_reader.h"
#include "gpusel/rules/expression.h"
#include "gpusel/rules/rule.h"

#include <optional>
#include <vector>

namespace gpusel::rules {

enum class Expect { fires, silent };

struct ExampleReading {
  std::vector<Example> examples;  // those without a fault; run if the expression is there
  bool good = true;               // false after a report
};

/// Reads the `examples` of a rule and runs each against its expression. A fault of form, and an
/// example that is missing, is reported; a false outcome is not.
ExampleReading read_examples(data::NodeRef rule, const RuleId& id, const Expression* expression,
                             FactTable facts, const data::Reader& reader);

/// The keys of an example, for the shape of a rule's file.
std::vector<data::KeyShape> example_keys();

/// Reports an example whose outcome is not the expected one.
void report_failed(const Example& example, const data::Reader& reader);

}  // namespace gpusel::rules

template <>
struct gpusel::data::EnumNames<gpusel::rules::Expect> {
  static constexpr std::array<std::pair<std::string_view, gpusel::rules::Expect>, 2> kNames = {
      {{"fires", gpusel::rules::Expect::fires}, {"silent", gpusel::rules::Expect::silent}}};
};
