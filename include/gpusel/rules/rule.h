// Rules: `when` an expression over facts holds, an `effect` follows, `because` of a reason that
// people read.
//
//   RuleSet rules = load_rules(set, facts, sink);          // data files of kind `rule`
//   for (const Finding& f : rules.judge(Stage::offer, candidate)) …
#pragma once

#include "gpusel/base/id.h"
#include "gpusel/data/data_set.h"
#include "gpusel/data/file_shape.h"
#include "gpusel/rules/fact.h"
#include "gpusel/units/units.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gpusel::rules {

enum class Effect { reject, penalise, prefer, warn, advise };

class Expression;  // compiled; see expression.h

struct Rule {
  RuleId id;
  Effect effect = Effect::warn;
  std::optional<units::Ratio> by;  // penalise and prefer: how much of the score
  std::string because;             // lower case, no full stop: shown to people
  std::string help;                // what the user can do; may be empty
  std::string source;              // where the rule comes from; may be empty
  std::string when;                // the expression's text
  Stage stage = Stage::offer;
  std::shared_ptr<const Expression> expression;
  diag::Span span;
};

/// A rule that fired; it belongs to the set, which must live longer and may be moved but not copied
/// over.
struct Finding {
  const Rule* rule = nullptr;
};

/// One example of a rule file: facts by name, and whether the rule must fire on them.
struct Example {
  RuleId rule;
  std::size_t number = 0;  // from 1
  bool expected = false;
  bool fired = false;
  std::vector<std::string> unknown;  // facts that the rule reads and the example does not give
  diag::Span span;
};

class RuleSet {
 public:
  RuleSet() = default;
  explicit RuleSet(std::vector<Rule> rules);
  [[nodiscard]] std::span<const Rule> all() const { return rules_; }
  [[nodiscard]] const Rule* find(const RuleId& id) const;
  /// The rules of exactly this stage that fire, in the order of their ids. An unknown fact never
  /// fires a rule except through `is unknown`.
  [[nodiscard]] std::vector<Finding> judge(Stage stage, const Facts& facts) const;

 private:
  std::vector<Rule> rules_;  // sorted by id
};

/// Reads and checks every rule in force: an unknown fact, a wrong type or unit, a missing or false
/// example is an error with line and column. Rules with errors are left out.
RuleSet load_rules(data::DataSet& set, FactTable facts, diag::Sink& sink);
/// The shape of a file of kind `rule`.
extern const data::FileShape kRuleShape;

/// Every example of the rules in force with its outcome; a false one is not reported here. Rules
/// with another fault are reported and left out.
std::vector<Example> run_examples(data::DataSet& set, FactTable facts, diag::Sink& sink);

}  // namespace gpusel::rules

template <>
struct gpusel::data::EnumNames<gpusel::rules::Effect> {
  static constexpr std::array<std::pair<std::string_view, gpusel::rules::Effect>, 5> kNames = {
      {{"reject", gpusel::rules::Effect::reject},
       {"penalise", gpusel::rules::Effect::penalise},
       {"prefer", gpusel::rules::Effect::prefer},
       {"warn", gpusel::rules::Effect::warn},
       {"advise", gpusel::rules::Effect::advise}}};
};
