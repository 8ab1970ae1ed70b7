#include "step.h"

#include "constants.h"

#include <algorithm>
#include <cmath>

namespace gpusel::workload::serving {
namespace {

using units::Bytes;
using units::BytesPerSecond;
using units::FlopsPerSecond;
using units::Seconds;

constexpr double kActivationBytes = 2;  // 16-bit activations between layers

Seconds join(Seconds memory, Seconds compute) {
  const double a = memory.canonical();
  const double b = compute.canonical();
  const double high = std::max(a, b);
  if (high <= 0) return units::seconds(0);
  const double ratio = std::min(a, b) / high;
  return units::seconds(high * std::pow(1 + std::pow(ratio, kJoin), 1 / kJoin));
}

// Time per parameter of a matrix product: read once, 2 operations per token.
Seconds per_parameter(double bytes, double tokens, BytesPerSecond read, FlopsPerSecond rate) {
  return join(units::bytes(bytes) / read, units::flops(2 * tokens) / rate);
}

BytesPerSecond pcie_rate(const Device& d) {
  return kPcie4Rate * (kPcieShare * d.pcie_generation / 4);
}

Seconds switched_all_reduce(const Device& d, int gpus, Bytes message) {
  const double n = gpus;
  const Seconds start = kSwitchLatency * (1 + kSwitchLatencyGrowth * std::log2(n));
  const Seconds one_shot = start + message * (n - 1) / (d.link * (kOneShotShare / 2));
  const double gain = n >= 8 && d.reduces_in_switch ? kInSwitchReduction : 1;
  const Seconds two_shot =
      kTwoShotStart + start + message * (2 * (n - 1) / n) / (d.link * (kTwoShotShare / 2 * gain));
  return std::min(one_shot, two_shot);
}

struct Counts {
  double rank_sequences;  // b_l
  double rank_verified;   // tokens of these sequences: with drafts more than one of each
  double rank_prompt;     // T_l
  double rank_tokens;     // m
  double group_tokens;    // M
};

Seconds routed_experts(const Replica& r, const Counts& c) {
  const Shape& s = *r.shape;
  const Device& d = *r.device;
  const double e = r.layout.expert;
  const double piece = s.one_expert / r.expert_shards();
  const bool all = r.profile->reads_all_experts && r.weights.path == Path::fp8 && s.experts >= 64;
  const double touched =
      s.experts / e * (all ? 1 : 1 - std::pow(1 - s.top_k / s.experts, c.group_tokens));
  const double imbalance = e > 1 ? kExpertImbalance : 1;
  const double operations = 2 * c.group_tokens * s.top_k / e * piece * imbalance;
  return join(
      units::bytes(touched * piece * r.weights.format.bytes) / d.weight_read,
      units::flops(operations) / (d.products * (kGroupedProduct * r.profile->grouped_factor)));
}

// One exchange of tokens between the attention ranks and the experts.
Seconds expert_exchange(const Replica& r, const Counts& c) {
  if (r.layout.data == 1) return units::seconds(0);
  const Device& d = *r.device;
  const double group = r.expert_group();
  const bool switched = d.wiring == Wiring::switched;
  const Seconds start = switched ? kSwitchLatency : kPcieLatency * (group - 1);
  const BytesPerSecond link = switched ? d.link * (kTwoShotShare / 2) : pcie_rate(d);
  const double value = kActivationBytes + std::min(kActivationBytes, r.weights.format.bytes);
  return start * 2 +
         units::bytes(c.group_tokens * r.shape->hidden * value * (group - 1) / group) / link;
}

Seconds expert_layers(const Replica& r, const Counts& c, Seconds parameter) {
  const Shape& s = *r.shape;
  const Device& d = *r.device;
  if (s.expert_layers == 0) return units::seconds(0);
  const Seconds fixed = kExpertLayer * (r.profile->expert_layer_factor *
                                        (d.fused_experts ? kExpertLayerHbmBlackwell : 1));
  const Seconds routing =
      units::bytes(kRoutingBytesPerValue * c.group_tokens * s.top_k / r.layout.expert * s.hidden) /
      d.plain_read;
  return (routed_experts(r, c) + fixed + routing) * s.expert_layers +
         parameter * (s.expert_fixed / r.layout.tensor);
}

Seconds cache_reads(const Replica& r, const Counts& c, double context) {
  const Seconds reads = cache_bytes(r, context) * c.rank_sequences / r.device->kv_read;
  const Shape& s = *r.shape;
  if (s.latent_width == 0) return reads;
  const Seconds compute = units::flops(2 * c.rank_verified * context * s.heads / r.layout.tensor *
                                       s.latent_width * s.kv.global_layers) /
                          r.device->latent_attention;
  return units::seconds(std::hypot(reads.canonical(), compute.canonical()));
}

Seconds prompt_attention(const Replica& r, const Counts& c, double context) {
  const Shape& s = *r.shape;
  const double seen =
      s.kv.window > 0 ? std::min(context, static_cast<double>(s.kv.window)) : context;
  const double attended = s.kv.global_layers * context + s.kv.window_layers * seen;
  return units::flops(2 * c.rank_prompt * attended * s.heads / r.layout.tensor * s.prompt_width) /
         r.device->prompt_attention;
}

Seconds communication(const Replica& r, const Counts& c) {
  const Bytes message = units::bytes(c.rank_tokens * r.shape->hidden * kActivationBytes);
  Seconds time = all_reduce(*r.device, r.layout.tensor, message) * (2 * r.shape->layers);
  if (r.shape->expert_layers > 0) time += expert_exchange(r, c) * r.shape->expert_layers;
  if (r.hop.count > 0) time += (r.hop.latency + message / r.hop.bandwidth) * r.hop.count;
  return time;
}

// Only engines that unpack weights on the scalar units or keep 32-bit activations pay for it.
Seconds conversion(const Replica& r, const Counts& c) {
  const Shape& s = *r.shape;
  constexpr double kScalarTokens = 8;  // beyond it matrix kernels take over
  constexpr double kFfnShare =
      0.37;  // element-wise traffic of the feed-forward width against the hidden one
  const double weights = s.projections + s.dense + s.expert_layers * s.top_k * s.one_expert;
  const Seconds unpack =
      units::flops(r.profile->conversion * weights * std::min(c.rank_tokens, kScalarTokens)) /
      (r.device->scalar * r.layout.tensor);
  const double width = s.hidden + kFfnShare * s.ffn / r.layout.tensor;
  return unpack + units::bytes(c.rank_tokens * 2 * width * r.profile->element_bytes * s.layers) /
                      r.device->plain_read;
}

// The draft head runs once for each draft token: a layer like the others, and the output table.
Seconds drafts(const Replica& r, const StepLoad& load) {
  if (load.drafted == 0) return units::seconds(0);
  const StepTime one = step_time(r, {load.sequences, load.context, 0, 0, 0});
  const Seconds layers = total(one) - one.output_table - one.host;
  return (layers / r.shape->layers + one.output_table) * load.drafted;
}

}  // namespace

StepTime scaled(const StepTime& a, double factor) {
  StepTime result;
  for (const auto& term : kStepTerms) result.*(term.member) = a.*(term.member) * factor;
  return result;
}

StepTime sum(const StepTime& a, const StepTime& b) {
  StepTime result;
  for (const auto& term : kStepTerms) {
    result.*(term.member) = a.*(term.member) + b.*(term.member);
  }
  return result;
}

Seconds all_reduce(const Device& d, int gpus, Bytes message) {
  if (gpus <= 1) return units::seconds(0);
  if (d.wiring == Wiring::switched) return switched_all_reduce(d, gpus, message);
  const double n = gpus;
  const Bytes moved = message * (2 * (n - 1) / n);
  const Seconds start = kPcieLatency * (n - 1);
  if (d.wiring == Wiring::bridge && gpus <= 4)
    return start + moved / (d.link * (kTwoShotShare / 2));
  // Beyond one root complex the cards share links: 2 on generation 4, 1.2 on 5.
  const double contention = gpus <= 4 ? 1 : d.pcie_generation >= 5 ? 1.2 : 2;
  return start + moved * contention / pcie_rate(d);
}

StepTime step_time(const Replica& r, const StepLoad& load) {
  const Shape& s = *r.shape;
  const Device& d = *r.device;
  const double ranks = r.layout.data;
  const double t = r.layout.tensor;
  const double b = load.sequences / ranks;
  const double prompt = load.prompt_tokens / ranks;
  const double verified = b * (1 + load.drafted);
  const Counts c{b, verified, prompt, verified + prompt,
                 load.sequences * (1 + load.drafted) + load.prompt_tokens};
  const double bytes = r.weights.format.bytes;
  const bool wide = r.weights.attention_bytes > bytes;
  const Seconds packed = per_parameter(bytes, c.rank_tokens, d.weight_read, d.products);
  const Seconds attention = r.weights.attention_bytes == bytes
                                ? packed
                                : per_parameter(r.weights.attention_bytes, c.rank_tokens,
                                                d.weight_read, wide ? d.wide_products : d.products);
  StepTime time;
  time.projections = attention * (s.projections / t);
  time.feed_forward = packed * (s.dense / t);
  time.experts = expert_layers(r, c, packed);
  time.cache_reads = cache_reads(r, c, load.context);
  time.prompt_attention = prompt_attention(r, c, load.prompt_context);
  time.communication = communication(r, c);
  time.output_table = per_parameter(r.weights.format.head_bytes, std::max(verified, 1.0),
                                    d.weight_read, d.table_products) *
                      (s.table / t);
  time.conversion = conversion(r, c);
  time.launches = kLayerLaunch * (r.profile->layer_factor * s.layers);
  time.host = kStepHost * r.profile->step_factor + kSequenceHost * (r.profile->sequence_factor * b);
  time.drafts = drafts(r, load);
  return time;
}

}  // namespace gpusel::workload::serving
