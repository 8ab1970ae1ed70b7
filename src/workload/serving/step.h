// The time of one engine step: one decode token for every running sequence, and a piece of the
// waiting prompts.
#pragma once

#include "shape.h"

#include "gpusel/estimate/ledger.h"

namespace gpusel::workload::serving {

/// What one step works on, summed over the attention ranks of the replica.
struct StepLoad {
  double sequences = 0;       // that decode
  double context = 0;         // their mean length, tokens
  double prompt_tokens = 0;   // of waiting prompts
  double prompt_context = 0;  // mean length that a prompt token attends to
  double drafted = 0;         // tokens of each sequence that are verified with the next one
};

struct StepTime {
  units::Seconds projections;
  units::Seconds feed_forward;
  units::Seconds experts;
  units::Seconds cache_reads;
  units::Seconds prompt_attention;
  units::Seconds communication;
  units::Seconds output_table;
  units::Seconds conversion;
  units::Seconds launches;
  units::Seconds host;
  units::Seconds drafts;
};

inline constexpr estimate::Term<StepTime, units::Seconds> kStepTerms[] = {
    {"projections", "attention projections", &StepTime::projections,
     "join(n w / W, 2 n m / P), n = A L / t"},
    {"feed_forward", "dense feed-forward", &StepTime::feed_forward,
     "join(n w / W, 2 n m / P), n = F L_d / t"},
    {"experts", "experts", &StepTime::experts,
     "L_m (join(touched e w / W, 2 M k e i / P) + shared + fixed + 8 M k h / W)"},
    {"cache_reads", "attention over the cache", &StepTime::cache_reads,
     "b S kv L / W_kv, with latent compute"},
    {"prompt_attention", "attention within prompts", &StepTime::prompt_attention,
     "2 T S' (H / t) d_kv L / P_a"},
    {"communication", "all-reduce and exchange", &StepTime::communication,
     "L (2 allreduce(2 m h)) + expert exchange + hops between nodes"},
    {"output_table", "output table", &StepTime::output_table,
     "join(n w / W, 2 n b / P16), n = h V / t"},
    {"conversion", "unpacking and element-wise work", &StepTime::conversion,
     "c n min(m, 8) / (t F32) + 2 m (h + 0.37 f / t) x L / W"},
    {"launches", "launches per layer", &StepTime::launches, "L t_layer"},
    {"host", "host work", &StepTime::host, "t_step + t_seq b"},
    {"drafts", "draft tokens", &StepTime::drafts,
     "k (one layer + output table), one after another"}};

inline units::Seconds total(const StepTime& time) { return estimate::total(time, kStepTerms); }
/// `a` with every term scaled.
StepTime scaled(const StepTime& a, double factor);
StepTime sum(const StepTime& a, const StepTime& b);

StepTime step_time(const Replica& replica, const StepLoad& load);

/// An all-reduce over the tensor ranks.
units::Seconds all_reduce(const Device& device, int gpus, units::Bytes message);

}  // namespace gpusel::workload::serving
