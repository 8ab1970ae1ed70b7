#include "gpusel/base/bug.h"
#include "gpusel/rules/expression.h"
#include "gpusel/rules/rule.h"

#include <algorithm>

namespace gpusel::rules {

RuleSet::RuleSet(std::vector<Rule> rules) : rules_(std::move(rules)) {
  for (const Rule& rule : rules_) GPUSEL_BUG(rule.expression == nullptr);
  std::sort(rules_.begin(), rules_.end(), [](const Rule& a, const Rule& b) { return a.id < b.id; });
}

const Rule* RuleSet::find(const RuleId& id) const {
  const auto found =
      std::lower_bound(rules_.begin(), rules_.end(), id,
                       [](const Rule& rule, const RuleId& wanted) { return rule.id < wanted; });
  return found != rules_.end() && found->id == id ? &*found : nullptr;
}

std::vector<Finding> RuleSet::judge(Stage stage, const Facts& facts) const {
  std::vector<Finding> findings;
  for (const Rule& rule : rules_) {
    if (rule.stage == stage && rule.expression->evaluate(facts) == Truth::yes)
      findings.push_back({&rule});
  }
  return findings;
}

}  // namespace gpusel::rules
