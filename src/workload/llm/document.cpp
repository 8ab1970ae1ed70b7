#include "document.h"

#include "gpusel/estimate/kernels.h"
#include "gpusel/units/format.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpusel::workload::llm {
namespace {

using estimate::Bound;
using estimate::DoesNotFit;
using estimate::Estimate;
using estimate::Machine;
using estimate::Plan;
using estimate::Verdict;

class DocumentWorkload final : public Workload {
 public:
  explicit DocumentWorkload(DocumentWork work) : work_(std::move(work)) {}

  [[nodiscard]] std::string_view kind() const override { return work_.kind; }
  [[nodiscard]] Nature nature() const override { return work_.nature; }
  [[nodiscard]] const Traits& traits() const override { return work_.traits; }
  [[nodiscard]] std::string_view throughput_unit() const override { return work_.throughput_unit; }
  [[nodiscard]] std::span<const std::string_view> choice_names() const override { return {}; }
  [[nodiscard]] std::string choice_text(std::size_t, int value) const override {
    return fmt::format("{}", value);
  }
  [[nodiscard]] const std::vector<Field>& fields() const override { return work_.fields; }
  [[nodiscard]] const std::vector<estimate::Assumption>& assumptions() const override {
    return work_.assumptions;
  }
  [[nodiscard]] std::vector<int> node_counts(const catalog::Catalog&,
                                             const catalog::Hardware&) const override {
    return work_.node_counts;
  }

  [[nodiscard]] Bound bound(const Machine& machine) const override {
    const auto rate = peak(machine);
    if (!rate) return {};
    return {memory(), duration(machine, *rate)};
  }

  [[nodiscard]] Verdict<Plan> search(const Machine& machine, SearchCount& count) const override {
    ++count.evaluated;
    const auto rate = peak(machine);
    if (!rate)
      return DoesNotFit{"dtype", 0, 0, "no dense 16-bit rate is known", "choose another GPU"};
    Plan plan;
    plan.figures.memory = memory();
    plan.figures.capacity = machine.gpu_memory();
    if (plan.figures.memory > plan.figures.capacity) {
      return DoesNotFit{
          "gpu_memory", units::in_bytes(plan.figures.memory),
          units::in_bytes(plan.figures.capacity),
          fmt::format("needs {} per GPU, has {}", units::show_gib(plan.figures.memory),
                      units::show_gib(plan.figures.capacity)),
          "a GPU with more memory"};
    }
    plan.figures.flops = pass_flops() * work_.passes;
    plan.figures.step = pass_flops() / (*rate * machine.gpus());
    plan.figures.throughput = units::items(work_.sequence * work_.batch) / plan.figures.step;
    if (work_.nature == Nature::job) plan.figures.duration = plan.figures.step * work_.passes;
    plan.figures.mfu = 1;
    plan.figures.format = *estimate::half_format(*machine.gpu);
    return plan;
  }

  [[nodiscard]] Estimate explain(const Plan& plan, const Machine& machine) const override {
    Estimate estimate;
    estimate.ledgers.push_back(
        {"memory",
         "bytes",
         {{"parameters", "parameters", work_.params * kDocumentValueBytes, "params x 4"},
          {"tokens", "tokens", work_.batch * work_.sequence * kDocumentValueBytes,
           "batch x sequence x 4"}},
         inputs(machine)});
    estimate.ledgers.push_back({"time",
                                "s",
                                {{"products", "products", units::in_seconds(plan.figures.step),
                                  "FLOP / (GPUs x dense peak)"}},
                                inputs(machine)});
    estimate.ledgers.push_back(
        {"flops",
         "flop",
         {{"forward", "forward pass", units::in_flops(pass_flops()) * work_.passes,
           "params x 2 x sequence x batch x passes"}},
         inputs(machine)});
    estimate.basis = "rule-of-thumb formulas to the letter; they do not hold against measured runs";
    estimate.assumptions = work_.assumptions;
    estimate.rule_of_thumb_memory = memory();
    estimate.rule_of_thumb_flops = pass_flops();
    estimate.rule_of_thumb_note =
        "the formulas of this estimate: no gradients, optimizer, activations, cache or losses";
    return estimate;
  }

 private:
  [[nodiscard]] units::Bytes memory() const {
    return document_memory(work_.params, work_.sequence, work_.batch);
  }
  [[nodiscard]] units::Flops pass_flops() const {
    return document_flops(work_.params, work_.sequence, work_.batch);
  }
  [[nodiscard]] static std::optional<units::FlopsPerSecond> peak(const Machine& machine) {
    if (machine.gpu == nullptr) return std::nullopt;
    const auto half = estimate::half_format(*machine.gpu);
    return half ? machine.gpu->peak[*half] : std::nullopt;
  }
  [[nodiscard]] units::Seconds duration(const Machine& machine, units::FlopsPerSecond rate) const {
    return pass_flops() / (rate * machine.gpus()) * work_.passes;
  }
  [[nodiscard]] std::vector<estimate::Input> inputs(const Machine& machine) const {
    return {{"params", units::show_count(work_.params)},
            {"sequence", fmt::format("{:.0f} tokens", work_.sequence)},
            {"batch", fmt::format("{:.0f} sequences", work_.batch)},
            {"passes", fmt::format("{:.0f}", work_.passes)},
            {"gpus", fmt::format("{}", machine.gpus())}};
  }

  DocumentWork work_;
};

}  // namespace

std::unique_ptr<const Workload> make_document_workload(DocumentWork work) {
  return std::make_unique<DocumentWorkload>(std::move(work));
}

}  // namespace gpusel::workload::llm
