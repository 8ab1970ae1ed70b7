#include "inference.h"

#include "constants.h"
#include "explain.h"
#include "planner.h"

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

constexpr std::array<std::string_view, 6> kChoiceNames = {"tp", "pp",       "dp",
                                                          "ep", "replicas", "batch"};

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
  const double tokens = q.traffic.prompt + q.traffic.answer;
  const Seconds token = units::flops(2 * s.projections) / (wide ? d.wide_products : d.products) +
                        units::flops(2 * (s.dense + s.expert_fixed)) / d.products +
                        units::flops(2 * s.expert_layers * s.top_k * s.one_expert) /
                            (d.products * (kGroupedProduct * q.profile.grouped_factor));
  const Seconds answer = units::flops(2 * s.table) / d.table_products +
                         cache_bytes(one, q.traffic.prompt + q.traffic.answer / 2) / d.kv_read +
                         kSequenceHost * q.profile.sequence_factor;
  return token * tokens + answer * q.traffic.answer;
}

class Inference final : public Workload {
 public:
  explicit Inference(Request request) : request_(std::move(request)) {}

  [[nodiscard]] std::string_view kind() const override { return "llm-inference"; }
  [[nodiscard]] Nature nature() const override { return Nature::service; }
  [[nodiscard]] const Traits& traits() const override { return request_.traits; }
  [[nodiscard]] std::string_view throughput_unit() const override { return "tokens/s"; }
  [[nodiscard]] std::span<const std::string_view> choice_names() const override {
    return kChoiceNames;
  }
  [[nodiscard]] std::string choice_text(std::size_t, int value) const override {
    return std::to_string(value);
  }
  [[nodiscard]] const std::vector<Field>& fields() const override { return request_.fields; }
  [[nodiscard]] const std::vector<estimate::Assumption>& assumptions() const override {
    return request_.assumptions;
  }

  [[nodiscard]] std::vector<int> node_counts(const catalog::Catalog& catalog,
                                             const catalog::Hardware& hardware) const override {
    if (request_.nodes) return {*request_.nodes};
    const Machine one = estimate::make_machine(catalog, hardware, 1);
    const Planner planner(request_, one);
    if (planner.blocked()) return {1};
    const std::vector<Fitting> fitting = planner.fitting(request_.max_nodes);
    if (fitting.empty()) return {1};
    const int span = fitting.front().span;
    if (one.curves == nullptr || (span > 1 && !one.network_per_gpu())) return {span};
    const std::optional<int> fewest = planner.fewest_nodes(fitting);
    if (fewest) return {*fewest};
    // Not the limits but the count stands in the way: the search on all nodes says by how much.
    for (const Fitting& f : fitting) {
      if (planner.carry(f, f.span).capacity > 0) return {request_.max_nodes};
    }
    return {span};
  }

  [[nodiscard]] Bound bound(const Machine& machine) const override {
    const Planner planner(request_, machine);
    if (planner.blocked()) return {};
    return {least_memory(planner, machine), least_time(planner, machine)};
  }

  [[nodiscard]] estimate::Verdict<Plan> search(const Machine& machine,
                                               SearchCount& count) const override {
    const Planner planner(request_, machine);
    const estimate::Verdict<Option> best = planner.search(count);
    if (!best) return best.error();
    return plan_of(planner, *best, machine);
  }

  [[nodiscard]] estimate::Estimate explain(const Plan& plan,
                                           const Machine& machine) const override {
    const Planner planner(request_, machine);
    const Layout layout{plan.choices[0], plan.choices[1], plan.choices[2], plan.choices[3]};
    const int node = machine.gpus_per_node();
    const int span = (layout.gpus() + node - 1) / node;
    const Replica r = planner.replica(layout, span);
    const Bytes pool = cache_pool(r, planner.capacity());
    const double tokens = request_.traffic.prompt + request_.traffic.answer;
    const double most = std::min(sequences_that_fit(r, pool, tokens), kMostPerRank * layout.data);
    const Option carried = planner.carry({layout, span, pool, most}, machine.nodes);
    const Option option = planner.with_load(carried);
    const ServingMemory memory = planner.memory(r, plan.choices[5]);
    return explain_serving(
        {request_, machine, r, carried, option, memory, planner.capacity(), pool});
  }

 private:
  [[nodiscard]] Bytes least_memory(const Planner& planner, const Machine& machine) const {
    const int gpus = machine.gpus();
    // All parts shared by all GPUs; parts that layouts copy only raise it.
    Replica r = planner.replica({}, 1);
    const Bytes activations =
        units::bytes(2 * std::min<double>(request_.profile.chunk, kMostActivationTokens) *
                     kActivationHidden * request_.shape.hidden);
    return weights_per_gpu(r) / static_cast<double>(gpus) + activations + overhead_per_gpu(r);
  }

  [[nodiscard]] Seconds least_time(const Planner& planner, const Machine& machine) const {
    const double answer = request_.traffic.answer;
    if (request_.rate) return units::seconds(1 / (*request_.rate * answer));
    if (planner.unknown()) return units::seconds(0);
    if (!request_.clients) {
      return least_gpu_time(request_, planner) / (kUtilisation * machine.gpus() * answer);
    }
    // A client waits at least for the fixed times of its steps.
    const Seconds step = kStepHost * request_.profile.step_factor +
                         kLayerLaunch * (request_.profile.layer_factor * request_.shape.layers);
    return step * std::max(1.0, answer - 1) / (*request_.clients * answer);
  }

  [[nodiscard]] Plan plan_of(const Planner& planner, const Option& o,
                             const Machine& machine) const {
    const Layout& l = o.fitting.layout;
    const int batch = batch_of(o, request_);
    Plan plan;
    plan.choices = {l.tensor, l.pipeline, l.data, l.expert, o.replicas, batch};
    const Replica r = planner.replica(l, o.fitting.span);
    estimate::Figures& f = plan.figures;
    f.memory = estimate::total(planner.memory(r, batch), kMemoryTerms);
    f.capacity = planner.capacity();
    f.flops = estimate::total(request_flops(request_), kFlopsTerms);
    f.ttft = o.at.ttft();
    f.tpot = o.at.tpot();
    f.step = f.ttft + f.tpot * std::max(0.0, request_.traffic.answer - 1);
    f.throughput = units::ItemsPerSecond{o.rate * request_.traffic.answer};
    f.mfu = o.rate * units::in_flops(f.flops) /
            (units::in_flops_per_second(planner.device().peak) * machine.gpus());
    f.replicas = o.replicas;
    f.format = planner.weights().shown;
    return plan;
  }

  Request request_;
};

}  // namespace

std::unique_ptr<const Workload> make_inference(Request request) {
  return std::make_unique<Inference>(std::move(request));
}

}  // namespace gpusel::workload::serving
