// Rule files: reading, examples, and the faults of both with their places.
#include "catch.h"
#include "facts_fixture.h"

#include "gpusel/rules/expression.h"
#include "gpusel/rules/rule.h"

#include <string>

using namespace gpusel;
using namespace gpusel::rules;
using rules::test::kFacts;

namespace {

struct Loaded {
  RuleSet rules;
  std::vector<diag::Diagnostic> faults;
};

data::DataSet open(const std::map<std::string, std::string>& files, diag::Sink& sink) {
  std::map<std::string, std::string> below;
  for (const auto& [name, text] : files) below["rules/" + name] = text;
  return data::DataSet::open({{data::Root::Kind::path, "rules"}}, memory_files(below), sink);
}

Loaded load(const std::map<std::string, std::string>& files) {
  diag::Buffer sink;
  data::DataSet set = open(files, sink);
  RuleSet rules = load_rules(set, kFacts, sink);
  return {std::move(rules), sink.sorted()};
}

Loaded load(const std::string& text) { return load({{"a.yaml", text}}); }

constexpr const char* kExamples =
    "examples:\n"
    "  - {facts: {cluster.nodes: 2}, expect: fires}\n"
    "  - {facts: {cluster.nodes: 1}, expect: silent}\n";

std::string rule_with(const std::string& lines) { return "rule: a\n" + lines + kExamples; }

// The single fault of a text, as "line:column+length code: message".
std::string fault_of(const std::string& text) {
  const Loaded loaded = load(text);
  if (loaded.faults.size() != 1) {
    std::string all = std::to_string(loaded.faults.size()) + " faults";
    for (const diag::Diagnostic& d : loaded.faults)
      all += "\n" + std::to_string(d.span.line) + ": " + d.message;
    return all;
  }
  if (!loaded.rules.all().empty()) return "the rule is in force";
  const diag::Diagnostic& d = loaded.faults[0];
  return std::to_string(d.span.line) + ":" + std::to_string(d.span.column) + "+" +
         std::to_string(d.span.length) + " " + d.code + ": " + d.message;
}

constexpr const char* kSpot =
    "rule: spot-needs-checkpoints\n"
    "when: offer.purchase == spot and estimate.duration > 6 h and not workload.checkpointing\n"
    "effect: reject\n"
    "because: a spot interruption would lose all work since the start\n"
    "examples:\n"
    "  - {facts: {offer.purchase: spot, estimate.duration: 40 h, workload.checkpointing: false}, "
    "expect: fires}\n"
    "  - {facts: {offer.purchase: spot, estimate.duration: 2 h, workload.checkpointing: false}, "
    "expect: silent}\n";

}  // namespace

TEST_CASE("a rule is read with all that it says", "[rules]") {
  const Loaded loaded = load(
      "rule: a\nwhen: cluster.nodes > 1\neffect: penalise\nby: 12.5 %\nbecause: it is slow\nhelp: "
      "use one node\n"
      "source: \"https://example.com/a\"\n" +
      std::string(kExamples));
  REQUIRE(loaded.faults.empty());
  REQUIRE(loaded.rules.all().size() == 1);
  const Rule& rule = loaded.rules.all()[0];
  CHECK(rule.id == RuleId("a"));
  CHECK(rule.effect == Effect::penalise);
  REQUIRE(rule.by);
  CHECK(rule.by->value == Approx(0.125));
  CHECK(rule.because == "it is slow");
  CHECK(rule.help == "use one node");
  CHECK(rule.source == "https://example.com/a");
  CHECK(rule.when == "cluster.nodes > 1");
  CHECK(rule.stage == Stage::machine);
  CHECK(rule.span.line == 1);
  CHECK(rule.span.source->name == "rules/a.yaml");
}

TEST_CASE("the parts that may be left out may be left out", "[rules]") {
  const Loaded loaded = load(kSpot);
  REQUIRE(loaded.faults.empty());
  REQUIRE(loaded.rules.all().size() == 1);
  CHECK_FALSE(loaded.rules.all()[0].by);
  CHECK(loaded.rules.all()[0].help.empty());
  CHECK(loaded.rules.all()[0].stage == Stage::plan);
}

