// Which models a machine holds, in which formats, and how long a sequence.
#include "gpusel/workload/holding.h"

#include "catch.h"
#include "serving_sample.h"

#include <algorithm>

using namespace gpusel;
using namespace gpusel::workload;
using workload::test::shipped;

namespace {

std::vector<FormatHolding> held(const char* model, const estimate::Machine& machine,
                                double context = 8192, const char* engine = "vllm") {
  auto& s = shipped();
  const ModelCard card = *load_models(s.set, s.faults).find(model);
  return Holdings::open(s.set, {engine, context}, s.faults)->of(card, machine);
}

const FormatHolding& of(const std::vector<FormatHolding>& all, std::string_view format) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const FormatHolding& h) { return h.format == format; });
  if (found == all.end()) throw std::invalid_argument(std::string(format));
  return *found;
}

std::vector<std::string> formats(const std::vector<FormatHolding>& all) {
  std::vector<std::string> names;
  for (const FormatHolding& h : all) names.push_back(h.format);
  return names;
}

}  // namespace

TEST_CASE("fewer bytes per weight leave room for longer and more sequences", "[workload]") {
  const auto all = held("llama-3.1-8b", shipped().machine("nvidia-l4-24gb", 1));
  const FormatHolding& wide = of(all, "bf16");
  const FormatHolding& narrow = of(all, "int4");
  CHECK(wide.sequences >= 1);
  CHECK(wide.longest > 8192);
  CHECK_FALSE(wide.bound_by_model);
  CHECK(narrow.longest > wide.longest);
  CHECK(narrow.sequences > wide.sequences);
  CHECK(of(held("llama-3.1-8b", shipped().machine("nvidia-h100-sxm5-80gb", 1)), "fp8")
            .bound_by_model);
}

TEST_CASE("the longest sequence fits as a request, and one token more does not", "[workload]") {
  const auto machine = shipped().machine("nvidia-l4-24gb", 1);
  const double longest = of(held("llama-3.1-8b", machine), "bf16").longest;
  const auto fits = [&](double tokens) {
    const std::string text = std::to_string(static_cast<int>(tokens));
    SearchCount count;
    return test::work("llm-inference", {{"model", "llama-3.1-8b"}, {"max-context", text}})
        ->search(machine, count)
        .has_value();
  };
  CHECK(fits(longest));
  CHECK_FALSE(fits(longest + 1));
}

TEST_CASE("what does not fit says what it needs; what the GPU lacks is named", "[workload]") {
  auto& s = shipped();
  const auto big = held("llama-3.1-70b", s.machine("nvidia-l4-24gb", 1));
  const FormatHolding& four_bit = of(big, "int4");
  REQUIRE(four_bit.misfit);
  CHECK(four_bit.misfit->resource == "gpu_memory");
  CHECK(four_bit.misfit->needed > four_bit.misfit->available);
  CHECK(four_bit.judgement.fit == estimate::Fit::does_not_fit);
  CHECK(four_bit.longest == 0);
  const auto old = held("llama-3.1-8b", s.machine("nvidia-a100-sxm4-40gb", 1));
  REQUIRE(of(old, "fp8").misfit);
  CHECK(of(old, "fp8").misfit->resource == "dtype");
  CHECK(of(old, "int8").sequences >= 1);
}

TEST_CASE("a sequence that is too long leaves the longest one that fits", "[workload]") {
  const auto all = held("llama-3.1-8b", shipped().machine("nvidia-l4-24gb", 1), 64000);
  const FormatHolding& wide = of(all, "bf16");
  CHECK(wide.sequences == 0);
  CHECK(wide.longest > 8192);
  REQUIRE(wide.misfit);
  CHECK(wide.misfit->resource == "gpu_memory");
  CHECK(of(all, "int4").sequences >= 1);
}

TEST_CASE("several GPUs hold what one does not, and replicas count", "[workload]") {
  auto& s = shipped();
  CHECK(of(held("llama-3.1-70b", s.machine("nvidia-h100-sxm5-80gb", 1)), "bf16").sequences == 0);
  const auto eight = held("llama-3.1-70b", s.machine("nvidia-h100-sxm5-80gb", 8));
  CHECK(of(eight, "bf16").sequences >= 1);
  CHECK(of(eight, "bf16").degrees.size() == 4);
  const double one = of(held("llama-3.1-8b", s.machine("nvidia-l4-24gb", 1)), "bf16").sequences;
  CHECK(of(held("llama-3.1-8b", s.machine("nvidia-l4-24gb", 4)), "bf16").sequences >= 4 * one);
}

TEST_CASE("formats are those of the engine and the published one, widest first", "[workload]") {
  const auto machine = shipped().machine("nvidia-h100-sxm5-80gb", 1);
  using Names = std::vector<std::string>;
  CHECK(formats(held("llama-3.1-8b", machine)) == Names{"bf16", "fp8", "int8", "int4"});
  CHECK(formats(held("gpt-oss-20b", machine)) == Names{"bf16", "fp8", "int8", "mxfp4", "int4"});
  CHECK(formats(held("llama-3.1-8b", machine, 8192, "llama.cpp")) ==
        Names{"bf16", "q8_0", "q6_k", "q5_k_m", "q4_k_m", "q3_k_m", "q2_k"});
  CHECK_FALSE(Holdings::open(shipped().set, {"vlm", 1}, shipped().faults));
}
