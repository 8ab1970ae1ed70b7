#include "capacity.h"

#include "gpusel/units/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gpusel::workload::serving {
namespace {

// A load that is so much larger misses the limit that binds.
constexpr double kBeyond = 1.01;
// Where twice the sequences carry less than so much more, prompts and products fill the steps.
constexpr double kWorthwhile = 1.1;

double tokens_of(const Request& q) { return q.traffic.prompt + q.traffic.answer; }

// The pool, or what the engine runs at once where that is less.
Binding most_sequences(const Request& q, const Replica& r, const Fitting& f) {
  const double pooled = f.pool / cache_per_gpu(r, tokens_of(q)) * r.layout.data;
  return pooled > f.most * kBeyond ? Binding::engine : Binding::memory;
}

Binding closed_binding(const Request& q, const Replica& r, const Option& o) {
  const double next = o.sequences + 1;
  if (next > std::max(1.0, std::floor(o.fitting.most))) return most_sequences(q, r, o.fitting);
  const Operating more = closed_loop(r, next, o.fitting.most);
  return more.tpot() > q.limits.tpot ? Binding::tpot : Binding::ttft;
}

Binding open_binding(const Request& q, const Replica& r, const Option& o) {
  const double most = o.fitting.most;
  const double top = useful_sequences(r, most);
  const Operating more = open_loop(r, std::min(top, o.at.sequences * kBeyond));
  if (more.tpot() > q.limits.tpot) return Binding::tpot;
  if (more.ttft() > q.limits.ttft) return Binding::ttft;
  if (top < most) return Binding::compute;
  const double doubled = steady_rate(r, useful_sequences(r, 2 * most));
  return doubled > steady_rate(r, top) * kWorthwhile ? most_sequences(q, r, o.fitting)
                                                     : Binding::compute;
}

std::string text_of(const Request& q, const Replica& r, const Option& o, Binding binding) {
  switch (binding) {
    case Binding::memory:
      return fmt::format("memory: {} of cache per GPU hold {} sequences of {} tokens per replica",
                         units::show_gib(o.fitting.pool), units::show_number(o.fitting.most),
                         units::show_number(tokens_of(q), 9));
    case Binding::engine:
      return fmt::format("the engine: it runs {} sequences per replica at most",
                         units::show_number(o.fitting.most, 6));
    case Binding::ttft:
      return "the time to the first token: limit " + units::show_duration(q.limits.ttft);
    case Binding::tpot:
      return "the time per token: limit " + units::show_duration(q.limits.tpot);
    case Binding::compute:
      break;
  }
  return fmt::format("compute: prompts of {} tokens and products fill the steps",
                     units::show_number(r.traffic.fresh(), 9));
}

}  // namespace

std::string_view name_of(Binding binding) {
  constexpr std::string_view kNames[] = {"memory", "engine", "ttft", "tpot", "compute"};
  return kNames[static_cast<std::size_t>(binding)];
}

Binding binding_of(const Request& q, const Replica& r, const Option& most) {
  return q.clients ? closed_binding(q, r, most) : open_binding(q, r, most);
}

double requests_at_most(const Request& q, const Replica& r, const Option& most) {
  if (!q.clients) return most.capacity;
  return closed_loop(r, most.sequences, most.fitting.most).rate * most.replicas;
}

estimate::ServiceCapacity capacity_of(const Request& q, const Replica& r, const Option& most) {
  estimate::ServiceCapacity c;
  c.requests = requests_at_most(q, r, most);
  c.throughput = units::ItemsPerSecond{c.requests * q.traffic.answer};
  c.concurrency = most.sequences * most.replicas;
  const Binding binding = binding_of(q, r, most);
  c.limit = name_of(binding);
  c.text = text_of(q, r, most, binding);
  return c;
}

}  // namespace gpusel::workload::serving