TEST_CASE("a fault of the condition is shown where it stands", "[rules]") {
  const std::string rest = "\neffect: warn\nbecause: it is so\n";
  CHECK(fault_of(rule_with("when: cluster.nodes > 40 GiB" + rest)) ==
        "2:23+6 rule/type: 'cluster.nodes' is a number, '40 GiB' is a size");
  CHECK(fault_of(rule_with("when: 'cluster.nodes > 40 GiB'" + rest)) ==
        "2:24+6 rule/type: 'cluster.nodes' is a number, '40 GiB' is a size");
  CHECK(fault_of(rule_with("when: true and cluster.nods > 1" + rest)) ==
        "2:16+12 rule/unknown-fact: there is no fact 'cluster.nods'");
  CHECK(fault_of(rule_with("when: cluster.nodes > 1 and" + rest)) ==
        "2:28+1 rule/syntax: expected a value, found the end");
  CHECK(fault_of(rule_with("when: offer.purchase == spto" + rest)) ==
        "2:25+4 rule/unknown-value: 'offer.purchase' is never 'spto'");
  CHECK(fault_of(rule_with("when: cluster.nodes" + rest)) ==
        "2:7+13 rule/type: 'cluster.nodes' is a number, not a condition");
}

TEST_CASE("the place is right in a condition over several lines", "[rules]") {
  const std::string rest = "\neffect: warn\nbecause: it is so\n";
  const std::string fault = "+6 rule/type: 'cluster.nodes' is a number, '40 GiB' is a size";
  CHECK(fault_of(rule_with("when: true\n  and cluster.nodes > 40 GiB" + rest)) == "3:23" + fault);
  CHECK(fault_of(rule_with("when: >\n  true\n  and cluster.nodes > 40 GiB" + rest)) ==
        "4:23" + fault);
  CHECK(fault_of(rule_with("when: >-\n\n  true\n  and cluster.nodes > 40 GiB" + rest)) ==
        "5:23" + fault);
  CHECK(fault_of(rule_with("when: |  # why\n  true\n  and cluster.nodes > 40 GiB" + rest)) ==
        "4:23" + fault);
  CHECK(fault_of(rule_with("when: 'offer.region == ''x'' and\n  cluster.nodes > 40 GiB'" + rest)) ==
        "3:19" + fault);
  CHECK(fault_of(rule_with("when: 'offer.region == '''' and cluster.nodes > 40 GiB'" + rest)) ==
        "2:49" + fault);
  CHECK(fault_of(rule_with("when: offer.region == '' and cluster.nodes > 40 GiB" + rest)) ==
        "2:46" + fault);
  CHECK(fault_of(rule_with("when: \"true and cluster.nodes > 40 GiB\"" + rest)) == "2:33" + fault);
  // What an escape hides is shown as the whole scalar.
  CHECK(fault_of(rule_with("when: \"true \\x61nd cluster.nodes > 40 GiB\"" + rest)).substr(0, 4) ==
        "2:7+");
}

TEST_CASE("share and effect must agree", "[rules]") {
  const std::string head = "when: cluster.nodes > 1\nbecause: it is so\n";
  CHECK(fault_of(rule_with(head + "effect: penalise\n")) ==
        "4:9+8 rule/bad-by: effect 'penalise' needs a share of the score");
  CHECK(fault_of(rule_with(head + "effect: prefer\n")) ==
        "4:9+6 rule/bad-by: effect 'prefer' needs a share of the score");
  CHECK(fault_of(rule_with(head + "effect: reject\nby: 10 %\n")) ==
        "5:5+4 rule/bad-by: effect 'reject' takes no share of the score");
  CHECK(fault_of(rule_with(head + "effect: warn\nby: 10 %\n")) ==
        "5:5+4 rule/bad-by: effect 'warn' takes no share of the score");
  CHECK(fault_of(rule_with(head + "effect: penalise\nby: 0 %\n")) ==
        "5:5+3 rule/bad-by: '0 %' is not between 0 % and 100 %");
  CHECK(fault_of(rule_with(head + "effect: penalise\nby: 100 %\n")) ==
        "5:5+5 rule/bad-by: '100 %' is not between 0 % and 100 %");
  CHECK(fault_of(rule_with(head + "effect: penalise\nby: 10\n")).substr(0, 24) ==
        "5:5+2 data/bad-quantity:");
  CHECK(load(rule_with(head + "effect: prefer\nby: 10 %\n")).faults.empty());
  CHECK(load(rule_with(head + "effect: advise\n")).faults.empty());
}

