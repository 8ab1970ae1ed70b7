#include "example.h"
#include "place.h"

#include "gpusel/rules/expression.h"
#include "gpusel/rules/rule.h"

#include <algorithm>
#include <string>

namespace gpusel::rules {
namespace {

// What a rule file says beside its condition and its examples.
struct RuleFile {
  RuleId id;
  std::string when;
  Effect effect = Effect::warn;
  std::optional<units::Ratio> by;
  std::string because;
  std::string help;
  std::string source;
};
constexpr data::Field<RuleFile> kRule[] = {
    data::field<&RuleFile::id>("rule", "the rule's id", "no-long-spot-jobs"),
    data::field<&RuleFile::when>("when", "the condition, an expression over facts",
                                 "offer.purchase == spot and estimate.duration > 6 h"),
    data::field<&RuleFile::effect>("effect", "what follows when the condition holds", "warn"),
    data::field<&RuleFile::by>(
        "by", "how much of the score a rule takes or gives; with penalise and prefer only",
        data::kNoExample),
    data::field<&RuleFile::because>("because", "the reason, shown to people",
                                    "a long job is likely to be interrupted"),
    data::optional_field<&RuleFile::help>("help", "what the user can do",
                                          "save checkpoints more often than once an hour"),
    data::optional_field<&RuleFile::source>("source", "where the rule comes from: a text or URL")};
constexpr data::FilePart kParts[] = {
    {"examples", "facts by name, and whether the rule fires on them", data::FilePart::Form::list,
     &example_keys, data::Presence::required,
     "  - {facts: {offer.purchase: spot, estimate.duration: 2 h}, expect: silent}"}};

struct RuleReading {
  std::optional<Rule> rule;  // nothing after a report
  std::vector<Example> examples;
};

std::shared_ptr<const Expression> compile(data::NodeRef file, FactTable facts,
                                          const data::Reader& reader) {
  const std::optional<data::NodeRef> node = file.find("when");
  if (!node || !node->is_scalar()) return nullptr;  // the field table reports it
  Expected<Expression, ExpressionFault> expression = Expression::compile(node->text(), facts);
  if (expression) return std::make_shared<const Expression>(*std::move(expression));
  const ExpressionFault& fault = expression.error();
  reader.at("when").error(fault.code, place_of(*node, fault.error.offset, fault.error.length),
                          fault.error.message, fault.error.help);
  return nullptr;
}

bool takes_share(Effect effect) { return effect == Effect::penalise || effect == Effect::prefer; }

// `by` belongs to the effects that move the score, and to no other.
bool check_by(data::NodeRef file, const data::Reader& reader) {
  const std::optional<data::NodeRef> effect = file.find("effect");
  const std::optional<data::NodeRef> by = file.find("by");
  if (!effect || !effect->is_scalar()) return true;  // the field table reports it
  const std::optional<Effect> what = data::enum_of<Effect>(effect->text());
  if (!what) return true;
  const std::string name = "effect '" + std::string(effect->text()) + "'";
  if (takes_share(*what) && !by) {
    reader.at("by").error("rule/bad-by", effect->span(), name + " needs a share of the score",
                          "add 'by: 10 %'");
    return false;
  }
  if (!takes_share(*what) && by) {
    reader.at("by").error("rule/bad-by", by->span(), name + " takes no share of the score",
                          "remove 'by'");
    return false;
  }
  if (!by || !by->is_scalar()) return true;
  const Result<units::Ratio> share = units::parse<units::Ratio>(by->text());
  if (!share || (share->value > 0 && share->value < 1)) return true;
  reader.at("by").error(
      "rule/bad-by", by->span(), "'" + std::string(by->text()) + "' is not between 0 % and 100 %",
      "write a share such as 10 %; an offer that can't be used is for effect 'reject'");
  return false;
}

bool check_reason(data::NodeRef file, const data::Reader& reader) {
  const std::optional<data::NodeRef> because = file.find("because");
  if (!because || !because->is_scalar() || !because->text().empty()) return true;
  reader.at("because").error("data/empty-value", because->span(), "the reason is empty",
                             "say why the rule holds");
  return false;
}

RuleReading read_rule(const data::DataFile& file, FactTable facts, diag::Sink& sink) {
  const data::Reader reader(sink, "$");
  const data::NodeRef root = file.document->root();
  const auto record =
      data::read_record<RuleFile>(root, kRule, reader, data::other_keys(kRuleShape));
  const bool sound_by = check_by(root, reader);
  const bool sound_reason = check_reason(root, reader);
  std::shared_ptr<const Expression> expression = compile(root, facts, reader);
  const RuleId id(file.id);
  ExampleReading examples = read_examples(root, id, expression.get(), facts, reader);
  if (!record || !sound_by || !sound_reason || !expression || !examples.good) return {};
  RuleReading reading;
  reading.examples = std::move(examples.examples);
  reading.rule = Rule{id,           record->effect,           record->by,   record->because,
                      record->help, record->source,           record->when, expression->stage(),
                      expression,   root.begin().key().span()};
  return reading;
}

}  // namespace

constinit const data::FileShape kRuleShape{"rule", "a rule, with its reason and its examples",
                                           &data::key_shapes<kRule>, kParts};

RuleSet load_rules(data::DataSet& set, FactTable facts, diag::Sink& sink) {
  std::vector<Rule> rules;
  for (const data::DataFile* file : set.files("rule")) {
    RuleReading reading = read_rule(*file, facts, sink);
    if (!reading.rule) continue;
    bool good = true;
    for (const Example& example : reading.examples) {
      if (example.fired == example.expected) continue;
      report_failed(example, data::Reader(sink, "$"));
      good = false;
    }
    if (good) rules.push_back(std::move(*reading.rule));
  }
  return RuleSet(std::move(rules));
}

std::vector<Example> run_examples(data::DataSet& set, FactTable facts, diag::Sink& sink) {
  std::vector<Example> all;
  for (const data::DataFile* file : set.files("rule")) {
    RuleReading reading = read_rule(*file, facts, sink);
    std::move(reading.examples.begin(), reading.examples.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace gpusel::rules
