// Prefix caches, draft tokens, and the format of the weights left to the search.
#include "catch.h"
#include "serving_sample.h"

#include <cmath>

using namespace gpusel;
using namespace gpusel::workload;
using workload::test::Options;
using workload::test::shipped;
using workload::test::with;
using workload::test::work;

namespace {

const Options kLlama = {{"model", "llama-3.1-70b"}};

struct Served {
  std::unique_ptr<const Workload> work;
  estimate::Plan plan;
  estimate::Estimate estimate;
};

Served served(const Options& options, const estimate::Machine& machine) {
  Served s;
  s.work = work("llm-inference", options);
  SearchCount count;
  const auto plan = s.work->search(machine, count);
  REQUIRE(plan);
  s.plan = *plan;
  s.estimate = s.work->explain(*plan, machine);
  return s;
}

estimate::Machine h100s(int count = 4) { return shipped().machine("nvidia-h100-sxm5-80gb", count); }

double tpot(const Served& s) { return units::in_seconds(s.plan.figures.tpot); }
double rate(const Served& s) { return units::in_items_per_second(s.plan.figures.throughput); }

std::string format_of(const Served& s) {
  const auto names = s.work->choice_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == "weights") return s.work->choice_text(i, s.plan.choices[i]);
  }
  return "";
}

std::string fault_of(const Options& options) {
  const auto made = test::make("llm-inference", with(kLlama, options));
  CHECK(made.work == nullptr);
  return made.faults.empty() ? "" : made.faults[0].message + " / " + made.faults[0].help;
}

}  // namespace

TEST_CASE("a prefix cache saves prompt work, and no memory", "[workload]") {
  const Options four = with(kLlama, {{"concurrency", "4"}, {"tp", "4"}});
  const Served plain = served(four, h100s());
  const Served cached = served(with(four, {{"cached-prompt", "75%"}}), h100s());
  CHECK(cached.plan.figures.ttft < plain.plan.figures.ttft);
  CHECK(cached.plan.figures.memory == plain.plan.figures.memory);
  CHECK(rate(served(with(kLlama, {{"cached-prompt", "75%"}}), h100s())) >
        1.5 * rate(served(kLlama, h100s())));
  // A quarter of the products, and the attention of the last quarter of the prompt.
  const auto flops = [](const Served& s, std::string_view id) {
    for (const estimate::LedgerLine& line : s.estimate.ledgers.back().lines) {
      if (line.id == id) return line.value;
    }
    return 0.0;
  };
  CHECK(flops(cached, "prompt") == Approx(flops(plain, "prompt") / 4));
  CHECK(flops(cached, "prompt_attention") ==
        Approx(flops(plain, "prompt_attention") * (1 - 0.75 * 0.75)));
}

TEST_CASE("draft tokens pay where few sequences run", "[workload]") {
  const Options one = with(kLlama, {{"concurrency", "1"}, {"tp", "4"}});
  const Served plain = served(one, h100s());
  const Served drafted = served(with(one, {{"speculative", "3@70%"}}), h100s());
  const double tokens = (1 - std::pow(0.7, 4)) / 0.3;  // arXiv 2211.17192, equation 1
  CHECK(tpot(plain) / tpot(drafted) < tokens);
  CHECK(tpot(plain) / tpot(drafted) > 0.8 * tokens);
  CHECK(drafted.plan.figures.memory > plain.plan.figures.memory);
  CHECK(test::total_of(drafted.estimate, "tpot") == Approx(tpot(drafted)));
  // With many sequences the verification of tokens that are thrown away costs as much as it saves.
  const Options many = with(kLlama, {{"concurrency", "100"}, {"tp", "4"}, {"ttft", "1min"}});
  const double gain =
      rate(served(with(many, {{"speculative", "3@70%"}}), h100s())) / rate(served(many, h100s()));
  CHECK(gain < 0.7 * tpot(plain) / tpot(drafted));
  // Drafts that are never right are worse than none.
  CHECK(tpot(served(with(one, {{"speculative", "3@1%"}}), h100s())) > tpot(plain));
  CHECK(tpot(served(with(one, {{"speculative", "2@100%"}}), h100s())) < tpot(plain) / 2);
}

TEST_CASE("the search may choose the format of the weights", "[workload]") {
  const Options automatic = {{"weights-dtype", "auto"}};
  // One 80 GB GPU holds 70B in 4 bits alone; four hold 16 bits, which carry a small rate.
  CHECK(format_of(served(with(kLlama, automatic), h100s(1))) == "int4");
  CHECK(format_of(served(with(kLlama, with(automatic, {{"rate", "0.2/s"}})), h100s(4))) == "bf16");
  const Served open = served(with(kLlama, automatic), h100s(4));
  CHECK(format_of(open) == "fp8");
  for (const char* format : {"bf16", "fp8", "int8", "int4"}) {
    const Served fixed = served(with(kLlama, {{"weights-dtype", format}}), h100s(4));
    CHECK(format_of(fixed).empty());
    CHECK(rate(open) * 1.05 >= rate(fixed));
  }
  // No fp8 on Ampere, and nothing wider than published.
  CHECK(format_of(served(with(kLlama, automatic), shipped().machine("nvidia-a100-sxm4-80gb", 1))) ==
        "int4");
  CHECK(format_of(served({{"model", "deepseek-v3"}, {"weights-dtype", "auto"}, {"rate", "0.01/s"}},
                         shipped().machine("nvidia-b200-sxm6-180gb", 8))) == "fp8");
}

TEST_CASE("a format left to the search never needs more nodes", "[workload]") {
  auto& s = shipped();
  const auto& node = s.node("nvidia-l40s-48gb", 2);
  const auto counts = [&](const Options& options) {
    return work("llm-inference", with(kLlama, with(options, {{"rate", "1/s"}})))
        ->node_counts(s.catalog, node)
        .front();
  };
  const int automatic = counts({{"weights-dtype", "auto"}});
  for (const char* format : {"bf16", "fp8", "int8", "int4"})
    CHECK(automatic <= counts({{"weights-dtype", format}}));
}

TEST_CASE("the bound holds for every format", "[workload]") {
  const Options options = with(kLlama, {{"weights-dtype", "auto"}, {"speculative", "4@90%"}});
  const auto machine = h100s(2);
  const Served s = served(options, machine);
  const auto bound = s.work->bound(machine);
  CHECK(bound.memory <= s.plan.figures.memory);
  CHECK(units::in_seconds(bound.time) <= 1 / rate(s));
}

TEST_CASE("faults of shares and drafts say what is expected", "[workload]") {
  using Catch::Matchers::Contains;
  CHECK_THAT(fault_of({{"cached-prompt", "100%"}}), Contains("below 100 %"));
  CHECK_THAT(fault_of({{"speculative", "3"}}), Contains("no accepted share") && Contains("3@70%"));
  CHECK_THAT(fault_of({{"speculative", "0@70%"}}), Contains("out of range"));
  CHECK_THAT(fault_of({{"speculative", "3@0%"}}), Contains("above 0"));
  CHECK_THAT(fault_of({{"speculative", "3@x"}}), Contains("accepted share"));
  CHECK_THAT(fault_of({{"weights-dtype", "fp9"}}), Contains("'published', 'auto'"));
}
