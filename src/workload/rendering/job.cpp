#include "job.h"

#include "../batch_work.h"

#include "gpusel/units/format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gpusel::workload::rendering {
namespace {

using estimate::DoesNotFit;
using estimate::Machine;
using estimate::Plan;
using units::Seconds;

constexpr std::array<std::string_view, 1> kChoiceNames = {"frames_at_once"};
/// Drivers, renderer versions and the host's part of a frame move a scaled time this far either
/// way.
constexpr double kLow = 0.75;
constexpr double kHigh = 1.25;

class Rendering final : public Workload {
 public:
  explicit Rendering(Job job) : job_(std::move(job)) {}

  [[nodiscard]] std::string_view kind() const override { return "rendering"; }
  [[nodiscard]] Nature nature() const override { return Nature::job; }
  [[nodiscard]] const Traits& traits() const override { return job_.traits; }
  [[nodiscard]] std::string_view throughput_unit() const override { return "frames/s"; }
  [[nodiscard]] std::span<const std::string_view> choice_names() const override {
    return kChoiceNames;
  }
  [[nodiscard]] std::string choice_text(std::size_t, int value) const override {
    return std::to_string(value);
  }
  [[nodiscard]] const std::vector<Field>& fields() const override { return job_.fields; }
  [[nodiscard]] const std::vector<estimate::Assumption>& assumptions() const override {
    return job_.assumptions;
  }

  [[nodiscard]] std::vector<int> node_counts(const catalog::Catalog&,
                                             const catalog::Hardware& hardware) const override {
    if (job_.nodes) return {*job_.nodes};
    // More GPUs than frames speed nothing up.
    const double enough = hardware.count > 0 ? std::ceil(job_.frames / hardware.count) : 1;
    const int most = static_cast<int>(std::min<double>(job_.max_nodes, enough));
    return doubled(1, most);
  }

  [[nodiscard]] estimate::Bound bound(const Machine& machine) const override {
    if (machine.gpu == nullptr) return {};
    const std::optional<double> slowdown = slowdown_of(*machine.gpu);
    if (!slowdown) return {job_.scene, units::seconds(0)};
    return {job_.scene, estimate::total(time_of(machine, *slowdown), kTimeTerms)};
  }

  [[nodiscard]] estimate::Verdict<Plan> search(const Machine& machine,
                                               SearchCount& count) const override {
    if (machine.gpu == nullptr || machine.gpus() == 0) {
      return DoesNotFit{"gpu_memory", in_bytes(job_.scene), 0, "the machine has no GPU",
                        "an instance with GPUs"};
    }
    ++count.evaluated;
    const units::Bytes usable = usable_memory(machine);
    if (job_.scene > usable) {
      return DoesNotFit{"scene_memory", in_bytes(job_.scene), in_bytes(usable),
                        "the scene takes " + units::show_gib(job_.scene) + ", a GPU may use " +
                            units::show_gib(usable),
                        "a GPU with more memory, or a lighter scene: smaller textures, instances"};
    }
    const std::optional<double> slowdown = slowdown_of(*machine.gpu);
    if (!slowdown) return no_score(*machine.gpu);
    return plan_of(machine, *slowdown);
  }

  [[nodiscard]] estimate::Estimate explain(const Plan&, const Machine& machine) const override {
    estimate::Estimate e;
    estimate::Ledger memory =
        estimate::ledger_of("memory", "bytes", RenderMemory{job_.scene}, kMemoryTerms);
    memory.inputs = {{"may use", units::show_gib(usable_memory(machine))}};
    const RenderTime spent = time_of(machine, slowdown_of(*machine.gpu).value_or(1));
    estimate::Ledger time = estimate::ledger_of("time", "s", spent, kTimeTerms);
    time.inputs = inputs_of(machine);
    e.ledgers = {std::move(memory), std::move(time)};
    e.time_low = kLow;
    e.time_high = kHigh;
    e.basis =
        "a measured frame scaled by Blender Open Data scores; drivers, versions and the host's "
        "part "
        "move it by 15 to 25 %";
    e.assumptions = job_.assumptions;
    e.rule_of_thumb_note = "the source documents have no formula for rendering";
    return e;
  }

 private:
  [[nodiscard]] units::Bytes usable_memory(const Machine& machine) const {
    return machine.gpu_memory() * (1 - job_.headroom);
  }

  // Time of a frame relative to the reference GPU.
  [[nodiscard]] std::optional<double> slowdown_of(const catalog::Gpu& gpu) const {
    if (gpu.id == job_.reference) return 1;
    const std::optional<Pairing> pair = job_.scores.pair(job_.reference, gpu.id);
    if (!pair) return std::nullopt;
    return pair->slowdown();
  }

  [[nodiscard]] double waves(const Machine& machine) const {
    return std::ceil(job_.frames / machine.gpus());
  }

  [[nodiscard]] RenderTime time_of(const Machine& machine, double slowdown) const {
    return {job_.fixed * waves(machine), (job_.frame - job_.fixed) * (slowdown * waves(machine))};
  }

  [[nodiscard]] Plan plan_of(const Machine& machine, double slowdown) const {
    Plan plan;
    plan.choices[0] = static_cast<int>(std::min<double>(machine.gpus(), job_.frames));
    estimate::Figures& f = plan.figures;
    f.memory = estimate::total(RenderMemory{job_.scene}, kMemoryTerms);
    f.capacity = usable_memory(machine);
    f.duration = estimate::total(time_of(machine, slowdown), kTimeTerms);
    f.step = f.duration / waves(machine);
    f.throughput = units::items(job_.frames) / f.duration;
    f.format = catalog::NumberFormat::fp32;
    return plan;
  }

  [[nodiscard]] DoesNotFit no_score(const catalog::Gpu& gpu) const {
    const bool known = job_.scores.has(gpu.id);
    const std::string who = known ? job_.reference.text() : gpu.id.text();
    return {"render_score", 0, 0,
            job_.scores.has(job_.reference) && known
                ? "no version and backend of the benchmark has a score of both " +
                      job_.reference.text() + " and " + gpu.id.text()
                : "no render score of " + who,
            "measure a frame there: --frame-time TIME@" + gpu.id.text()};
  }

  [[nodiscard]] std::vector<estimate::Input> inputs_of(const Machine& machine) const {
    std::vector<estimate::Input> inputs = {
        {"frames", units::show_count(job_.frames)},
        {"GPUs", std::to_string(machine.gpus())},
        {"frame on " + job_.reference.text(), units::show_duration(job_.frame)}};
    const auto pair = job_.scores.pair(job_.reference, machine.gpu->id);
    if (!pair || machine.gpu->id == job_.reference) return inputs;
    inputs.push_back({"score there", units::show_number(pair->reference, 6) + " samples/min"});
    inputs.push_back({"score here", units::show_number(pair->other, 6) + " samples/min"});
    inputs.push_back({"benchmark", pair->version + " " + pair->backend});
    return inputs;
  }

  Job job_;
};

}  // namespace

std::unique_ptr<const Workload> make_rendering(Job job) {
  return std::make_unique<Rendering>(std::move(job));
}

}  // namespace gpusel::workload::rendering
