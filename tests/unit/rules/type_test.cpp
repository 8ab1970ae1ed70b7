// Names and types in expressions.
#include "catch.h"
#include "expression_faults.h"

#include <string>

using namespace gpusel;
using namespace gpusel::rules;
using rules::test::check_fault;
using rules::test::compiles;
using rules::test::fault_of;
using rules::test::FaultCase;
using rules::test::kFacts;

TEST_CASE("a type fault points at the operand and names both types", "[rules]") {
  const FaultCase c = GENERATE(values<FaultCase>({
      {"estimate.duration > 40 GiB", 20, 6,
       "'estimate.duration' is a duration, '40 GiB' is a size"},
      {"40 GiB < estimate.duration", 0, 6, "'40 GiB' is a size, 'estimate.duration' is a duration"},
      {"estimate.duration > cost.total", 20, 10,
       "'estimate.duration' is a duration, 'cost.total' is an amount of money"},
      {"estimate.mfu > 0.4", 15, 3, "'estimate.mfu' is a share, '0.4' is a number"},
      {"cost.per_hour > 3 USD", 16, 5,
       "'cost.per_hour' is a price per hour, '3 USD' is an amount of money"},
      {"offer.purchase == true", 18, 4, "'offer.purchase' is a text, 'true' is a boolean"},
      {"workload.checkpointing == 'yes'", 26, 5,
       "'workload.checkpointing' is a boolean, ''yes'' is a text"},
      {"offer.purchase < 'spot'", 0, 14, "'offer.purchase' is a text and has no order"},
      {"workload.trains >= true", 0, 15, "'workload.trains' is a boolean and has no order"},
      {"estimate.duration", 0, 17, "'estimate.duration' is a duration, not a condition"},
      {"true and estimate.duration", 9, 17, "'estimate.duration' is a duration, not a condition"},
      {"estimate.duration or true", 0, 17, "'estimate.duration' is a duration, not a condition"},
      {"not cluster.nodes", 4, 13, "'cluster.nodes' is a number, not a condition"},
      {"not (cluster.nodes + 1)", 4, 19, "'(cluster.nodes + 1)' is a number, not a condition"},
      {"estimate.duration + 1 > 6 h", 20, 1, "'estimate.duration' is a duration, '1' is a number"},
      {"1 h - 1 GiB > 1 h", 6, 5, "'1 h' is a duration, '1 GiB' is a size"},
      {"estimate.duration * 2 h > 6 h", 20, 3,
       "'estimate.duration' is a duration, '2 h' is a duration: they have no product"},
      {"8 / 2 h > 1", 4, 3, "'8' is a number, '2 h' is a duration: they have no quotient"},
      {"offer.purchase + 1 > 2", 0, 14, "'offer.purchase' is a text, not a number or quantity"},
      {"min(1 h, 2) > 1 h", 9, 1, "'1 h' is a duration, '2' is a number"},
      {"max(true, false)", 4, 4, "'true' is a boolean, not a number or quantity"},
      {"contains(offer.gpu.count, '8')", 9, 15, "'offer.gpu.count' is a number, not a text"},
      {"matches('a', 1)", 13, 1, "'1' is a number, not a text"},
      {"(cluster.nodes + 1) is unknown", 0, 19, "'(cluster.nodes + 1)' is not a fact"},
      {"5 is known", 0, 1, "'5' is not a fact"},
  }));
  check_fault(c, "rule/type");
}

TEST_CASE("the help of a type fault shows how the type is written", "[rules]") {
  CHECK(fault_of("estimate.mfu > 0.4").error.help == "write a share such as 20 %");
  CHECK(fault_of("40 < offer.gpu.memory").error.help == "write a size such as 40 GiB");
  CHECK(fault_of("cluster.nodes > 4 GiB").error.help == "write a plain number without a unit");
}

