#include "planner.h"

#include "constants.h"
#include "intervals.h"

#include "gpusel/units/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gpusel::workload::serving {
namespace {

using estimate::DoesNotFit;
using units::Bytes;
using units::Seconds;

// A replica over more nodes than this has more pipeline than work.
constexpr int kMostSpan = 4;
constexpr int kMostStages = 64;
// Tensor parallel groups without a link: beyond a pair the all-reduce over PCIe eats the gain.
constexpr int kMostPcieTensor = 2;
// Loads that differ by less are the same (rounding of products and quotients).
constexpr double kSame = 1 + 1e-9;

std::optional<DoesNotFit> engine_misfit(const Engine& engine, const Profile& profile,
                                        const catalog::Gpu& gpu) {
  const auto& vendors = engine.vendors;
  const double least = profile.compute_capability.value_or(engine.compute_capability.value_or(0));
  const bool maker =
      vendors.empty() || std::find(vendors.begin(), vendors.end(), gpu.vendor) != vendors.end();
  const bool old = gpu.vendor == "nvidia" && gpu.capability().value_or(0) < least;
  if (maker && !old) return std::nullopt;
  DoesNotFit why{"engine", 0, 0, engine.name + " does not run on " + gpu.name,
                 "--engine llama.cpp, or a GPU that the engine supports"};
  if (!maker) return why;
  why.text = fmt::format("{} {} does not run on {}: it needs compute capability {}", engine.name,
                         profile.versions, gpu.name, units::show_number(least));
  // An older generation may still have known the GPU.
  for (const Profile& p : engine.profiles) {
    const bool knows = gpu.capability().value_or(0) >=
                       p.compute_capability.value_or(engine.compute_capability.value_or(0));
    if (knows && (p.only_vendor.empty() || p.only_vendor == gpu.vendor))
      why.what_would_help = "--engine-profile " + p.id + ", --engine llama.cpp, or a newer GPU";
  }
  return why;
}

DoesNotFit no_gpu() {
  return {"gpu_memory", 1, 0, "the machine has no GPU", "an instance with GPUs"};
}

}  // namespace

Planner::Planner(const Request& request, const estimate::Machine& machine)
    : request_(request), machine_(machine) {
  if (machine.gpu == nullptr || machine.hardware->count == 0) {
    blocked_ = no_gpu();
    return;
  }
  blocked_ = engine_misfit(request.engine, request.profile, *machine.gpu);
  if (blocked_) return;
  const auto weights = resolve_weights(request.format, request.card, *machine.gpu, request.profile);
  if (!weights) {
    blocked_ = weights.error();
    return;
  }
  weights_ = *weights;
  const auto device = device_of(*machine.gpu, weights_, request.profile);
  if (device) device_ = *device;
  if (!device) unknown_ = device.error();
  if (!unknown_ && machine.curves == nullptr) {
    unknown_ = DoesNotFit{"curves", 0, 0,
                          "nothing measured says how fast " + machine.gpu->name + " serves",
                          "a GPU with an efficiency class, see `gpusel gpus show`"};
  }
}

Bytes Planner::capacity() const {
  const double share = std::min(request_.profile.memory_share, 1 - request_.headroom.value_or(0));
  return machine_.gpu_memory() * share;
}

bool Planner::splits(int tensor) const {
  const ModelCard& c = request_.card;
  if (c.heads % tensor != 0) return false;
  const int kv = std::max(1, c.kv_heads);
  const bool even = kv % tensor == 0 || tensor % kv == 0;
  const bool wide = c.ffn % tensor == 0 && (!c.is_moe() || c.expert_ffn % tensor == 0);
  return (c.mla || even) && wide;
}

int Planner::most_tensor() const {
  const int node = machine_.gpus_per_node();
  if (machine_.gpu->is_slice() || request_.profile.layer_split) return 1;
  if (request_.tensor) return node;
  if (device_.wiring == Wiring::pcie) return std::min(node, kMostPcieTensor);
  return std::min(node, std::max(1, device_.domain));
}