TEST_CASE("keys are checked", "[rules]") {
  CHECK(fault_of(rule_with("when: cluster.nodes > 1\neffect: stop\nbecause: it is so\n"))
            .substr(0, 27) == "3:9+4 data/unknown-choice: ");
  CHECK(fault_of(rule_with("when: cluster.nodes > 1\neffect: warn\n")) ==
        "1:1+1 data/missing-key: key 'because' is missing");
  CHECK(fault_of(rule_with("when: cluster.nodes > 1\neffect: warn\nbecause: ''\n")).substr(0, 5) ==
        "4:10+");
  CHECK(load(rule_with("when: cluster.nodes > 1\neffect: warn\nbecause: ''\n"))
            .faults.at(0)
            .message == "the reason is empty");
  CHECK(fault_of(rule_with("when: cluster.nodes > 1\neffect: warn\nbecause: x\nhlep: y\n")) ==
        "5:1+4 data/unknown-key: unknown key 'hlep'");
  CHECK(fault_of(rule_with("effect: warn\nbecause: x\n")) ==
        "1:1+1 data/missing-key: key 'when' is missing");
}

TEST_CASE("both kinds of example must be there", "[rules]") {
  const std::string head = "rule: a\nwhen: cluster.nodes > 1\neffect: warn\nbecause: x\n";
  const std::string fires = "  - {facts: {cluster.nodes: 2}, expect: fires}\n";
  const std::string silent = "  - {facts: {cluster.nodes: 1}, expect: silent}\n";
  CHECK(fault_of(head + "examples:\n" + fires) ==
        "6:3+1 rule/missing-example: rule 'a' has no example where it stays silent");
  CHECK(fault_of(head + "examples:\n" + silent) ==
        "6:3+1 rule/missing-example: rule 'a' has no example where it fires");
  const Loaded none = load(head);
  REQUIRE(none.faults.size() == 2);
  CHECK(none.faults[0].code == "rule/missing-example");
  CHECK(none.faults[1].code == "rule/missing-example");
  CHECK(load(head + "examples: []\n").faults.size() == 2);
  CHECK(fault_of(head + "examples: none\n").substr(0, 24) == "5:11+4 data/wrong-kind: ");
  CHECK(load(head + "examples:\n" + fires + silent).faults.empty());
}

TEST_CASE("a false example is a fault at its line", "[rules]") {
  const std::string head =
      "rule: x\nwhen: cluster.nodes > 1 and workload.trains\neffect: warn\nbecause: y\nexamples:\n";
  const std::string fires =
      "  - {facts: {cluster.nodes: 2, workload.trains: true}, expect: fires}\n";
  const std::string silent =
      "  - {facts: {cluster.nodes: 1, workload.trains: true}, expect: silent}\n";
  CHECK(load(head + fires + silent).faults.empty());
  CHECK(fault_of(head + fires + silent +
                 "  - {facts: {cluster.nodes: 3, workload.trains: true}, expect: silent}\n") ==
        "8:5+1 rule/example-failed: example 3 of rule 'x' should stay silent but fires");
  const std::string open =
      head + fires + silent +
      "  - facts: {cluster.nodes: 3, workload.trains: unknown}\n    expect: fires\n";
  CHECK(fault_of(open) ==
        "8:5+1 rule/example-failed: example 3 of rule 'x' should fire but stays silent");
  CHECK(load(open).faults[0].help ==
        "correct the condition or the example: it leaves 'workload.trains' unknown");
  CHECK(load(open).faults[0].path == "$.examples[2]");
}