TEST_CASE("long operands are cut in messages", "[rules]") {
  const std::string message =
      fault_of(
          "offer.region == 'x' and offer.gpu.count + 'a text of more than forty characters' > 1")
          .error.message;
  CHECK(message == "''a text of more than forty characters'' is a text, not a number or quantity");
  const std::string longer =
      fault_of(
          "offer.gpu.count + 'a text of more than forty characters, even without its quotes' > 1")
          .error.message;
  CHECK(longer ==
        "''a text of more than forty characters, e…' is a text, not a number or quantity");
}

TEST_CASE("arithmetic keeps the types of quantities", "[rules]") {
  CHECK(compiles("estimate.duration * 2 > 6 h"));
  CHECK(compiles("2 * estimate.duration > 6 h"));
  CHECK(compiles("estimate.memory_per_gpu + 2 GiB > offer.gpu.memory"));
  CHECK(compiles("estimate.memory_per_gpu / offer.gpu.memory > 0.9"));
  CHECK(compiles("estimate.memory_per_gpu > 90 % * offer.gpu.memory"));
  CHECK(compiles("estimate.memory_per_gpu > offer.gpu.memory * 90 %"));
  CHECK(compiles("estimate.memory_per_gpu / 90 % > offer.gpu.memory"));
  CHECK(compiles("estimate.mfu * 2 > 80 %"));
  CHECK(compiles("2 * estimate.mfu > 80 %"));
  CHECK(compiles("estimate.mfu / 2 > 10 %"));
  CHECK(compiles("max(estimate.mfu, 10 %) > 20 %"));
  CHECK(compiles("cluster.tp * cluster.pp == cluster.gpus"));
}

TEST_CASE("an unknown name has suggestions from the table", "[rules]") {
  const ExpressionFault fault = fault_of("true and offer.purchsae == spot");
  CHECK(fault.code == "rule/unknown-fact");
  CHECK(fault.error.message == "there is no fact 'offer.purchsae'");
  CHECK(fault.error.help == "did you mean 'offer.purchase'?");
  CHECK(fault.error.offset == 9);
  CHECK(fault.error.length == 14);
  // A hyphen joins words: a minus sign needs spaces.
  CHECK(fault_of("estimate.duration-6 h > 1 h").code == "rule/syntax");
  CHECK(fault_of("cluster.nodes-1 > 1").error.help == "did you mean 'cluster.nodes'?");
  CHECK(fault_of("nowhere is unknown").error.offset == 0);
  CHECK(fault_of("nowhere").code == "rule/unknown-fact");
  CHECK(fault_of("contains(offer.region, west)").error.help.find("single quotes") !=
        std::string::npos);
}

TEST_CASE("a bare word is a text beside a text only", "[rules]") {
  CHECK(compiles("offer.purchase == spot"));
  CHECK(compiles("spot == offer.purchase"));
  CHECK(compiles("workload.kind != llm-train"));
  CHECK(compiles("'a' == b"));
  CHECK(compiles("offer.gpu.id == offer.gpu.family"));  // two facts
  CHECK(fault_of("offer.gpu.count == eight").error.message == "there is no fact 'eight'");
  CHECK(fault_of("spot == sport").error.message == "there is no fact 'spot'");
  // A word with a dot means a fact.
  CHECK(fault_of("offer.region == offer.regoin").error.help == "did you mean 'offer.region'?");
  CHECK(compiles("offer.region == 'eu.west'"));
}

TEST_CASE("a text that a fact never has is a fault", "[rules]") {
  const ExpressionFault fault = fault_of("workload.trains and offer.purchase == spto");
  CHECK(fault.code == "rule/unknown-value");
  CHECK(fault.error.message == "'offer.purchase' is never 'spto'");
  CHECK(fault.error.help == "did you mean 'spot'?");
  CHECK(fault.error.offset == 38);
  CHECK(fault.error.length == 4);
  CHECK(fault_of("'preemptible-vm' != offer.virtualization").error.help ==
        "it is one of 'vm', 'bare-metal', 'vgpu' or 'container'");
  CHECK(fault_of("workload.dtype != 'BF16'").code == "rule/unknown-value");
  CHECK(compiles("offer.provider == any-new-provider"));  // an open list
}