void Planner::add_expert_layouts(int tensor, std::vector<Layout>& all) const {
  const ModelCard& c = request_.card;
  const auto add = [&](int ranks) {
    const int group = tensor * ranks;
    if (c.experts % group == 0) all.push_back({tensor, 1, ranks, group});
  };
  if (tensor > 1) add(1);
  if (!request_.profile.spreads_attention || machine_.gpu->is_slice()) return;
  for (int ranks = 2; tensor * ranks <= machine_.gpus_per_node(); ranks *= 2) add(ranks);
}

std::vector<Layout> Planner::layouts(int span) const {
  const int node = machine_.gpus_per_node();
  std::vector<Layout> all;
  for (int t = 1; t <= most_tensor(); ++t) {
    if ((request_.tensor && t != *request_.tensor) || !splits(t)) continue;
    const int most = std::min({kMostStages, request_.card.layers, span * node / t});
    for (int p = 1; p <= most; ++p) {
      if (request_.pipeline && p != *request_.pipeline) continue;
      if (machine_.gpu->is_slice() && p > 1) continue;
      const bool whole = span == 1 ? request_.pipeline || node % (t * p) == 0
                                   : node % t == 0 && t * p == span * node;
      if (whole) all.push_back({t, p, 1, 1});
      if (p == 1 && span == 1 && request_.card.is_moe() && !request_.profile.layer_split) {
        add_expert_layouts(t, all);
      }
    }
  }
  return all;
}

Replica Planner::replica(const Layout& layout, int span) const {
  Replica r;
  r.shape = &request_.shape;
  r.device = &device_;
  r.profile = &request_.profile;
  r.weights = weights_;
  r.kv_value_bytes = request_.kv_value_bytes.value_or(default_kv_bytes(weights_, request_.profile));
  r.layout = layout;
  r.traffic = request_.traffic;
  r.speculation = request_.speculation;
  if (span == 1) return r;
  const catalog::Fabric* fabric = machine_.fabric;
  const double share =
      fabric != nullptr ? fabric->efficiency.value_or(kNetworkShare) : kNetworkShare;
  r.hop.latency = fabric != nullptr ? fabric->latency.value_or(kNetworkHop) : kNetworkHop;
  r.hop.bandwidth = machine_.network_per_gpu().value_or(units::gbps(1)) * share;
  r.hop.count = span - 1;
  return r;
}

bool Planner::fits(const Replica& r, Bytes pool) const {
  return pool > units::bytes(0) && cache_per_gpu(r, request_.max_context) <= pool;
}

std::vector<Fitting> Planner::fitting(int nodes) const {
  std::vector<Fitting> found;
  const double tokens = request_.traffic.prompt + request_.traffic.answer;
  for (int span = 1; span <= std::min(nodes, kMostSpan) && found.empty(); ++span) {
    for (const Layout& layout : layouts(span)) {
      const Replica r = replica(layout, span);
      const Bytes pool = cache_pool(r, capacity());
      if (!fits(r, pool)) continue;
      const double most = sequences_that_fit(r, pool, tokens);
      found.push_back({layout, span, pool, std::min(most, kMostPerRank * layout.data)});
    }
  }
  return found;
}

ServingMemory Planner::memory(const Replica& r, double sequences) const {
  return memory_of(r, sequences, request_.traffic.prompt + request_.traffic.answer,
                   kMostActivationTokens);
}

int Planner::replicas(const Fitting& f, int nodes) const {
  if (f.span > 1) return nodes / f.span;
  return nodes * (machine_.gpus_per_node() / f.layout.gpus());
}

bool Planner::meets(const Operating& at) const {
  return at.ttft() <= request_.limits.ttft && at.tpot() <= request_.limits.tpot;
}

// The most clients of one replica (closed load) within the limits; 0 where one is too many.
double Planner::within_limits(const Replica& r, double most) const {
  const auto good = [&](double clients) { return meets(closed_loop(r, clients, most)); };
  if (!good(1)) return 0;
  double low = 1;
  double high = std::max(1.0, std::floor(most));
  if (good(high)) return high;
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    (good(middle) ? low : high) = middle;
  }
  return low;
}

