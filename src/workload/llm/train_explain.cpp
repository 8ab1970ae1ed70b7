#include "document.h"
#include "train_workload.h"

#include "gpusel/units/format.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpusel::workload::llm {
namespace {

using estimate::Input;
using estimate::Ledger;

// Ratio of measured to predicted, 10th and 90th percentile over series of runs whose source was
// left out of the fit.
constexpr double kMemoryLow = 0.87;
constexpr double kMemoryHigh = 1.15;
constexpr Interval kMegatron{0.88, 1.07, kMemoryLow, kMemoryHigh,
                             "dense Megatron-class runs on A100, H100 and H200"};
constexpr Interval kFsdp{0.93, 1.20, kMemoryLow, kMemoryHigh,
                         "dense FSDP-class runs on A100 and H100"};
constexpr Interval kBlackwell{0.92, 1.15, kMemoryLow, kMemoryHigh,
                              "dense runs on B200, GB200, B300 and GB300"};
constexpr Interval kMoe{0.80, 1.46, kMemoryLow, kMemoryHigh, "mixtures of experts on any GPU"};
constexpr Interval kAdapters{0.87, 1.24, 0.93, 1.28, "LoRA and QLoRA runs, mostly on A100"};
constexpr Interval kEncoders{0.79, 1.25, kMemoryLow, kMemoryHigh,
                             "BERT runs on NVIDIA GPUs of 2017 to 2025"};
constexpr Interval kOtherEncoders{0.7, 1.5, kMemoryLow, kMemoryHigh,
                                  "BERT runs on other GPUs or software, widened"};
constexpr Interval kOther{0.89, 1.68, kMemoryLow, kMemoryHigh,
                          "other software and GPUs, with few runs"};

bool contains(std::initializer_list<std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string bytes_text(double per_parameter) { return fmt::format("{:g} bytes", per_parameter); }

// Bytes per parameter; of frozen weights and of what is trained beside them.
std::vector<Input> state_inputs(const TrainingJob& job) {
  const Framework& f = job.framework;
  if (!job.adapters) {
    return {{"w", bytes_text(f.weight_bytes)},
            {"g", bytes_text(f.gradient_bytes)},
            {"o", bytes_text(f.optimizer_bytes)}};
  }
  return {{"frozen", !job.adapters->quantised             ? "2 bytes"
                     : job.adapters->quant == Quant::int8 ? "1 byte, tables 2"
                                                          : "0.55 bytes, tables 2"},
          {"trained_params", units::show_count(adapter_parameters(job.card, *job.adapters))},
          {"trained", "4 + 4 bytes and the optimizer's states"}};
}

std::vector<Input> memory_inputs(const TrainingModel& model, const Layout& l) {
  std::vector<Input> inputs = {
      {"params", units::show_count(count_parameters(model.job().card).total)}};
  for (Input& input : state_inputs(model.job())) inputs.push_back(std::move(input));
  std::vector<Input> degrees = {{"tp", fmt::format("{}", l.tp)},
                                {"pp", fmt::format("{}", l.pp)},
                                {"dp", fmt::format("{}", l.dp)},
                                {"ep", fmt::format("{}", l.ep)},
                                {"cp", fmt::format("{}", l.cp)},
                                {"zero", fmt::format("{}", l.zero)},
                                {"micro_batch", fmt::format("{}", l.micro_batch)},
                                {"recompute", std::string(data::name_of(l.recompute))}};
  inputs.insert(inputs.end(), degrees.begin(), degrees.end());
  return inputs;
}

std::vector<Input> time_inputs(const TrainingModel& model, const Layout& l,
                               const estimate::Machine& machine) {
  std::vector<Input> inputs = {{"peak", fmt::format("{:.0f} TFLOPS {}", model.peak() / units::kTera,
                                                    data::name_of(model.format()))},
                               {"memory_bandwidth", units::to_text(*machine.gpu->memory_bandwidth)},
                               {"link", units::to_text(machine.link_bandwidth())},
                               {"domain", fmt::format("{:.0f} GPUs", model.domain())},
                               {"micro_batches", fmt::format("{:.0f}", model.micro_batches(l))},
                               {"interleave", fmt::format("{}", l.interleave)},
                               {"framework", model.job().framework.id}};
  const auto network = machine.network_per_gpu();
  inputs.push_back({"network", network ? units::to_text(*network) + " per GPU" : "none"});
  return inputs;
}

Ledger flops_ledger(const TrainingModel& model) {
  const TrainingJob& job = model.job();
  Ledger ledger = estimate::ledger_of("flops", "flop", flops_per_token(job), kFlopsTerms);
  const double tokens = job.steps() * job.global_batch * job.mean_tokens();
  for (estimate::LedgerLine& line : ledger.lines) {
    line.value *= tokens;
    const bool trained = line.id == "attention_core" || line.id == "adapters";
    if (job.adapters && !trained) line.formula.replace(0, 1, "4");  // no weight gradient
    if (job.bidirectional && line.id == "attention_core") line.formula = "12 L a d s a token";
    if (job.logit_share < 1 && line.id == "logits") line.formula = "6 h V a masked token";
  }
  ledger.inputs = {{"tokens", units::show_count(tokens)},
                   {"steps", fmt::format("{:.0f}", job.steps())},
                   {"seq_len", fmt::format("{:.0f}", job.mean_tokens())}};
  return ledger;
}

Ledger host_ledger(const TrainingModel& model, const Placement& place) {
  Ledger ledger{"host_memory", "bytes", {}, {}};
  ledger.lines.push_back({"offloaded", "offloaded states and buffers", units::in_bytes(place.host),
                          "1.5 x states x GPUs of a node"});
  const auto memory = model.host_memory();
  ledger.inputs = {{"host_memory", memory ? units::show_gib(*memory) : "unknown"}};
  return ledger;
}

// Published GPU hours of 13 model cards (Llama 1 to 3.1, GPT-NeoX, TinyLlama, DeepSeek-V2 and
// others) against the hours of their steps.
estimate::Assumption project_assumption() {
  return {"steady_work",
          "the time is that of its steps; whole projects took 1.27 times as long (restarts, "
          "evaluation, idle nodes)",
          "1", "GPU hours of 13 model cards"};
}

estimate::Assumption host_assumption(const TrainingModel& model) {
  if (model.host_memory())
    return {"host", "hosts update weights at 287 GB/s (16 channels of DDR4-3200)", "287 GB/s",
            "JEDEC JESD79-4"};
  return {"host", "the memory of the host is not known: it is taken to hold what waits there",
          "unknown", "the catalog or --on"};
}

// The formulas of an encoder where they are not those of a decoder.
void show_bidirectional(const TrainingJob& job, Ledger& time) {
  for (estimate::LedgerLine& line : time.lines) {
    if (line.id == "attention") line.formula = "4 b s^2 a d / rate, forward and 2.5 x backward";
    if (line.id == "logits" && job.logit_share < 1)
      line.formula = "the same of masked tokens alone";
  }
}

// BERT was measured on these.
Interval encoder_interval(const TrainingModel& model, std::string_view curves) {
  const bool measured =
      contains({"ampere-datacenter", "hopper", "b200", "gb200", "volta", "turing", "card"}, curves);
  return measured && model.job().framework.time_class == "encoder" ? kEncoders : kOtherEncoders;
}

std::string basis_text(const Interval& interval, const estimate::Machine& machine) {
  return fmt::format("curves of class '{}' ({}); range from {}", machine.curves->id,
                     machine.curves->basis, interval.runs);
}

}  // namespace

Interval interval_of(const TrainingModel& model, const estimate::Machine& machine) {
  const std::string& curves = machine.curves->id;
  if (model.job().bidirectional) return encoder_interval(model, curves);
  if (model.job().card.is_moe()) return kMoe;
  if (model.job().adapters) return kAdapters;
  if (contains({"b200", "b300", "gb200", "gb300"}, curves)) return kBlackwell;
  if (!contains({"ampere-datacenter", "hopper", "volta"}, curves)) return kOther;
  if (model.job().framework.time_class == "megatron") return kMegatron;
  return model.job().framework.time_class == "fsdp" ? kFsdp : kOther;
}

estimate::Estimate explain_training(const TrainRequest& request, const TrainingModel& model,
                                    const estimate::Plan& plan, const estimate::Machine& machine) {
  const Layout layout = layout_of(plan.choices.data());
  const MicroBatch part = model.micro_batch(layout);
  const Placement place = model.placement(layout);
  estimate::Estimate result;
  Ledger memory = estimate::ledger_of(
      "memory", "bytes", model.memory(layout, model.activations(layout), place), kMemoryTerms);
  memory.inputs = memory_inputs(model, layout);
  Ledger time = estimate::ledger_of("time", "s", model.time(layout, part, place), kTimeTerms);
  time.inputs = time_inputs(model, layout, machine);
  if (request.job.bidirectional) show_bidirectional(request.job, time);
  result.ledgers = {std::move(memory), std::move(time), flops_ledger(model)};
  if (model.job().offload != Offload::none) {
    result.ledgers.push_back(host_ledger(model, place));
  }
  const Interval interval = interval_of(model, machine);
  result.time_low = interval.time_low;
  result.time_high = interval.time_high;
  result.memory_low = interval.memory_low;
  result.memory_high = interval.memory_high;
  result.basis = basis_text(interval, machine);
  result.assumptions = request.assumptions;
  if (request.kind == "llm-train") result.assumptions.push_back(project_assumption());
  if (model.job().offload != Offload::none) result.assumptions.push_back(host_assumption(model));
  const TrainingJob& job = request.job;
  result.rule_of_thumb_memory =
      document_memory(request.nominal_params, job.sequence, job.global_batch);
  result.rule_of_thumb_flops =
      document_flops(request.nominal_params, job.sequence, job.global_batch);
  result.rule_of_thumb_note =
      "params x 4 + batch x sequence x 4 bytes hold fp32 weights and token ids, but no gradients, "
      "optimizer states or activations; params x 2 x sequence x batch FLOP are one forward pass, a "
      "third of a step";
  return result;
}

}  // namespace gpusel::workload::llm
