#include "train_workload.h"

#include "document.h"
#include "training_search.h"

#include <fmt/format.h>

namespace gpusel::workload::llm {
namespace {

using estimate::Bound;
using estimate::Estimate;
using estimate::Machine;
using estimate::Plan;
using estimate::Verdict;

class TrainWorkload final : public Workload {
 public:
  explicit TrainWorkload(TrainRequest request) : request_(std::move(request)) {}

  [[nodiscard]] std::string_view kind() const override { return request_.kind; }
  [[nodiscard]] Nature nature() const override { return Nature::job; }
  [[nodiscard]] const Traits& traits() const override { return request_.traits; }
  [[nodiscard]] std::string_view throughput_unit() const override { return "tokens/s"; }
  [[nodiscard]] std::span<const std::string_view> choice_names() const override {
    return kChoiceNames;
  }
  [[nodiscard]] std::string choice_text(std::size_t index, int value) const override {
    if (index < kChoiceNames.size() && kChoiceNames[index] == "recompute") {
      return std::string(data::name_of(static_cast<Recompute>(value)));
    }
    return fmt::format("{}", value);
  }
  [[nodiscard]] const std::vector<Field>& fields() const override { return request_.fields; }
  [[nodiscard]] const std::vector<estimate::Assumption>& assumptions() const override {
    return request_.assumptions;
  }
  [[nodiscard]] std::vector<int> node_counts(const catalog::Catalog&,
                                             const catalog::Hardware&) const override {
    return node_counts_of(request_);
  }

  [[nodiscard]] Bound bound(const Machine& machine) const override {
    if (TrainingModel::refusal(request_.job, machine)) return {};
    const TrainingModel model(request_.job, machine);
    return {model.least_memory(), model.least_step() * request_.job.steps()};
  }

  [[nodiscard]] Verdict<Plan> search(const Machine& machine, SearchCount& count) const override {
    if (auto refusal = TrainingModel::refusal(request_.job, machine)) return *std::move(refusal);
    const TrainingModel model(request_.job, machine);
    const units::Bytes comfortable = machine.gpu_memory() / interval_of(model, machine).memory_high;
    const SearchResult found = search_layouts(model, count, comfortable);
    if (!found.found) return explain_misfit(model, machine, found);
    return plan_of(model, found);
  }

  [[nodiscard]] Estimate explain(const Plan& plan, const Machine& machine) const override {
    return explain_training(request_, TrainingModel(request_.job, machine), plan, machine);
  }

 private:
  [[nodiscard]] Plan plan_of(const TrainingModel& model, const SearchResult& found) const {
    const TrainingJob& job = request_.job;
    Plan plan;
    const auto choices = choices_of(found.layout);
    for (std::size_t i = 0; i < choices.size(); ++i) plan.choices[i] = choices[i];
    estimate::Figures& f = plan.figures;
    const double step_tokens = job.global_batch * job.mean_tokens();
    const units::Flops step_flops =
        estimate::total(flops_per_token(job), kFlopsTerms) * step_tokens;
    f.memory = found.memory;
    f.capacity = model.capacity();
    f.checkpoint = model.checkpoint();
    f.flops = step_flops * job.steps();
    f.step = found.step;
    f.throughput = units::items(step_tokens) / found.step;
    f.duration = found.step * job.steps();
    f.mfu =
        units::in_flops(step_flops) / (units::in_seconds(found.step) * model.gpus() * model.peak());
    f.format = model.format();
    return plan;
  }

  TrainRequest request_;
};

}  // namespace

std::unique_ptr<const Workload> make_train_workload(TrainRequest request) {
  if (request.estimator == Estimator::analytical)
    return std::make_unique<TrainWorkload>(std::move(request));
  DocumentWork work;
  work.kind = request.kind;
  work.params = request.nominal_params;
  work.sequence = request.job.sequence;
  work.batch = request.job.global_batch;
  work.passes = request.job.steps();
  work.traits = request.traits;
  work.node_counts = node_counts_of(request);
  work.fields = std::move(request.fields);
  work.assumptions = std::move(request.assumptions);
  return make_document_workload(std::move(work));
}

}  // namespace gpusel::workload::llm
