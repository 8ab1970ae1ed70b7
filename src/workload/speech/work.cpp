#include "work.h"

#include "../encoding/constants.h"
#include "../llm/document.h"

#include "gpusel/units/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gpusel::workload::speech {
namespace {

using encoding::kUtilisation;
using estimate::DoesNotFit;
using estimate::Machine;
using estimate::Plan;
using units::Bytes;
using units::Seconds;

// No source states the memory of a run; by hand.
constexpr double kMemoryLow = 0.9;
constexpr double kMemoryHigh = 1.1;

class Transcription final : public BatchWork {
 public:
  explicit Transcription(Request request) : request_(std::move(request)) {}

  [[nodiscard]] std::string_view kind() const override { return "speech-inference"; }
  [[nodiscard]] Nature nature() const override {
    return request_.seconds ? Nature::job : Nature::service;
  }
  [[nodiscard]] std::string_view throughput_unit() const override { return "speech-seconds/s"; }

  [[nodiscard]] std::vector<int> node_counts(const catalog::Catalog& catalog,
                                             const catalog::Hardware& hardware) const override {
    if (request_.nodes) return {*request_.nodes};
    const Machine one = estimate::make_machine(catalog, hardware, 1);
    if (SpeechModel::refusal(request_.job, one)) return {1};
    if (!request_.seconds) return {service_nodes(one)};
    // More GPUs than pieces speed nothing up.
    const double enough = std::ceil(pieces() / hardware.count);
    const int most = static_cast<int>(std::min<double>(request_.max_nodes, enough));
    return doubled(1, most);
  }

  [[nodiscard]] estimate::Bound bound(const Machine& machine) const override {
    if (SpeechModel::refusal(request_.job, machine)) return {};
    const SpeechModel model(request_.job, machine);
    const double batch = batch_on(model, machine);
    const Bytes least = estimate::total(model.memory(batch), kMemoryTerms);
    if (request_.seconds) return {least, duration(model, batch, machine)};
    return {least, units::seconds(1 / request_.streams.value_or(highest(model, batch, machine)))};
  }

  [[nodiscard]] estimate::Verdict<Plan> search(const Machine& machine,
                                               SearchCount& count) const override {
    if (auto why = SpeechModel::refusal(request_.job, machine)) return *std::move(why);
    const SpeechModel model(request_.job, machine);
    ++count.evaluated;
    const double batch = batch_on(model, machine);
    const Bytes needed = estimate::total(model.memory(batch), kMemoryTerms);
    if (needed > model.capacity()) return too_large(model, batch, needed);
    const double carried = highest(model, batch, machine);
    if (request_.streams && *request_.streams > carried) return too_slow(carried);
    return plan_of(model, batch, machine);
  }

  [[nodiscard]] estimate::Estimate explain(const Plan& plan, const Machine& machine) const override;

 private:
  [[nodiscard]] const BatchRequest& request() const override { return request_; }
  [[nodiscard]] double pieces() const { return std::ceil(*request_.seconds / kPieceSeconds); }

  [[nodiscard]] double batch_on(const SpeechModel& model, const Machine& machine) const {
    if (request_.batch) return *request_.batch;
    const double share = request_.seconds ? std::ceil(pieces() / machine.gpus()) : kMostPieces;
    return std::max(1.0, std::min({kMostPieces, model.pieces_that_fit(), share}));
  }
  [[nodiscard]] static Seconds batch_time(const SpeechModel& model, double batch) {
    return estimate::total(model.time(batch), kTimeTerms);
  }
  // Seconds of speech per second, all GPUs at work.
  [[nodiscard]] static double full(const SpeechModel& model, double batch, const Machine& machine) {
    return batch * kPieceSeconds * machine.gpus() / units::in_seconds(batch_time(model, batch));
  }
  [[nodiscard]] static double highest(const SpeechModel& model, double batch,
                                      const Machine& machine) {
    return kUtilisation * full(model, batch, machine);
  }
  [[nodiscard]] Seconds duration(const SpeechModel& model, double batch,
                                 const Machine& machine) const {
    return batch_time(model, batch) * std::max(1.0, pieces() / (batch * machine.gpus()));
  }
  [[nodiscard]] int service_nodes(const Machine& one) const {
    if (!request_.streams) return 1;
    const SpeechModel model(request_.job, one);
    const double needed = std::ceil(*request_.streams / highest(model, batch_on(model, one), one));
    return static_cast<int>(std::clamp<double>(needed, 1, request_.max_nodes));
  }

