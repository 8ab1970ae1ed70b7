// From steps to metrics: prompts, tokens, closed and open loops, the largest load within limits.
#pragma once

#include "memory.h"
#include "step.h"

namespace gpusel::workload::serving {

/// Reading `prompts` prompts together, without the handling of the request.
StepTime prefill_work(const Replica& replica, double prompts);
units::Seconds request_handling(const Replica& replica);
/// The whole time before the first token of an idle replica.
units::Seconds prefill_time(const Replica& replica, double prompts);

/// Mean time per output token.
struct TokenTime {
  StepTime step;           // of the running sequences, shared among the tokens of a step
  units::Seconds prompts;  // prompt work that shares the steps
  units::Seconds bubble;   // of the pipeline
  double tokens = 1;       // of one sequence and step
  [[nodiscard]] units::Seconds mean() const { return total(step) + prompts + bubble; }
  [[nodiscard]] units::Seconds step_length() const { return mean() * tokens; }
};
/// With so many running sequences, and so many prompt tokens for each decode step.
TokenTime token_time(const Replica& replica, double sequences, double prompt_tokens);
/// The same where every sequence that ends is replaced.
TokenTime steady_token_time(const Replica& replica, double sequences);

/// Requests per second of a replica with so many running sequences in steady state.
double steady_rate(const Replica& replica, double sequences);

/// Where a replica works: sequences and rate, and the latencies that follow.
struct Operating {
  double sequences = 0;  // that decode, on average
  double rate = 0;       // requests per second
  units::Seconds handling;
  StepTime prefill;
  units::Seconds running_step;  // the step in progress, half of it
  units::Seconds queue;
  TokenTime token;
  units::Seconds tail;  // from the mean to the 95th percentile of the time per token
  [[nodiscard]] units::Seconds ttft() const {
    return handling + total(prefill) + running_step + queue;
  }
  [[nodiscard]] units::Seconds tpot() const { return token.mean() + tail; }
};

/// Requests that arrive by themselves (Poisson); queueing is the 95th percentile.
Operating open_loop(const Replica& replica, double sequences);
/// The open loop that carries a rate; `most` running sequences at most. Sequences are `most` when
/// it saturates.
Operating open_loop_at(const Replica& replica, double rate, double most);
/// So many clients, each with one request at a time; `most` running sequences at most.
Operating closed_loop(const Replica& replica, double clients, double most);

struct Limits {
  units::Seconds ttft;
  units::Seconds tpot;
  double busy;  // most of its saturated rate that a replica is asked to carry on average
};
/// The largest open loop within the limits; rate 0 where even a lone
/// request misses them.
Operating largest_load(const Replica& replica, const Limits& limits, double most);
/// No load that keeps to `limits.busy` is larger, whatever the other limits.
double highest_rate(const Replica& replica, const Limits& limits, double most);
/// Running sequences up to which more of them carry more: beyond it, prompts fill the steps.
double useful_sequences(const Replica& replica, double most);

/// Offline: requests per second with the pool full.
double offline_rate(const Replica& replica, units::Bytes pool);

}  // namespace gpusel::workload::serving