double Planner::most_capacity(const Fitting& f, int nodes) const {
  const double each = request_.clients
                          ? std::max(1.0, std::floor(f.most))
                          : highest_rate(replica(f.layout, f.span), request_.limits, f.most);
  return each * replicas(f, nodes);
}

Option Planner::carry(const Fitting& f, int nodes) const {
  const Replica r = replica(f.layout, f.span);
  Option o{f, replicas(f, nodes), {}, 0, 0, 0};
  if (o.replicas == 0) return o;
  if (request_.clients) {
    const double clients = std::ceil(std::max(1.0, *request_.clients / o.replicas));
    o.sequences = within_limits(r, f.most);
    o.capacity = o.sequences * o.replicas;
    o.at = closed_loop(r, clients, f.most);
    o.rate = o.at.rate / clients * *request_.clients;
    return o;
  }
  o.at = largest_load(r, request_.limits, f.most);
  o.sequences = o.at.sequences;
  o.capacity = o.at.rate * o.replicas;
  o.rate = o.capacity;
  return o;
}

Option Planner::with_load(Option o) const {
  if (o.replicas > 0 && request_.rate && o.capacity * kSame >= *request_.rate) {
    const Replica r = replica(o.fitting.layout, o.fitting.span);
    o.at = open_loop_at(r, *request_.rate / o.replicas, std::max(o.sequences, 1e-3));
    o.rate = *request_.rate;
  }
  return o;
}

// Nodes of groups of `span` that carry the load, each with so many replicas and so much capacity.
double Planner::nodes_for_load(const Fitting& f, int replicas, double capacity) const {
  const double load = request_.rate.value_or(request_.clients.value_or(0));
  // A client is whole: each replica takes whole ones.
  const double groups = std::ceil(
      std::max(load / capacity / kSame, request_.min_replicas / static_cast<double>(replicas)));
  return std::max(1.0, groups) * f.span;
}