  [[nodiscard]] Plan plan_of(const SpeechModel& model, double batch, const Machine& machine) const {
    Plan plan;
    plan.choices[0] = static_cast<int>(batch);
    const units::Flops piece = estimate::total(flops_of(request_.job), kFlopsTerms);
    estimate::Figures& f = plan.figures;
    f.memory = estimate::total(model.memory(batch), kMemoryTerms);
    f.capacity = model.capacity();
    f.flops = request_.seconds ? piece * pieces() : piece;
    f.step = batch_time(model, batch);
    f.replicas = machine.gpus();
    f.format = model.format();
    double rate = request_.streams.value_or(highest(model, batch, machine));
    if (request_.seconds) {
      f.duration = duration(model, batch, machine);
      rate = *request_.seconds / units::in_seconds(f.duration);
    } else {
      f.ttft = f.step;
    }
    f.throughput = units::ItemsPerSecond{rate};
    f.mfu = rate / kPieceSeconds * units::in_flops(piece) /
            (units::in_flops_per_second(model.peak()) * machine.gpus());
    return plan;
  }

  [[nodiscard]] static DoesNotFit too_large(const SpeechModel& model, double batch, Bytes needed) {
    return {"gpu_memory",
            units::in_bytes(needed),
            units::in_bytes(model.capacity()),
            fmt::format("a batch of {} (30 s each) takes {}, a GPU may use {}", batch,
                        units::show_gib(needed), units::show_gib(model.capacity())),
            "a GPU with more memory, a smaller model or batch",
            units::in_bytes(needed) * kMemoryLow};
  }
  [[nodiscard]] DoesNotFit too_slow(double carried) const {
    return {"throughput", *request_.streams, carried,
            fmt::format("carries {} streams, asked are {}", units::show_number(carried),
                        units::show_number(*request_.streams)),
            "more nodes (--nodes, --max-nodes), or a faster GPU"};
  }

  Request request_;
};

estimate::Estimate Transcription::explain(const Plan& plan, const Machine& machine) const {
  const SpeechJob& job = request_.job;
  const SpeechModel model(job, machine);
  const double batch = plan.choices[0];
  estimate::Estimate e;
  estimate::Ledger memory =
      estimate::ledger_of("memory", "bytes", model.memory(batch), kMemoryTerms);
  memory.inputs = {{"params", units::show_count(job.params)},
                   {"may use", units::show_gib(model.capacity())}};
  estimate::Ledger time = estimate::ledger_of("time", "s", model.time(batch), kTimeTerms);
  time.inputs = {
      {"peak", fmt::format("{} {}", units::to_text(model.peak()), data::name_of(model.format()))},
      {"memory_bandwidth", units::to_text(*machine.gpu->memory_bandwidth)},
      {"batch", fmt::format("{:.0f} pieces of 30 s", batch)},
      {"T", fmt::format("{:.0f} tokens a piece", job.tokens)},
      {"all GPUs at work",
       units::show_number(full(model, batch, machine), 4) + " times real time"}};
  estimate::Ledger flops = estimate::ledger_of("flops", "flop", flops_of(job), kFlopsTerms);
  for (estimate::LedgerLine& line : flops.lines) line.value *= request_.seconds ? pieces() : 1;
  e.ledgers = {std::move(memory), std::move(time), std::move(flops)};
  const encoding::Interval interval = interval_of(job, machine.curves->id);
  e.time_low = interval.low;
  e.time_high = interval.high;
  e.memory_low = kMemoryLow;
  e.memory_high = kMemoryHigh;
  e.basis =
      "one factor fitted to MLPerf v5.1 of whisper-large-v3 under TensorRT on six kinds of GPU; "
      "other models and programs were not measured";
  e.assumptions = request_.assumptions;
  if (!request_.seconds) {
    const double most = highest(model, batch, machine);
    e.capacity = {most / kPieceSeconds, units::ItemsPerSecond{most}, batch * machine.gpus(),
                  "compute", fmt::format("compute: batches of {:.0f} pieces of 30 s", batch)};
  }
  e.rule_of_thumb_memory = llm::document_memory(job.params, kPiecePositions, batch);
  e.rule_of_thumb_flops = llm::document_flops(job.params, kPiecePositions, batch);
  e.rule_of_thumb_note =
      "params x 4 + batch x sequence x 4 bytes hold no keys and values; params x 2 x sequence x "
      "batch send every position through the decoder";
  return e;
}

}  // namespace

std::unique_ptr<const Workload> make_transcription(Request request) {
  return std::make_unique<Transcription>(std::move(request));
}

}  // namespace gpusel::workload::speech
