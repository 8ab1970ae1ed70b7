#include "given_run.h"

#include "constants.h"

#include <algorithm>

namespace gpusel::workload::serving {
namespace {

using units::Bytes;
using units::Seconds;

// A run that was published did fit, whatever the formulas say of the last few gigabytes.
constexpr double kLeastPool = 0.02;  // share of the memory

Bytes pool_of(const Planner& planner, const Replica& r) {
  return std::max(cache_pool(r, planner.capacity()), r.device->memory * kLeastPool);
}

RunFigures static_batch(const Replica& r, double load, Bytes pool) {
  constexpr double kMeanAnswer = 0.75;  // share of the answers that the cache holds on average
  const double most =
      std::max(1.0, sequences_that_fit(r, pool, r.traffic.prompt + kMeanAnswer * r.traffic.answer));
  const double running = std::min(load, most);
  const Seconds step =
      total(step_time(r, {running, r.traffic.prompt + r.traffic.answer / 2, 0, 0}));
  const Seconds prompt = prefill_time(r, load);
  const Seconds whole = prompt + step * (std::max(0.0, r.traffic.answer - 1) * load / running);
  RunFigures f;
  f.ttft = prompt;
  f.tpot = step;
  f.whole = whole;
  f.requests = load / units::in_seconds(whole);
  f.memory = estimate::total(
      memory_of(r, running, r.traffic.prompt + r.traffic.answer, r.traffic.prompt * load),
      kMemoryTerms);
  return f;
}

RunFigures lone(const Replica& r, double load, Drive drive) {
  const Seconds step = total(step_time(r, {load, r.traffic.prompt + r.traffic.answer / 2, 0, 0}));
  RunFigures f;
  f.ttft = prefill_time(r, 1);
  f.tpot = step;
  f.whole = *f.ttft + step * r.traffic.answer;
  // A decode run times the tokens alone, a single stream the whole request.
  const Seconds timed = drive == Drive::decode ? step * r.traffic.answer : *f.whole;
  f.requests = load / units::in_seconds(timed);
  f.memory = estimate::total(
      memory_of(r, load, r.traffic.prompt + r.traffic.answer, r.traffic.prompt * load),
      kMemoryTerms);
  return f;
}

RunFigures prompts_only(const Replica& r, double load) {
  RunFigures f;
  f.ttft = prefill_time(r, load);
  f.prompts = load * r.traffic.prompt / units::in_seconds(*f.ttft);
  return f;
}

RunFigures loop(const Operating& at, double replicas) {
  RunFigures f;
  f.ttft = at.ttft();
  f.tpot = at.token.mean();
  f.requests = at.rate * replicas;
  return f;
}

// The better of the layout given and, for a mixture of experts that may spread, of attention as
// data parallel ranks over experts on all GPUs.
double best_offline_rate(const Planner& planner, const Replica& r, const GivenRun& run) {
  constexpr double kMostWeights = 0.85;  // share of the memory
  const double rate = offline_rate(r, pool_of(planner, r));
  const Layout& l = r.layout;
  const bool alone = l.pipeline == 1 && l.data == 1 && l.tensor > 1;
  if (r.shape->expert_layers == 0 || !run.may_spread || !alone) return rate;
  const Replica spread = planner.replica({1, 1, l.tensor, l.tensor}, 1);
  if (weights_per_gpu(spread) > r.device->memory * kMostWeights) return rate;
  return std::max(rate, offline_rate(spread, pool_of(planner, spread)));
}

RunFigures figures_of(const Planner& planner, const Replica& r, const GivenRun& run) {
  const double share = run.sequences / run.replicas;
  const double fit = std::max(
      1.0, sequences_that_fit(r, pool_of(planner, r), r.traffic.prompt + r.traffic.answer));
  switch (run.drive) {
    case Drive::decode:
    case Drive::single_stream:
      return lone(r, std::max(1.0, share), run.drive);
    case Drive::prefill:
      return prompts_only(r, std::max(1.0, share));
    case Drive::static_batch:
      return static_batch(r, std::max(1.0, share), pool_of(planner, r));
    case Drive::closed_loop:
      return loop(closed_loop(r, std::max(1.0, share), fit), run.replicas);
    case Drive::open_rate:
      return loop(open_loop_at(r, run.rate / run.replicas, fit), run.replicas);
    case Drive::offline:
      break;
  }
  RunFigures f;
  f.requests = best_offline_rate(planner, r, run) * run.replicas;
  return f;
}

}  // namespace

RunFigures run_as_given(const Planner& planner, const GivenRun& run) {
  const Replica r = planner.replica(run.layout, 1);
  RunFigures f = figures_of(planner, r, run);
  if (f.requests) {
    f.answers = *f.requests * r.traffic.answer;
    f.prompts = *f.requests * r.traffic.prompt;
  }
  return f;
}

}  // namespace gpusel::workload::serving
