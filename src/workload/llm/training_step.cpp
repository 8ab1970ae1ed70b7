// A step and its peak memory: docs/estimation.md, "The step" and "Peak memory".
#include "training_constants.h"
#include "training_model.h"

#include <algorithm>
#include <cmath>

namespace gpusel::workload::llm {

using units::bytes;
using units::seconds;

// The embedding and the head take the place of a layer each where that makes the stages equal
// (Llama 3, BLOOM).
bool TrainingModel::tables_count_as_layers(const Layout& l) const {
  if (l.pp <= 1) return false;
  const int layers = static_cast<int>(shape_.layers);
  const int chunks = l.pp * l.interleave;
  return (layers + 2) % chunks == 0 && layers % chunks != 0;
}

double TrainingModel::stage_layers(const Layout& l) const {
  if (l.pp <= 1) return shape_.layers;
  return tables_count_as_layers(l) ? (shape_.layers + 2) / l.pp : std::ceil(shape_.layers / l.pp);
}

double TrainingModel::shard_ranks(const Layout& l) const {
  return job_.framework.shards_over_context ? static_cast<double>(l.dp) * l.cp : l.dp;
}

TrainingModel::Parameters TrainingModel::parameters(const Layout& l, double tables) const {
  const double layers = stage_layers(l);
  Parameters n;
  n.dense = shape_.dense_params * layers / l.tp + tables * shape_.vocab * shape_.hidden / l.tp;
  n.experts = shape_.expert_params * layers / l.ep;
  n.expert_ranks = std::max(1.0, static_cast<double>(l.dp) * l.cp * l.tp / l.ep);
  return n;
}

TrainingModel::Stage TrainingModel::stage(const Layout& l, const MicroBatch& part,
                                          const Placement& place) const {
  Stage s;
  const double compute = place.layers * part.layer;
  s.seconds = place.even_tables ? std::max(compute, (place.layers - 1) * part.layer + part.logits)
                                : compute + part.logits;
  s.logits = s.seconds - compute;
  if (!zero3(l)) return s;
  const double window = kHideable * s.seconds;
  s.zero3 = std::max(0.0, place.gathers - window) +
            job_.framework.zero3_exposed * std::min(place.gathers, window);
  s.seconds += s.zero3;
  return s;
}

// Gathered for the forward and the backward, gradients scattered: three passes over the parameters,
// two where they are frozen.
double TrainingModel::gather_seconds(const Layout& l, const Parameters& n) const {
  if (!zero3(l)) return 0;
  const double held = (n.dense + n.experts) * gathered_frozen_bytes();
  return products_ * links_.pass_seconds(held, shard_ranks(l), static_cast<double>(l.tp) * l.cp);
}

double TrainingModel::gradient_seconds(const Layout& l, const Parameters& n) const {
  if (zero3(l) || job_.adapters) return 0;  // adapters are too small to show
  const double pass = job_.framework.gradient_pass_bytes * value_bytes_ / 2;
  const double ranks = static_cast<double>(l.dp) * l.cp;
  const double spread = std::min(static_cast<double>(l.ep), links_.domain);
  return 2 * (links_.pass_seconds(n.dense * pass, ranks, l.tp) +
              links_.pass_seconds(n.experts * pass, n.expert_ranks, spread));
}

double TrainingModel::exposed_gradients(const Layout& l, double traffic, double window) const {
  if (zero3(l)) return 0;
  const Framework& f = job_.framework;
  const bool overlaps =
      f.gradient_overlap == GradientOverlap::always ||
      (f.gradient_overlap == GradientOverlap::single_batch && l.pp == 1 && micro_batches(l) <= 1);
  if (!overlaps) return f.gradient_serial * traffic;
  return std::max(0.0, traffic - window) + kGradientsOverlapped * std::min(traffic, window);
}

double TrainingModel::boundary_rate(const Layout& l) const {
  const double inner = static_cast<double>(l.tp) * l.cp;
  const bool near = inner < links_.domain && inner * l.pp <= links_.domain;
  return near ? kTransferShare * links_.link : links_.network;
}

double TrainingModel::optimizer_seconds(const Layout& l, const Parameters& n) const {
  if (job_.adapters || job_.offload != Offload::none) return 0;
  double local = n.dense + n.experts;
  if (zero3(l)) {
    local = n.dense / shard_ranks(l) + n.experts / n.expert_ranks;
  } else if (l.zero >= 1) {
    local = n.dense / (static_cast<double>(l.dp) * l.cp) + n.experts / n.expert_ranks;
  }
  return optimizer_traffic_ * local / (kOptimizerShare * memory_bandwidth_);
}

Placement TrainingModel::placement(const Layout& l) const {
  const Parameters n = parameters(l, l.pp > 1 ? 1 : 2);
  Placement place;
  place.layers = stage_layers(l);
  place.even_tables = tables_count_as_layers(l);
  // Unequal stages: the longest one. Tables in place of layers don't keep activations of a layer.
  place.kept_layers = place.even_tables ? shape_.layers / l.pp : std::ceil(shape_.layers / l.pp);
  place.bubble = (l.pp - 1.0) / l.interleave;
  place.gradients = gradient_seconds(l, n);
  place.optimizer = optimizer_seconds(l, n);
  place.gathers = gather_seconds(l, n);
  place.boundary_rate = boundary_rate(l);
  place_states(l, place);
  if (job_.offload != Offload::none) place_offloaded(l, n, place);
  return place;
}

TrainingTime TrainingModel::time(const Layout& l, const MicroBatch& part,
                                 const Placement& place) const {
  const double m = micro_batches(l);
  const Stage s = stage(l, part, place);
  double transfer = 0;
  if (l.pp > 1) {
    transfer = 2 * l.interleave * (kTransferLatency + part.send_bytes / place.boundary_rate) *
               kPipelineTransfersExposed;
  }
  TrainingTime t;
  const double runs = m * place.layers;
  t.gemm = seconds(runs * part.gemm);
  t.attention = seconds(runs * part.attention);
  t.elementwise = seconds(runs * part.elementwise);
  t.dequantise = seconds(runs * part.dequantise);
  t.tensor_parallel = seconds(runs * part.tensor);
  t.context_parallel = seconds(runs * part.context);
  t.all_to_all = seconds(runs * part.all_to_all);
  t.host = seconds(runs * part.host_gap);
  t.logits = seconds(m * s.logits);
  t.zero3 = seconds(m * s.zero3);
  t.pipeline_p2p = seconds(m * transfer);
  // Only layers wait in the bubble (Narayanan 2021, arXiv 2104.04473, section 2.2), not the logits.
  t.pipeline_bubble = seconds(place.bubble * (place.layers * part.layer + transfer));
  t.gradients = seconds(exposed_gradients(l, place.gradients, kHideable * s.seconds));
  t.optimizer = seconds(place.optimizer);
  t.fixed = seconds(kStepOverhead);
  const units::Seconds work = estimate::total(t, kTimeTerms);
  t.jitter = jitter_ * work;
  t.framework = (framework_factor(l) - 1) * (work + t.jitter);
  t.maturity = (maturity_ - 1) * (work + t.jitter + t.framework);
  t.offload = seconds(m * place.copies + place.update);  // whatever the framework
  return t;
}

// What time() adds to layers, logits and the optimizer is never negative.
units::Seconds TrainingModel::least_time(const Layout& l, const MicroBatch& part,
                                         const Placement& place, double micro_batches) const {
  const double layers = (micro_batches + place.bubble) * place.layers * part.layer;
  const double logits = place.even_tables ? 0 : micro_batches * part.logits;
  return seconds((layers + logits + place.optimizer + kStepOverhead) * (1 + jitter_) *
                 framework_factor(l) * maturity_);
}

// One micro-batch in flight, and the smaller of what the first and the last stage add.
units::Bytes TrainingModel::least_memory(const Placement& place, const Activations& part) const {
  constexpr double kRounding = 1e-12;  // of sums in another order
  const double held =
      in_bytes(place.weights + place.gradient_bytes + place.optimizer_bytes + place.gathered) +
      part.kept * place.kept_layers + std::min(part.work, part.logits);
  return bytes(((1 + kFragmentation) * (held + job_.framework.buffer_bytes) + kContextBytes) *
               (1 - kRounding));
}

double TrainingModel::gathered_bytes(const Layout& l, const Parameters& n) const {
  if (!streams(l)) return 0;
  const double wide = value_bytes_ / 2;
  // Inside a pipeline parameters and fp32 gradients stay whole between micro-batches.
  if (l.pp > 1) return 6 * n.dense * wide;
  const double layer = (shape_.dense_params + shape_.expert_params) / l.tp;
  const double table = shape_.vocab * shape_.hidden / l.tp;
  if (job_.adapters) {
    const double unit = !quantised() ? 2 : job_.adapters->quant == Quant::int8 ? 1 : kFourBitUnit;
    return kGatheredUnits * (2 * unit * layer + 4 * table) * wide;
  }
  return kGatheredUnits * (4 * layer + 4 * table + 2 * layer + 2 * table) * wide;
}

double TrainingModel::loading_bytes(const Layout& l) const {
  if (!zero3(l) || !job_.framework.loads_whole) return 0;
  const double parameters = shape_.layers * (shape_.dense_params + shape_.expert_params) +
                            (shape_.tied ? 1 : 2) * shape_.vocab * shape_.hidden;
  return kLoadedBytes * parameters * (1 + 1 / shard_ranks(l)) + kLoadBuffers;
}

void TrainingModel::place_states(const Layout& l, Placement& place) const {
  const Parameters n = parameters(l, l.pp > 1 || shape_.tied ? 1 : 2);
  const bool whole = zero3(l);
  const double ranks = static_cast<double>(l.dp) * l.cp;
  const double weight_shards = whole ? shard_ranks(l) : 1;
  const double gradient_shards = whole || l.zero == 2 ? shard_ranks(l) : 1;
  const double optimizer_shards = whole || l.zero >= 1 ? ranks : 1;
  const auto held = [&](double per_parameter, double shards) {
    return bytes(per_parameter *
                 (n.dense / shards + n.experts / (shards > 1 ? n.expert_ranks : 1)));
  };
  place.weights = held(weight_bytes_, weight_shards);
  place.gradient_bytes = held(gradient_bytes_, gradient_shards);
  place.optimizer_bytes = held(optimizer_bytes_, optimizer_shards);
  place.gathered = bytes(gathered_bytes(l, n));
  if (job_.adapters) place_frozen(l, n, place);
}

// ZeRO-Offload (arXiv 2101.06840, section 4) and ZeRO-Infinity (arXiv 2104.07857, section 5): what
// waits on the host is copied when it is needed, and the host updates the weights.
void TrainingModel::place_offloaded(const Layout& l, const Parameters& n, Placement& place) const {
  const double node = std::min(gpus_, node_gpus_);
  double host = units::in_bytes(place.optimizer_bytes);
  double down = job_.adapters ? 0 : units::in_bytes(place.gradient_bytes);
  double up = job_.adapters ? 0 : units::in_bytes(place.weights);
  if (l.zero >= 1 && !zero3(l)) {  // each rank updates its share
    down /= static_cast<double>(l.dp) * l.cp;
    up /= static_cast<double>(l.dp) * l.cp;
  }
  const double values = job_.adapters ? 0
                                      : optimizer_traffic_ * (n.dense + n.experts) /
                                            (zero3(l)      ? shard_ranks(l)
                                             : l.zero >= 1 ? static_cast<double>(l.dp) * l.cp
                                                           : 1);
  place.update = (down + up) / host_rate_ + values * node / kHostUpdateRate;
  place.optimizer_bytes = {};
  if (job_.offload == Offload::all) {
    const double weights = units::in_bytes(place.weights);
    const double gradients = units::in_bytes(place.gradient_bytes);
    host += weights + gradients;
    place.copies = (2 * weights + (job_.adapters ? 0 : gradients)) / host_rate_;
    place.update = values * node / kHostUpdateRate;
    place.weights = place.gradient_bytes = {};
  }
  place.host = bytes(kHostBuffers * host * node);
}

// Frozen weights have neither gradients nor states; the adapters have all three, whole on each
// rank.
void TrainingModel::place_frozen(const Layout& l, const Parameters& n, Placement& place) const {
  const double tables = (l.pp > 1 || shape_.tied ? 1 : 2) * shape_.vocab * shape_.hidden / l.tp;
  const double layers = n.dense - tables;
  const bool whole = zero3(l) && (!quantised() || job_.framework.shards_four_bit);
  const double shards = whole ? shard_ranks(l) : 1;
  const double expert_shards = whole ? n.expert_ranks : 1;
  const double body = frozen_bytes();
  const double frozen =
      (layers * body + tables * value_bytes_) / shards + n.experts * body / expert_shards;
  place.weights = bytes(frozen + kAdapterBytes * adapter_params_);
  // A trained table takes the place of the frozen one.
  const double trained = adapter_params_ + whole_params_ / l.tp;
  place.gradient_bytes = bytes(kAdapterBytes * trained);
  place.optimizer_bytes = bytes(optimizer_bytes_ * trained);
}

TrainingMemory TrainingModel::memory(const Layout& l, const Activations& part,
                                     const Placement& place) const {
  TrainingMemory m;
  m.weights = place.weights;
  m.gradients = place.gradient_bytes;
  m.optimizer = place.optimizer_bytes;
  const double layers = place.kept_layers;
  double flying = 1;
  if (l.pp > 1) {
    const double p = l.pp;
    flying =
        l.interleave > 1 ? p * (1 + (p - 1) / (p * l.interleave)) : std::min(micro_batches(l), p);
  }
  // The peak is on the first stage (most micro-batches in flight) or the last one (logits).
  const double first = part.kept * layers * flying + part.work;
  const double last = part.kept * layers + part.logits;
  if (l.pp > 1 ? last > first : part.logits > part.work) {
    m.activations = bytes(part.kept * layers);
    m.logits = bytes(part.logits);
  } else {
    m.activations = bytes(part.kept * layers * flying);
    m.working_set = bytes(part.work);
  }
  m.gathered = place.gathered;
  if (quantised()) m.scratch = bytes(kScratchBytes * shape_.hidden * widest_ffn());
  m.buffers = bytes(job_.framework.buffer_bytes);
  m.fragmentation = kFragmentation * estimate::total(m, kMemoryTerms);
  m.loading = std::max(units::Bytes{}, bytes(loading_bytes(l)) - estimate::total(m, kMemoryTerms));
  m.overhead = bytes(kContextBytes + (gpus_ > 1 ? kCommunicatorBytes : 0));
  return m;
}

}  // namespace gpusel::workload::llm