std::optional<int> Planner::fewest_nodes(const std::vector<Fitting>& fitting) const {
  std::vector<std::pair<double, const Fitting*>> by_bound;
  for (const Fitting& f : fitting) {
    const int group = replicas(f, f.span);
    if (group > 0) by_bound.emplace_back(nodes_for_load(f, group, most_capacity(f, f.span)), &f);
  }
  std::stable_sort(by_bound.begin(), by_bound.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::optional<int> fewest;
  for (const auto& [bound, f] : by_bound) {
    // Exact: no layout needs fewer nodes than its bound.
    if (bound > request_.max_nodes || (fewest && bound >= *fewest)) break;
    const Option group = carry(*f, f->span);
    if (group.capacity <= 0) continue;
    const double nodes = nodes_for_load(*f, group.replicas, group.capacity);
    if (nodes > request_.max_nodes) continue;
    fewest = std::min(fewest.value_or(request_.max_nodes), static_cast<int>(nodes));
  }
  return fewest;
}

estimate::Verdict<Option> Planner::search(SearchCount& count) const {
  if (blocked_) return *blocked_;
  const std::vector<Fitting> candidates = fitting(machine_.nodes);
  if (candidates.empty()) return memory_misfit(machine_.nodes);
  if (unknown_) return *unknown_;
  if (candidates.front().span > 1 && !machine_.network_per_gpu()) {
    return DoesNotFit{
        "network", 0, 0, "a replica needs several nodes, and their network is not known",
        "an instance with a known network, or fewer bytes per weight: --weights-dtype"};
  }
  const double load = request_.rate.value_or(request_.clients.value_or(0));
  std::optional<Option> best;
  bool any_within = false;
  for (const Fitting& f : candidates) {
    // Exact: without clients the capacity is all that a layout is worth, and this one has less.
    if (best && !request_.clients && most_capacity(f, machine_.nodes) <= best->capacity * kSame)
      continue;
    ++count.evaluated;
    const Option o = carry(f, machine_.nodes);
    any_within = any_within || o.sequences > 0;
    if (o.sequences <= 0 || o.replicas < request_.min_replicas || o.capacity * kSame < load)
      continue;
    // Of layouts that carry a stated rate, the one with the most to spare; of others the fastest.
    const auto worth = [&](const Option& x) { return request_.clients ? x.rate : x.capacity; };
    if (!best || worth(o) > worth(*best) * kSame) best = o;
  }
  if (best) return with_load(*best);
  return any_within ? too_small(candidates) : too_slow(candidates);
}

DoesNotFit Planner::memory_misfit(int nodes) const {
  DoesNotFit why{"gpu_memory", 0, in_bytes(capacity()), "", ""};
  for (int span = 1; span <= std::min(nodes, kMostSpan); ++span) {
    for (const Layout& layout : layouts(span)) {
      const Replica r = replica(layout, span);
      const Bytes need =
          estimate::total(memory(r, 0), kMemoryTerms) + cache_per_gpu(r, request_.max_context);
      if (why.needed == 0 || in_bytes(need) < why.needed) why.needed = in_bytes(need);
    }
  }
  if (why.needed == 0) {
    return {"layout", 0, 0, "no layout of the model splits as asked over the GPUs of the machine",
            "--tp and --pp that divide the heads and the GPUs of a node, or auto"};
  }
  why.least = why.needed * kMemory.low;
  why.text = "needs " + units::show_gib(units::bytes(why.needed)) +
             " per GPU for weights and one sequence, may use " + units::show_gib(capacity());
  why.what_would_help = "more or larger GPUs";
  if (request_.format.bytes > 1)
    why.what_would_help += ", or fewer bytes per weight: --weights-dtype fp8 or int4";
  if (request_.format.bytes == 1)
    why.what_would_help += ", or fewer bytes per weight: --weights-dtype int4";
  return why;
}

DoesNotFit Planner::too_slow(const std::vector<Fitting>& fitting) const {
  double least = 0;
  Operating best;
  for (const Fitting& f : fitting) {
    const Replica r = replica(f.layout, f.span);
    const Operating at = request_.clients ? closed_loop(r, 1, f.most) : open_loop(r, 0);
    const double excess =
        std::max(at.ttft() / request_.limits.ttft, at.tpot() / request_.limits.tpot);
    if (least == 0 || excess < least) {
      least = excess;
      best = at;
    }
  }
  const bool first = best.ttft() / request_.limits.ttft >= best.tpot() / request_.limits.tpot;
  const Seconds reached = first ? best.ttft() : best.tpot();
  const Seconds limit = first ? request_.limits.ttft : request_.limits.tpot;
  return {"latency", in_seconds(reached), in_seconds(limit),
          "at best " + units::show_duration(best.ttft()) + " to the first token and " +
              units::show_duration(best.tpot()) + " per token; limits " +
              units::show_duration(request_.limits.ttft) + " and " +
              units::show_duration(request_.limits.tpot),
          first ? "a GPU with more compute, a shorter prompt, or --ttft " +
                      units::show_duration(reached * 1.1)
                : "a GPU with more memory bandwidth, fewer bytes per weight, or --tpot " +
                      units::show_duration(reached * 1.1)};
}

DoesNotFit Planner::too_small(const std::vector<Fitting>& fitting) const {
  double most = 0;
  int replicas_most = 0;
  for (const Fitting& f : fitting) {
    const Option o = carry(f, machine_.nodes);
    most = std::max(most, o.capacity);
    if (o.capacity > 0) replicas_most = std::max(replicas_most, o.replicas);
  }
  if (replicas_most < request_.min_replicas) {
    return {"throughput", static_cast<double>(request_.min_replicas),
            static_cast<double>(replicas_most),
            "holds " + std::to_string(replicas_most) + " replicas, asked are " +
                std::to_string(request_.min_replicas),
            "more nodes: --max-nodes"};
  }
  const double load = request_.rate.value_or(request_.clients.value_or(0));
  const std::string unit = request_.rate ? " requests/s" : " clients";
  return {"throughput", load, most,
          "carries " + units::show_number(most) + unit + " within the limits, asked are " +
              units::show_number(load),
          "more nodes: --max-nodes, or wider limits"};
}

}  // namespace gpusel::workload::serving
