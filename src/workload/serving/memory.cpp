#include "memory.h"

#include "constants.h"

#include <algorithm>

namespace gpusel::workload::serving {
namespace {

constexpr double kPlainBytes = 2;  // norms, positions and parts outside the decoder stay at 16 bits

}  // namespace

units::Bytes weights_per_gpu(const Replica& r) {
  const Shape& s = *r.shape;
  const double t = r.layout.tensor;
  const double p = r.layout.pipeline;
  const double w = r.weights.format.bytes;
  const double routed = s.expert_layers * s.experts * s.one_expert;
  const double drafts = r.speculation.memory_factor(s.layers);
  const double staged = s.projections * r.weights.attention_bytes / t +
                        (s.dense + s.expert_fixed) * w / t + routed * w / r.expert_group() +
                        s.other * kPlainBytes;
  const WeightFormat& format = r.weights.format;
  const double tables = format.head_bytes + (s.tables - 1) * format.embedding_bytes;
  return units::bytes(staged * drafts / p + tables * s.table / t);
}

units::Bytes activations_per_gpu(const Replica& r, double tokens) {
  const double most = std::min(static_cast<double>(r.profile->chunk), tokens);
  return units::bytes(
      2 * most *
      (kActivationHidden * r.shape->hidden + kActivationFfn * r.shape->ffn / r.layout.tensor));
}

units::Bytes overhead_per_gpu(const Replica& r) { return kContext * r.profile->context_factor; }

units::Bytes cache_per_gpu(const Replica& r, double tokens) {
  return cache_bytes(r, tokens) * r.speculation.memory_factor(r.shape->layers) /
         static_cast<double>(r.layout.pipeline);
}

ServingMemory memory_of(const Replica& r, double sequences, double tokens, double prompt_tokens) {
  return {weights_per_gpu(r), cache_per_gpu(r, tokens) * (sequences / r.layout.data),
          activations_per_gpu(r, prompt_tokens), overhead_per_gpu(r)};
}

units::Bytes cache_pool(const Replica& r, units::Bytes capacity) {
  return capacity - weights_per_gpu(r) - activations_per_gpu(r, kMostActivationTokens) -
         overhead_per_gpu(r);
}

double sequences_that_fit(const Replica& r, units::Bytes pool, double tokens) {
  const units::Bytes one = cache_per_gpu(r, tokens);
  const double most = r.profile->max_sequences;
  if (one <= units::bytes(0)) return most;
  return std::min(most, std::max(0.0, pool / one) * r.layout.data);
}

}  // namespace gpusel::workload::serving
