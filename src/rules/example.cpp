#include "example.h"

#include "value_text.h"

#include "gpusel/base/suggest.h"
#include "gpusel/data/field.h"

#include <algorithm>
#include <string>

namespace gpusel::rules {
namespace {

constexpr const char* kForm = "write '- {facts: {offer.purchase: spot}, expect: fires}'";

struct ExampleFile {
  Expect expect = Expect::fires;
};
constexpr data::Field<ExampleFile> kExample[] = {
    data::field<&ExampleFile::expect>("expect", "fires or silent", "fires")};
constexpr std::string_view kFactsKey = "facts";
constexpr std::string_view kOtherKeys[] = {kFactsKey};

// The facts of one example; those that it does not name are unknown. Texts are those of the
// document.
using ExampleFacts = std::vector<FactValue>;

FactValue fact_of(const void* subject, std::size_t fact) {
  return (*static_cast<const ExampleFacts*>(subject))[fact];
}

// The value of one fact; nullopt after a report.
std::optional<FactValue> read_number(data::NodeRef node, FactType type,
                                     const data::Reader& reader) {
  const auto text = data::scalar_text(node, reader, with_article(type));
  if (!text) return std::nullopt;
  const Result<double> value = parse_value(type, *text);
  if (value) return FactValue(*value);
  Error error = value.error();
  if (error.help.empty()) error.help = how_to_write(type);
  reader.fault(type == FactType::number ? "data/bad-number" : "data/bad-quantity", node, error);
  return std::nullopt;
}

std::optional<FactValue> read_text(data::NodeRef node, const FactSpec& fact,
                                   const data::Reader& reader) {
  const auto text = data::scalar_text(node, reader, "a text");
  if (!text) return std::nullopt;
  if (const std::optional<Error> error = unknown_choice(*text, fact)) {
    reader.fault("rule/unknown-value", node, *error);
    return std::nullopt;
  }
  return FactValue(*text);
}

std::optional<FactValue> read_value(data::NodeRef node, const FactSpec& fact,
                                    const data::Reader& reader) {
  if (node.kind() == data::NodeKind::plain && node.text() == "unknown") return FactValue();
  if (fact.type == FactType::text) return read_text(node, fact, reader);
  if (is_numeric(fact.type)) return read_number(node, fact.type, reader);
  const std::optional<bool> truth = data::ValueReader<bool>::read(node, reader);
  if (!truth) return std::nullopt;
  return FactValue(*truth);
}

std::optional<ExampleFacts> read_facts(data::NodeRef example, FactTable facts,
                                       const data::Reader& reader) {
  const std::optional<data::NodeRef> node = example.find(kFactsKey);
  if (!node) {
    data::report_missing_key(example, kFactsKey, "the facts by name", reader);
    return std::nullopt;
  }
  const data::Reader at = reader.at(kFactsKey);
  if (!node->is_map()) {
    at.error("data/wrong-kind", node->span(), "expected facts by name, found " + node->describe(),
             kForm);
    return std::nullopt;
  }
  ExampleFacts values(facts.size());
  bool good = true;
  for (auto it = node->begin(); it != node->end(); ++it) {
    const std::string_view name = it.key().text();
    const std::optional<std::size_t> fact = find_fact(name, facts);
    if (!fact) {
      at.fault("rule/unknown-fact", it.key(), unknown_fact(name, facts));
      good = false;
      continue;
    }
    const std::optional<FactValue> value = read_value(*it, facts[*fact], at.at(name));
    if (value) values[*fact] = *value;
    good = good && value.has_value();
  }
  if (!good) return std::nullopt;
  return values;
}

std::vector<std::string> missing_facts(const ExampleFacts& values, const Expression& expression,
                                       FactTable facts) {
  std::vector<std::string> names;
  for (const std::size_t fact : expression.facts()) {
    if (!values[fact]) names.emplace_back(facts[fact].name);
  }
  return names;
}

// One example, run; nullopt after a report.
std::optional<Example> read_example(data::NodeRef node, const Expression* expression,
                                    FactTable facts, const data::Reader& reader) {
  const auto file = data::read_record<ExampleFile>(node, kExample, reader, kOtherKeys);
  if (!node.is_map()) return std::nullopt;
  const std::optional<ExampleFacts> values = read_facts(node, facts, reader);
  if (!file || !values) return std::nullopt;
  Example example;
  example.expected = file->expect == Expect::fires;
  example.span = node.span();
  if (expression == nullptr) return example;
  example.fired = expression->evaluate({&*values, &fact_of}) == Truth::yes;
  example.unknown = missing_facts(*values, *expression, facts);
  return example;
}

bool expects(data::NodeRef list, Expect expect) {
  for (const data::NodeRef node : list) {
    const std::optional<data::NodeRef> value = node.find("expect");
    if (value && value->is_scalar() && data::enum_of<Expect>(value->text()) == expect) return true;
  }
  return false;
}

// One of each kind shows that the rule can fire and that it can be silent.
bool report_missing(const diag::Span& span, const RuleId& id, const std::string& kind,
                    const data::Reader& reader) {
  reader.error("rule/missing-example", span,
               "rule '" + id.text() + "' has no example where it " + kind, kForm);
  return false;
}

}  // namespace

std::vector<data::KeyShape> example_keys() {
  std::vector<data::KeyShape> keys{
      {kFactsKey,
       "facts by name; those left out are unknown",
       data::Presence::required,
       {"facts", "{offer.purchase: spot, estimate.duration: 8 h}", {}, data::ValueType::record}}};
  for (const data::KeyShape& key : kExample) keys.push_back(key);
  return keys;
}

ExampleReading read_examples(data::NodeRef rule, const RuleId& id, const Expression* expression,
                             FactTable facts, const data::Reader& reader) {
  ExampleReading reading;
  const std::optional<data::NodeRef> list = rule.find("examples");
  const data::Reader at = reader.at("examples");
  if (list && !list->is_list()) {
    at.error("data/wrong-kind", list->span(),
             "expected a list of examples, found " + list->describe(), kForm);
    reading.good = false;
    return reading;
  }
  const diag::Span span = list ? list->span() : rule.span();
  if (!list || !expects(*list, Expect::fires)) reading.good = report_missing(span, id, "fires", at);
  if (!list || !expects(*list, Expect::silent))
    reading.good = report_missing(span, id, "stays silent", at);
  if (!list) return reading;
  std::size_t index = 0;
  for (const data::NodeRef node : *list) {
    std::optional<Example> example = read_example(node, expression, facts, at.at(index++));
    reading.good = reading.good && example.has_value();
    if (!example) continue;
    example->rule = id;
    example->number = index;
    reading.examples.push_back(std::move(*example));
  }
  return reading;
}

void report_failed(const Example& example, const data::Reader& reader) {
  const std::string outcome =
      example.expected ? "should fire but stays silent" : "should stay silent but fires";
  const std::string unknown =
      example.unknown.empty() ? ""
                              : ": it leaves " + quoted_list(example.unknown, "and") + " unknown";
  reader.at("examples")
      .at(example.number - 1)
      .error("rule/example-failed", example.span,
             "example " + std::to_string(example.number) + " of rule '" + example.rule.text() +
                 "' " + outcome,
             "correct the condition or the example" + unknown);
}

}  // namespace gpusel::rules
