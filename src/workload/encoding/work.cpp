#include "work.h"

#include "../llm/document.h"
#include "constants.h"

#include "gpusel/units/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gpusel::workload::encoding {
namespace {

using estimate::DoesNotFit;
using estimate::Machine;
using estimate::Plan;
using units::Bytes;
using units::Seconds;

// No source states the memory of a run; by hand.
constexpr double kMemoryLow = 0.7;
constexpr double kMemoryHigh = 1.5;

class Encoding final : public BatchWork {
 public:
  explicit Encoding(Request request) : request_(std::move(request)) {}

  [[nodiscard]] std::string_view kind() const override { return "encoder-inference"; }
  [[nodiscard]] Nature nature() const override {
    return request_.sequences ? Nature::job : Nature::service;
  }
  [[nodiscard]] std::string_view throughput_unit() const override { return "tokens/s"; }

  [[nodiscard]] std::vector<int> node_counts(const catalog::Catalog& catalog,
                                             const catalog::Hardware& hardware) const override {
    if (request_.nodes) return {*request_.nodes};
    const Machine one = estimate::make_machine(catalog, hardware, 1);
    if (PassModel::refusal(request_.job, one)) return {1};
    if (!request_.sequences) return {service_nodes(one)};
    // More GPUs than texts speed nothing up.
    const double enough = std::ceil(*request_.sequences / hardware.count);
    const int most = static_cast<int>(std::min<double>(request_.max_nodes, enough));
    return doubled(1, most);
  }

  [[nodiscard]] estimate::Bound bound(const Machine& machine) const override {
    if (PassModel::refusal(request_.job, machine)) return {};
    const PassModel model(request_.job, machine);
    // A smaller batch is never faster.
    const double batch = wanted_batch(machine);
    const Bytes least = estimate::total(model.memory(request_.batch ? batch : 1), kMemoryTerms);
    if (request_.sequences) return {least, duration(model, batch, machine)};
    const double rate = request_.rate.value_or(highest_rate(model, batch, machine));
    return {least, units::seconds(1 / (rate * request_.job.mean))};
  }

  [[nodiscard]] estimate::Verdict<Plan> search(const Machine& machine,
                                               SearchCount& count) const override {
    if (auto why = PassModel::refusal(request_.job, machine)) return *std::move(why);
    const PassModel model(request_.job, machine);
    double batch = wanted_batch(machine);
    ++count.evaluated;
    while (!fits(model, batch) && batch > 1 && !request_.batch) {
      batch = std::floor(batch / 2);
      ++count.evaluated;
    }
    if (!fits(model, batch)) return too_large(model, batch);
    const double carried = highest_rate(model, batch, machine);
    if (request_.rate && *request_.rate > carried) return too_slow(carried);
    return plan_of(model, batch, machine);
  }

  [[nodiscard]] estimate::Estimate explain(const Plan& plan, const Machine& machine) const override;

 private:
  [[nodiscard]] const BatchRequest& request() const override { return request_; }
  [[nodiscard]] double wanted_batch(const Machine& machine) const {
    if (request_.batch) return *request_.batch;
    const double each =
        request_.sequences ? std::ceil(*request_.sequences / machine.gpus()) : kEnoughPositions;
    return std::max(1.0, std::min(usual_batch(request_.job), each));
  }

  [[nodiscard]] static Seconds pass_time(const PassModel& model, double batch) {
    return estimate::total(model.time(batch), kTimeTerms);
  }
  [[nodiscard]] static bool fits(const PassModel& model, double batch) {
    return estimate::total(model.memory(batch), kMemoryTerms) <= model.capacity();
  }

  // Sequences per second of the whole machine when no GPU ever waits.
  [[nodiscard]] static double full_rate(const PassModel& model, double batch,
                                        const Machine& machine) {
    return batch * machine.gpus() / units::in_seconds(pass_time(model, batch));
  }
  [[nodiscard]] static double highest_rate(const PassModel& model, double batch,
                                           const Machine& machine) {
    return kUtilisation * full_rate(model, batch, machine);
  }
  [[nodiscard]] Seconds duration(const PassModel& model, double batch,
                                 const Machine& machine) const {
    const double passes = std::max(1.0, *request_.sequences / (batch * machine.gpus()));
    return pass_time(model, batch) * passes;
  }

  [[nodiscard]] int service_nodes(const Machine& one) const {
    if (!request_.rate) return 1;
    const PassModel model(request_.job, one);
    double batch = wanted_batch(one);
    while (!fits(model, batch) && batch > 1 && !request_.batch) batch = std::floor(batch / 2);
    const double needed = std::ceil(*request_.rate / highest_rate(model, batch, one));
    return static_cast<int>(std::clamp<double>(needed, 1, request_.max_nodes));
  }

