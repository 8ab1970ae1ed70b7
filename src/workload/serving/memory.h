// Memory of one GPU of a replica, and how many sequences fit.
#pragma once

#include "shape.h"

#include "gpusel/estimate/ledger.h"

namespace gpusel::workload::serving {

struct ServingMemory {
  units::Bytes weights;
  units::Bytes kv_cache;
  units::Bytes activations;
  units::Bytes overhead;
};

inline constexpr estimate::Term<ServingMemory, units::Bytes> kMemoryTerms[] = {
    {"weights", "weights", &ServingMemory::weights,
     "(w_a n_att + w n_ffn + w n_shared) / (t p) + w n_experts / (t d p) + w_h n_tables / t + 2 "
     "n_other / p"},
    {"kv_cache", "KV cache", &ServingMemory::kv_cache,
     "(b / d) (L_global kv min(1, t / k) S + L_window kv min(S, window)) / (t p)"},
    {"activations", "activations", &ServingMemory::activations,
     "2 min(T, chunk) (13.4 h + 1.63 f / t)"},
    {"overhead", "context, graphs and workspace", &ServingMemory::overhead, "1.25 GB"}};

units::Bytes weights_per_gpu(const Replica& replica);
/// Peak of one step over so many prompt tokens; at most one chunk counts.
units::Bytes activations_per_gpu(const Replica& replica, double tokens);
units::Bytes overhead_per_gpu(const Replica& replica);
/// Cache of one sequence of so many tokens on each GPU that holds a part of it.
units::Bytes cache_per_gpu(const Replica& replica, double tokens);

/// With so many sequences of so many tokens in the replica, while `prompt_tokens` are being read.
ServingMemory memory_of(const Replica& replica, double sequences, double tokens,
                        double prompt_tokens);

/// What is left for the cache when the engine may fill `capacity` of each GPU; negative when
/// nothing fits.
units::Bytes cache_pool(const Replica& replica, units::Bytes capacity);
/// Sequences of so many tokens that the pool of the whole replica holds, at most what the engine
/// runs.
double sequences_that_fit(const Replica& replica, units::Bytes pool, double tokens);

}  // namespace gpusel::workload::serving
