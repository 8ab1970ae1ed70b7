#include "inference.h"

#include "capacity.h"
#include "constants.h"
#include "explain.h"
#include "planner.h"

#include "gpusel/estimate/fit.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gpusel::workload::serving {
namespace {

using estimate::Bound;
using estimate::Machine;
using estimate::Plan;
using units::Bytes;
using units::Seconds;

// The last only where the search chooses the format.
constexpr std::array<std::string_view, 7> kChoiceNames = {"tp",       "pp",    "dp",     "ep",
                                                          "replicas", "batch", "weights"};
constexpr std::size_t kWeightsChoice = 6;
// A narrower format must carry so much more to be worth its loss of accuracy.
constexpr double kWorthNarrower = 1.05;

int batch_of(const Option& o, const Request& request) {
  const double most = std::max(1.0, std::floor(o.fitting.most));
  const double wanted = request.clients ? *request.clients / std::max(1, o.replicas) : o.sequences;
  return static_cast<int>(std::clamp(std::ceil(wanted), 1.0, most));
}

// GPU time that one request takes at the least on any layout: its products at the full rate, its
// reads of the cache and the host's work, as if nothing had to be shared, waited for or sent.
Seconds least_gpu_time(const Request& q, const Planner& planner) {
  const Shape& s = q.shape;
  const Device& d = planner.device();
  const Replica one = planner.replica({}, 1);
  const bool wide = planner.weights().attention_bytes > planner.weights().format.bytes;
  const double tokens = q.traffic.fresh() + q.traffic.answer;
  const Seconds token = units::flops(2 * s.projections) / (wide ? d.wide_products : d.products) +
                        units::flops(2 * (s.dense + s.expert_fixed)) / d.products +
                        units::flops(2 * s.expert_layers * s.top_k * s.one_expert) /
                            (d.products * (kGroupedProduct * q.profile.grouped_factor));
  const Seconds step = cache_bytes(one, q.traffic.prompt + q.traffic.answer / 2) / d.kv_read +
                       kSequenceHost * q.profile.sequence_factor;
  const Seconds answer =
      units::flops(2 * s.table) / d.table_products + step / q.speculation.tokens_per_step();
  return token * tokens + answer * q.traffic.answer;
}

// One request for each format that may be chosen, widest first.
std::vector<Request> by_format(const Request& request) {
  std::vector<Request> all;
  for (const WeightFormat& format : request.formats) {
    all.push_back(request);
    all.back().format = format;
  }
  return all;
}

class Inference final : public Workload {
 public:
  explicit Inference(const Request& request) : requests_(by_format(request)) {}

  [[nodiscard]] std::string_view kind() const override { return "llm-inference"; }
  [[nodiscard]] Nature nature() const override { return Nature::service; }
  [[nodiscard]] const Traits& traits() const override { return request().traits; }
  [[nodiscard]] std::string_view throughput_unit() const override { return "tokens/s"; }
  [[nodiscard]] std::span<const std::string_view> choice_names() const override {
    return std::span(kChoiceNames)
        .first(requests_.size() > 1 ? kChoiceNames.size() : kWeightsChoice);
  }
  [[nodiscard]] std::string choice_text(std::size_t choice, int value) const override {
    if (choice == kWeightsChoice) return std::string(of_format(value).format.name);
    return std::to_string(value);
  }
  [[nodiscard]] const std::vector<Field>& fields() const override { return request().fields; }
  [[nodiscard]] const std::vector<estimate::Assumption>& assumptions() const override {
    return request().assumptions;
  }

  [[nodiscard]] std::vector<int> node_counts(const catalog::Catalog& catalog,
                                             const catalog::Hardware& hardware) const override {
    if (request().nodes) return {*request().nodes};
    const Machine one = estimate::make_machine(catalog, hardware, 1);
    int fewest = 0;
    for (const Request& q : requests_) {
      const int nodes = nodes_of(q, one);
      if (nodes > 0 && (fewest == 0 || nodes < fewest)) fewest = nodes;
    }
    return {std::max(1, fewest)};
  }

  [[nodiscard]] Bound bound(const Machine& machine) const override {
    std::optional<Bound> least;
    for (const Request& q : requests_) {
      const Planner planner(q, machine);
      if (planner.blocked()) continue;
      const Bound bound{least_memory(q, planner, machine), least_time(q, planner, machine)};
      least = least
                  ? Bound{std::min(least->memory, bound.memory), std::min(least->time, bound.time)}
                  : bound;
    }
    return least.value_or(Bound{});
  }

  // Of formats that carry the load the widest, unless it leaves little memory for the cache, or a
  // narrower one carries clearly more where no rate is given.
  [[nodiscard]] estimate::Verdict<Plan> search(const Machine& machine,
                                               SearchCount& count) const override {
    std::optional<Plan> best;
    bool best_is_tight = false;
    std::optional<estimate::DoesNotFit> why;
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      const Planner planner(requests_[i], machine);
      const estimate::Verdict<Option> option = planner.search(count);
      if (!option) {
        if (!why || !planner.blocked()) why = option.error();
        continue;
      }
      Plan plan = plan_of(planner, *option, machine);
      plan.choices[kWeightsChoice] = static_cast<int>(i);
      const bool tight = option->fitting.pool < machine.gpu_memory() * estimate::kTightCache;
      const bool more = best && !request().rate &&
                        plan.figures.throughput > best->figures.throughput * kWorthNarrower;
      if (best && !more && (!best_is_tight || tight)) continue;
      best = plan;
      best_is_tight = tight;
    }
    if (best) return *best;
    return *why;
  }

