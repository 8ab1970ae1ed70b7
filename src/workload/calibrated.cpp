#include "calibrated.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpusel::workload {
namespace {

using estimate::Estimate;
using estimate::Ledger;
using estimate::Machine;
using estimate::Plan;

// The machine with its memory as the raw estimate must see it: what is multiplied by f then fits
// where f x the estimate is at most the memory.
class Seen {
 public:
  Seen(const Machine& machine, double memory_factor) : machine_(machine) {
    if (memory_factor == 1 || machine.gpu == nullptr) return;
    gpu_ = *machine.gpu;
    gpu_->usable_memory = machine.gpu->available_memory() / memory_factor;
    machine_.gpu = &*gpu_;
  }
  Seen(const Seen&) = delete;
  Seen& operator=(const Seen&) = delete;
  ~Seen() = default;
  [[nodiscard]] const Machine& machine() const { return machine_; }

 private:
  Machine machine_;
  std::optional<catalog::Gpu> gpu_;
};

void add_line(Ledger& ledger, double factor) {
  if (factor == 1) return;
  const double raw = ledger.total();
  ledger.lines.push_back({"calibration", "calibration", raw * (factor - 1), "(factor - 1) x sum"});
  ledger.inputs.push_back({"calibration factor", fmt::format("{:.3f}", factor)});
}

class Calibrated final : public Workload {
 public:
  Calibrated(std::unique_ptr<const Workload> inner, CalibrationSet set, Calibrating how)
      : inner_(std::move(inner)), set_(std::move(set)), how_(std::move(how)) {}

  [[nodiscard]] std::string_view kind() const override { return inner_->kind(); }
  [[nodiscard]] Nature nature() const override { return inner_->nature(); }
  [[nodiscard]] const Traits& traits() const override { return inner_->traits(); }
  [[nodiscard]] std::string_view throughput_unit() const override {
    return inner_->throughput_unit();
  }
  [[nodiscard]] std::span<const std::string_view> choice_names() const override {
    return inner_->choice_names();
  }
  [[nodiscard]] std::string choice_text(std::size_t index, int value) const override {
    return inner_->choice_text(index, value);
  }
  [[nodiscard]] const std::vector<Field>& fields() const override { return inner_->fields(); }
  [[nodiscard]] const std::vector<estimate::Assumption>& assumptions() const override {
    return inner_->assumptions();
  }

  [[nodiscard]] std::vector<int> node_counts(const catalog::Catalog& catalog,
                                             const catalog::Hardware& hardware) const override {
    const Machine one = estimate::make_machine(catalog, hardware, 1);
    const Factors f = factors_of(one);
    if (f.none() || !how_.scaled) return inner_->node_counts(catalog, hardware);
    return how_.scaled(f)->node_counts(catalog, hardware);
  }

  [[nodiscard]] estimate::Bound bound(const Machine& machine) const override {
    const Factors f = factors_of(machine);
    if (f.none()) return inner_->bound(machine);
    const Seen seen(machine, f.memory);
    estimate::Bound bound = work_for(f).get().bound(seen.machine());
    bound.memory = bound.memory * f.memory;
    // A service's bound is a time per token of all clients: no more than either factor moves it.
    const double least =
        nature() == Nature::job ? f.time : std::min({1.0, f.time, 1 / f.throughput});
    bound.time = bound.time * least;
    return bound;
  }

  [[nodiscard]] estimate::Verdict<Plan> search(const Machine& machine,
                                               SearchCount& count) const override {
    const Factors f = factors_of(machine);
    if (f.none()) return inner_->search(machine, count);
    const Seen seen(machine, f.memory);
    const auto verdict = work_for(f).get().search(seen.machine(), count);
    if (verdict) return multiplied(*verdict, f);
    estimate::DoesNotFit why = verdict.error();
    if (why.resource == "gpu_memory") {
      why.needed *= f.memory;
      why.least *= f.memory;
      why.available *= f.memory;
    }
    why.text += fmt::format(" (before the factors of the calibration: time {:.3f}, memory {:.3f})",
                            f.time, f.memory);
    return why;
  }