TEST_CASE("facts of examples have the types of the table", "[rules]") {
  const auto with = [](const std::string& fact) {
    return "rule: a\nwhen: cluster.nodes > 1\neffect: warn\nbecause: x\nexamples:\n"
           "  - {facts: {cluster.nodes: 2}, expect: fires}\n  - {facts: {" +
           fact + "}, expect: silent}\n";
  };
  CHECK(load(with("cluster.nodes: 1, offer.gpu.memory: 80 GiB, workload.trains: true, "
                  "offer.region: eu-west-3"))
            .faults.empty());
  CHECK(load(with("cost.total: 100 USD, cost.per_hour: 3.5 USD/h, estimate.mfu: 40 %, "
                  "offer.network.bandwidth: 400 Gbps"))
            .faults.empty());
  CHECK(load(with("cluster.nodes: unknown, offer.region: unknown, workload.trains: unknown"))
            .faults.empty());
  CHECK(fault_of(with("cluster.nods: 1")) ==
        "7:14+12 rule/unknown-fact: there is no fact 'cluster.nods'");
  CHECK(fault_of(with("cluster.nodes: one")) == "7:29+3 data/bad-number: 'one' is not a number");
  CHECK(fault_of(with("offer.gpu.memory: 80")) == "7:32+2 data/bad-quantity: '80' has no unit");
  CHECK(fault_of(with("offer.gpu.memory: 80 h")) ==
        "7:35+1 data/bad-quantity: 'h' is not a unit of a size");
  CHECK(fault_of(with("workload.trains: yes")) ==
        "7:31+3 data/bad-boolean: 'yes' is not true or false");
  CHECK(fault_of(with("offer.purchase: spto")) ==
        "7:30+4 rule/unknown-value: 'offer.purchase' is never 'spto'");
  CHECK(fault_of(with("offer.region: [a]")).substr(0, 24) == "7:28+1 data/wrong-kind: ");
  // In quotes it is the text.
  CHECK(fault_of(with("offer.purchase: 'unknown'")).substr(0, 25) == "7:31+7 rule/unknown-value");
}

TEST_CASE("an example needs facts and an expectation", "[rules]") {
  const std::string head = rule_with("when: cluster.nodes > 1\neffect: warn\nbecause: x\n");
  CHECK(fault_of(head + "  - {expect: silent}\n") ==
        "8:5+1 data/missing-key: key 'facts' is missing");
  CHECK(fault_of(head + "  - {facts: {cluster.nodes: 1}}\n") ==
        "8:5+1 data/missing-key: key 'expect' is missing");
  CHECK(fault_of(head + "  - {facts: none, expect: silent}\n") ==
        "8:13+4 data/wrong-kind: expected facts by name, found 'none'");
  CHECK(fault_of(head + "  - {facts: {cluster.nodes: 1}, expect: quiet}\n").substr(0, 28) ==
        "8:41+5 data/unknown-choice: ");
  CHECK(fault_of(head + "  - {facts: {}, expect: silent, why: so}\n") ==
        "8:33+3 data/unknown-key: unknown key 'why'");
  CHECK(fault_of(head + "  - fires\n").substr(0, 23) == "8:5+5 data/wrong-kind: ");
}

TEST_CASE("all faults of all files come in one run, and sound rules stay", "[rules]") {
  const Loaded loaded = load({
      {"a.yaml",
       "rule: a\nwhen: cluster.nods > 1\neffect: penalise\nbecause: x\nexamples:\n  - {facts: "
       "{cluster.nodes: two}, expect: fires}\n"},
      {"b.yaml", "rule: b\nwhen: (true\neffect: warn\nbecause: x\n" + std::string(kExamples)},
      {"c.yaml", kSpot},
  });
  std::string codes;
  for (const diag::Diagnostic& d : loaded.faults) codes += d.code + "@" + d.span.source->name + " ";
  CHECK(codes ==
        "rule/unknown-fact@rules/a.yaml rule/bad-by@rules/a.yaml rule/missing-example@rules/a.yaml "
        "data/bad-number@rules/a.yaml rule/syntax@rules/b.yaml ");
  REQUIRE(loaded.rules.all().size() == 1);
  CHECK(loaded.rules.all()[0].id == RuleId("spot-needs-checkpoints"));
}

TEST_CASE("examples can be run for a report", "[rules]") {
  diag::Buffer sink;
  data::DataSet set =
      open({{"x.yaml", "rule: x\nwhen: cluster.nodes > 1\neffect: warn\nbecause: y\n" +
                           std::string(kExamples) + "  - {facts: {}, expect: fires}\n"},
            {"y.yaml", "rule: y\nwhen: what\n"}},
           sink);
  const std::vector<Example> examples = run_examples(set, kFacts, sink);
  REQUIRE(examples.size() == 3);
  CHECK(examples[0].rule == RuleId("x"));
  CHECK(examples[0].number == 1);
  CHECK((examples[0].expected && examples[0].fired));
  CHECK((!examples[1].expected && !examples[1].fired));
  CHECK(examples[2].number == 3);
  CHECK((examples[2].expected && !examples[2].fired));
  CHECK(examples[2].unknown == std::vector<std::string>{"cluster.nodes"});
  CHECK(examples[2].span.line == 8);
  for (const diag::Diagnostic& d : sink.all()) CHECK(d.span.source->name == "rules/y.yaml");
  CHECK(sink.has_errors());
}