  [[nodiscard]] estimate::Estimate explain(const Plan& plan,
                                           const Machine& machine) const override {
    const Request& q = of_format(plan.choices[kWeightsChoice]);
    const Planner planner(q, machine);
    const Layout layout{plan.choices[0], plan.choices[1], plan.choices[2], plan.choices[3]};
    const int node = machine.gpus_per_node();
    const int span = (layout.gpus() + node - 1) / node;
    const Replica r = planner.replica(layout, span);
    const Bytes pool = cache_pool(r, planner.capacity());
    const double tokens = q.traffic.prompt + q.traffic.answer;
    const double most = std::min(sequences_that_fit(r, pool, tokens), kMostPerRank * layout.data);
    const Option carried = planner.carry({layout, span, pool, most}, machine.nodes);
    const Option option = planner.with_load(carried);
    const ServingMemory memory = planner.memory(r, plan.choices[5]);
    return explain_serving({q, machine, r, carried, option, memory, planner.capacity(), pool});
  }

 private:
  [[nodiscard]] const Request& request() const { return requests_.front(); }
  [[nodiscard]] const Request& of_format(int index) const {
    return requests_.at(static_cast<std::size_t>(index));
  }

  // Nodes for the load, or for one replica where it cannot be carried; 0 where nothing runs.
  static int nodes_of(const Request& q, const Machine& one) {
    const Planner planner(q, one);
    if (planner.blocked()) return 0;
    const std::vector<Fitting> fitting = planner.fitting(q.max_nodes);
    if (fitting.empty()) return 0;
    const int span = fitting.front().span;
    if (one.curves == nullptr || (span > 1 && !one.network_per_gpu())) return span;
    const std::optional<int> fewest = planner.fewest_nodes(fitting);
    if (fewest) return *fewest;
    // Not the limits but the count stands in the way: the search on all nodes says by how much.
    for (const Fitting& f : fitting) {
      if (planner.carry(f, f.span).capacity > 0) return q.max_nodes;
    }
    return span;
  }

  static Bytes least_memory(const Request& q, const Planner& planner, const Machine& machine) {
    const int gpus = machine.gpus();
    // All parts shared by all GPUs; parts that layouts copy only raise it.
    const Replica r = planner.replica({}, 1);
    const Bytes activations =
        units::bytes(2 * std::min<double>(q.profile.chunk, kMostActivationTokens) *
                     kActivationHidden * q.shape.hidden);
    return weights_per_gpu(r) / static_cast<double>(gpus) + activations + overhead_per_gpu(r);
  }

  static Seconds least_time(const Request& q, const Planner& planner, const Machine& machine) {
    const double answer = q.traffic.answer;
    if (q.rate) return units::seconds(1 / (*q.rate * answer));
    if (planner.unknown()) return units::seconds(0);
    if (!q.clients) return least_gpu_time(q, planner) / (q.limits.busy * machine.gpus() * answer);
    // A client waits at least for the fixed times of its steps.
    const Seconds step = kStepHost * q.profile.step_factor +
                         kLayerLaunch * (q.profile.layer_factor * q.shape.layers);
    return step * std::max(1.0, answer - 1) /
           (*q.clients * answer * q.speculation.tokens_per_step());
  }

  static Plan plan_of(const Planner& planner, const Option& o, const Machine& machine) {
    const Request& q = planner.request();
    const Layout& l = o.fitting.layout;
    const int batch = batch_of(o, q);
    Plan plan;
    plan.choices = {l.tensor, l.pipeline, l.data, l.expert, o.replicas, batch};
    const Replica r = planner.replica(l, o.fitting.span);
    estimate::Figures& f = plan.figures;
    f.memory = estimate::total(planner.memory(r, batch), kMemoryTerms);
    f.capacity = planner.capacity();
    f.flops = estimate::total(request_flops(q), kFlopsTerms);
    f.ttft = o.at.ttft();
    f.tpot = o.at.tpot();
    f.step = f.ttft + f.tpot * std::max(0.0, q.traffic.answer - 1);
    f.throughput = units::ItemsPerSecond{o.rate * q.traffic.answer};
    f.most = units::ItemsPerSecond{requests_at_most(q, r, o) * q.traffic.answer};
    f.mfu = o.rate * units::in_flops(f.flops) /
            (units::in_flops_per_second(planner.device().peak) * machine.gpus());
    f.replicas = o.replicas;
    f.format = planner.weights().shown;
    return plan;
  }

  std::vector<Request> requests_;
};

}  // namespace

std::unique_ptr<const Workload> make_inference(const Request& request) {
  return std::make_unique<Inference>(request);
}

}  // namespace gpusel::workload::serving