  [[nodiscard]] Estimate explain(const Plan& plan, const Machine& machine) const override {
    const Factors f = factors_of(machine);
    if (f.none()) return inner_->explain(plan, machine);
    const Seen seen(machine, f.memory);
    Estimate estimate = work_for(f).get().explain(plan, seen.machine());
    for (Ledger& ledger : estimate.ledgers) {
      if (ledger.id == "memory") add_line(ledger, f.memory);
      if (ledger.id == "time" || ledger.id == "tpot") add_line(ledger, f.time);
    }
    if (estimate.capacity) {
      const double slower = slower_of(plan.figures.ttft, plan.figures.tpot / f.time, f);
      estimate.capacity->requests /= slower;
      estimate.capacity->throughput = estimate.capacity->throughput / slower;
    }
    for (estimate::Assumption& a : set_.assumptions(how_.kind, how_.key(machine)))
      estimate.assumptions.push_back(std::move(a));
    return estimate;
  }

 private:
  /// The work that the raw estimate is made for; owned only where it differs from the inner one.
  class Work {
   public:
    explicit Work(const Workload& inner) : work_(&inner) {}
    explicit Work(std::unique_ptr<const Workload> owned)
        : owned_(std::move(owned)), work_(owned_.get()) {}
    [[nodiscard]] const Workload& get() const { return *work_; }

   private:
    std::unique_ptr<const Workload> owned_;
    const Workload* work_;
  };
  [[nodiscard]] Work work_for(const Factors& f) const {
    return how_.scaled ? Work(how_.scaled(f)) : Work(*inner_);
  }

  [[nodiscard]] Factors factors_of(const Machine& machine) const {
    if (machine.gpu == nullptr) return {};
    const CalibrationKey key = how_.key(machine);
    return {set_.factor(how_.kind, key, Figure::time),
            set_.factor(how_.kind, key, Figure::throughput),
            set_.factor(how_.kind, key, Figure::memory)};
  }

  // How much longer a request of a service takes, by its latencies before the factors.
  [[nodiscard]] double slower_of(units::Seconds ttft, units::Seconds tpot, const Factors& f) const {
    const units::Seconds rest = tpot * how_.later_tokens;
    const units::Seconds raw = ttft + rest;
    const bool waits = !how_.open_load && raw > units::Seconds{};
    return waits ? (ttft + rest * f.time) / raw : 1 / f.throughput;
  }

  [[nodiscard]] Plan multiplied(Plan plan, const Factors& f) const {
    estimate::Figures& figures = plan.figures;
    figures.memory = figures.memory * f.memory;
    figures.capacity = figures.capacity * f.memory;  // as the machine has it
    double slower = f.time;
    if (nature() == Nature::service) {
      slower = slower_of(figures.ttft, figures.tpot, f);
      figures.tpot = figures.tpot * f.time;
      figures.step = figures.ttft + figures.tpot * how_.later_tokens;
    } else {
      figures.step = figures.step * f.time;
      figures.duration = figures.duration * f.time;
    }
    figures.throughput = figures.throughput / slower;
    figures.most = figures.most / slower;
    figures.mfu /= slower;
    return plan;
  }

  std::unique_ptr<const Workload> inner_;
  CalibrationSet set_;
  Calibrating how_;
};

}  // namespace

std::unique_ptr<const Workload> calibrated(std::unique_ptr<const Workload> inner,
                                           CalibrationSet set, Calibrating how) {
  if (set.empty()) return inner;
  return std::make_unique<Calibrated>(std::move(inner), std::move(set), std::move(how));
}

std::string calibration_format(std::string_view asked, const Machine& machine) {
  if (asked != "auto") return std::string(asked);
  return machine.gpu->peak[catalog::NumberFormat::bf16] ? "bf16" : "fp16";
}

}  // namespace gpusel::workload