  [[nodiscard]] Plan plan_of(const PassModel& model, double batch, const Machine& machine) const {
    Plan plan;
    plan.choices[0] = static_cast<int>(batch);
    const double mean = request_.job.mean;
    const units::Flops one = estimate::total(flops_of(request_.job), kFlopsTerms);
    const double full = full_rate(model, batch, machine);
    estimate::Figures& f = plan.figures;
    f.memory = estimate::total(model.memory(batch), kMemoryTerms);
    f.capacity = model.capacity();
    f.flops = one * request_.sequences.value_or(1);
    f.step = pass_time(model, batch);
    f.replicas = machine.gpus();
    f.format = model.format();
    double rate = request_.rate.value_or(kUtilisation * full);
    if (request_.sequences) {
      f.duration = duration(model, batch, machine);
      rate = *request_.sequences / units::in_seconds(f.duration);
    } else {
      f.ttft = f.step;
    }
    f.throughput = units::ItemsPerSecond{rate * mean};
    f.mfu =
        rate * units::in_flops(one) / (units::in_flops_per_second(model.peak()) * machine.gpus());
    return plan;
  }

  [[nodiscard]] static DoesNotFit too_large(const PassModel& model, double batch) {
    const Bytes needed = estimate::total(model.memory(batch), kMemoryTerms);
    return {"gpu_memory",
            units::in_bytes(needed),
            units::in_bytes(model.capacity()),
            fmt::format("{} texts take {}, a GPU may use {}", batch, units::show_gib(needed),
                        units::show_gib(model.capacity())),
            "a GPU with more memory, shorter texts or a smaller batch",
            units::in_bytes(needed) * kMemoryLow};
  }
  [[nodiscard]] DoesNotFit too_slow(double carried) const {
    return {"throughput", *request_.rate, carried,
            fmt::format("carries {} texts/s, asked are {}", units::show_number(carried),
                        units::show_number(*request_.rate)),
            "more nodes (--nodes, --max-nodes), or a faster GPU"};
  }

  [[nodiscard]] std::vector<estimate::Input> inputs_of(const PassModel& model, double batch,
                                                       const Machine& machine) const;

  Request request_;
};

std::vector<estimate::Input> Encoding::inputs_of(const PassModel& model, double batch,
                                                 const Machine& machine) const {
  const PassJob& job = request_.job;
  const double full = full_rate(model, batch, machine);
  return {
      {"peak", fmt::format("{} {}", units::to_text(model.peak()), data::name_of(model.format()))},
      {"memory_bandwidth", units::to_text(*machine.gpu->memory_bandwidth)},
      {"batch", fmt::format("{:.0f} sequences", batch)},
      {"positions", fmt::format("{:.0f} of a sequence", job.computed(batch))},
      {"e", units::show_number(job.software.elementwise)},
      {"t_gap", units::show_duration(units::seconds(job.software.gap))},
      {"t_host", units::show_duration(units::seconds(job.software.host))},
      {"all GPUs at work", fmt::format("{} sequences/s, {} tokens/s", units::show_number(full, 4),
                                       units::show_number(full * job.mean, 4))}};
}

estimate::Estimate Encoding::explain(const Plan& plan, const Machine& machine) const {
  const PassJob& job = request_.job;
  const PassModel model(job, machine);
  const double batch = plan.choices[0];
  estimate::Estimate e;
  estimate::Ledger memory =
      estimate::ledger_of("memory", "bytes", model.memory(batch), kMemoryTerms);
  memory.inputs = {{"params", units::show_count(job.params)},
                   {"may use", units::show_gib(model.capacity())}};
  estimate::Ledger time = estimate::ledger_of("time", "s", model.time(batch), kTimeTerms);
  time.inputs = inputs_of(model, batch, machine);
  estimate::Ledger flops = estimate::ledger_of("flops", "flop", flops_of(job), kFlopsTerms);
  for (estimate::LedgerLine& line : flops.lines) line.value *= request_.sequences.value_or(1);
  flops.inputs = {{"mean length", fmt::format("{:.0f} tokens", job.mean)}};
  e.ledgers = {std::move(memory), std::move(time), std::move(flops)};
  const Interval interval = interval_of(job.software, machine.curves->id);
  e.time_low = interval.low;
  e.time_high = interval.high;
  e.memory_low = kMemoryLow;
  e.memory_high = kMemoryHigh;
  e.basis = fmt::format("curves of class '{}' ({}); software fitted to {}", machine.curves->id,
                        machine.curves->basis, job.software.runs);
  e.assumptions = request_.assumptions;
  if (!request_.sequences) {
    const double most = highest_rate(model, batch, machine);
    e.capacity = {
        most, units::ItemsPerSecond{most * job.mean}, batch * machine.gpus(), "compute",
        "compute: passes of " + fmt::format("{:.0f}", batch) + " texts follow each other"};
  }
  e.rule_of_thumb_memory = llm::document_memory(job.params, job.positions, batch);
  e.rule_of_thumb_flops = llm::document_flops(job.params, job.positions, batch);
  e.rule_of_thumb_note =
      "params x 4 + batch x sequence x 4 bytes hold fp32 weights and token ids; params x 2 x "
      "sequence x batch count the tables of tokens, which are looked up, as products";
  return e;
}

}  // namespace

double usual_batch(const PassJob& job) {
  const double most = std::max(1.0, kEnoughPositions / job.positions);
  return std::exp2(std::floor(std::log2(most)));
}

std::unique_ptr<const Workload> make_encoding(Request request) {
  return std::make_unique<Encoding>(std::move(request));
}

}  // namespace gpusel::workload::encoding
