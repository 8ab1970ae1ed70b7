#include "load.h"

#include "constants.h"

#include <algorithm>
#include <cmath>

namespace gpusel::workload::serving {
namespace {

using units::Seconds;

// Decode steps of one answer; the first token comes with the prompt.
double decode_steps(const Replica& r) { return std::max(1.0, r.traffic.answer - 1); }

double even_chunk(double tokens, double chunk) {
  return tokens / std::max(1.0, std::ceil(tokens / chunk));
}

// Pipelined engines keep one group of sequences in each stage; layer splitting runs one group
// through all.
double stages(const Replica& r) { return r.profile->layer_split ? 1 : r.layout.pipeline; }

// 95th percentile of the wait before a prompt, for Poisson arrivals and equal prompts (M/D/1; the
// tail taken as exponential with the mean wait of those who wait, S / (2 (1 - rho))).
Seconds queueing(Seconds service, double rate) {
  constexpr double kMostBusy = 0.95;
  const double busy = std::min(kMostBusy, rate * service.canonical());
  if (busy <= kTailShare) return units::seconds(0);
  return service * (std::log(busy / kTailShare) / (2 * (1 - busy)));
}

// The x in [low, high] up to which `holds` is true, for a test that turns false once.
template <class F>
double last_true(double low, double high, F&& holds) {
  if (holds(high)) return high;
  constexpr int kRounds = 16;  // geometric: better than 0.1 % over four decades
  for (int i = 0; i < kRounds; ++i) {
    const double middle = std::sqrt(low * high);
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

Operating latencies(const Replica& r, const StepTime& prefill, double sequences, TokenTime token,
                    double rate) {
  Operating o;
  o.sequences = sequences;
  o.rate = rate;
  o.handling = request_handling(r);
  o.prefill = prefill;
  o.running_step = token.step_length() / 2;
  o.token = token;
  o.tail = token.mean() * (kTail - 1);
  return o;
}

// The prompt is handed in: it is the same for every load.
Operating open_loop_with(const Replica& r, const StepTime& prefill, double sequences) {
  const TokenTime token = steady_token_time(r, sequences);
  const double rate =
      sequences / (std::max(1.0, r.traffic.answer) * units::in_seconds(token.mean()));
  Operating o = latencies(r, prefill, sequences, token, rate);
  o.queue = queueing(total(o.prefill), rate);
  return o;
}

}  // namespace

StepTime prefill_work(const Replica& r, double prompts) {
  const double tokens = r.traffic.fresh() * prompts;
  const double chunks = std::max(1.0, std::ceil(tokens / r.profile->chunk));
  const StepTime one = step_time(r, {0, 1, tokens / chunks, r.traffic.prompt_context()});
  const double g = r.layout.pipeline;
  const double overlap =
      r.profile->layer_split ? std::pow((chunks + g - 1) / (chunks * g), kLayerSplitOverlap) : 1;
  return scaled(one, chunks * overlap);
}

Seconds request_handling(const Replica& r) { return kRequestHost * r.profile->request_factor; }

Seconds prefill_time(const Replica& r, double prompts) {
  return total(prefill_work(r, prompts)) + request_handling(r);
}

TokenTime token_time(const Replica& r, double sequences, double prompt_tokens) {
  const double p = stages(r);
  const double context = r.traffic.prompt + r.traffic.answer / 2;
  const double chunk = r.profile->chunk;
  const double group = sequences / p;
  const double drafted = r.speculation.drafted;
  TokenTime time;
  time.tokens = r.speculation.tokens_per_step();
  const double dragged = prompt_tokens * time.tokens / p;
  const StepTime step = step_time(r, {group, context, 0, 0, drafted});
  const Seconds alone = total(step);
  if (dragged > 0) {
    const double piece =
        std::max(std::min(chunk, even_chunk(r.traffic.fresh(), chunk)), std::min(dragged, chunk));
    const double share = dragged / piece;
    const double with = r.profile->mixes_prompts ? group : 0;
    Seconds mixed =
        total(step_time(r, {with, context, piece, r.traffic.prompt_context(), drafted}));
    if (!r.profile->mixes_prompts) mixed += alone;
    const Seconds prompts = share <= 1 ? (mixed - alone) * share : mixed * share - alone;
    time.prompts = prompts / time.tokens;
  }
  time.step = scaled(step, 1 / time.tokens);
  time.bubble = (alone / time.tokens + time.prompts) * (kPipelineBubble * (p - 1));
  return time;
}

TokenTime steady_token_time(const Replica& r, double sequences) {
  return token_time(r, std::max(1.0, sequences),
                    sequences * r.traffic.fresh() / std::max(1.0, r.traffic.answer));
}

double steady_rate(const Replica& r, double sequences) {
  return sequences / (std::max(1.0, r.traffic.answer) *
                      units::in_seconds(steady_token_time(r, sequences).mean()));
}

Operating open_loop(const Replica& r, double sequences) {
  return open_loop_with(r, prefill_work(r, 1), sequences);
}

double useful_sequences(const Replica& r, double most) {
  const double full =
      r.profile->chunk * r.traffic.answer * stages(r) / std::max(1.0, r.traffic.fresh());
  return std::max(1.0, std::min(most, full));
}

Operating open_loop_at(const Replica& r, double rate, double most) {
  constexpr double kIdle = 1e-4;  // running sequences
  const double top = useful_sequences(r, most);
  return open_loop(r, last_true(kIdle, top, [&](double b) { return steady_rate(r, b) <= rate; }));
}

Operating closed_loop(const Replica& r, double clients, double most) {
  constexpr int kRounds = 12;  // damped fixed point
  const StepTime prefill = prefill_work(r, 1);
  const Seconds prompt = total(prefill) + request_handling(r);
  double running = std::min(clients, most);
  TokenTime token;
  Seconds wait;
  double rate = 0;
  for (int i = 0; i < kRounds; ++i) {
    const double others = std::max(0.0, running - 1);
    token = token_time(r, running, others * r.traffic.fresh() / std::max(1.0, r.traffic.answer));
    rate = running / (decode_steps(r) * units::in_seconds(token.mean()));
    const double burst = kBurst * r.profile->burst_factor * others / r.layout.data;
    wait = prompt * (1 + burst) + token.step_length() * (clients > 1.5 ? 0.5 : 0);
    const double decoding = std::max(0.02 * clients, clients - rate * units::in_seconds(wait));
    running = (running + std::min(most, decoding)) / 2;
  }
  Operating o = latencies(r, prefill, running, token, 0);
  if (clients <= 1.5) o.running_step = units::seconds(0);
  const double queued = std::max(0.0, clients - most - rate * units::in_seconds(wait));
  o.queue = wait - prompt - o.running_step + units::seconds(queued / rate);
  const Seconds answer = token.mean() * std::max(0.0, r.traffic.answer - 1);
  o.rate = clients / units::in_seconds(o.ttft() + answer);
  return o;
}

double highest_rate(const Replica& r, const Limits& limits, double most) {
  return limits.busy * steady_rate(r, useful_sequences(r, most));
}

Operating largest_load(const Replica& r, const Limits& limits, double most) {
  constexpr double kLone = 1e-3;  // running sequences: a request that meets no other
  const double top = useful_sequences(r, most);
  const double highest = highest_rate(r, limits, most);
  const StepTime prefill = prefill_work(r, 1);
  const auto within = [&](double b) {
    const Operating o = open_loop_with(r, prefill, b);
    return o.tpot() <= limits.tpot && o.ttft() <= limits.ttft && o.rate <= highest;
  };
  return open_loop_with(r, prefill, within(kLone) ? last_true(kLone, top, within) : 0.0);
}

double offline_rate(const Replica& r, units::Bytes pool) {
  const double tokens = r.traffic.prompt + r.profile->reserved_answer * r.traffic.answer;
  const double most = std::max(1.0, sequences_that_fit(r, pool, tokens));
  return steady_rate(r, std::min(most, kMostPerRank * r.layout.data));
}

}  // namespace gpusel::workload::serving
