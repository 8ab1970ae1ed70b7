// One micro-batch on one GPU: docs/estimation.md, "One layer" and "Activations".
#include "training_constants.h"
#include "training_model.h"

#include <algorithm>
#include <cmath>

namespace gpusel::workload::llm {

namespace {
double degree(int n) { return static_cast<double>(n); }
}  // namespace

double TrainingModel::padded_sequence(const Layout& l) const {
  if (!job_.mean_sequence) return job_.sequence;
  if (job_.framework.skips_padding) return *job_.mean_sequence;
  const double padding = 1 + kPaddingPerDoubling * std::log2(degree(l.micro_batch));
  return std::min(job_.sequence, *job_.mean_sequence * padding);
}

MicroBatch TrainingModel::micro_batch(const Layout& l) const {
  const double tokens = l.micro_batch * padded_sequence(l) / l.cp;
  MicroBatch part;
  part.gemm = gemm_seconds(l, tokens);
  part.attention = attention_seconds(l);
  part.elementwise = elementwise_seconds(l, tokens);
  part.tensor = tensor_seconds(l, tokens);
  part.context = context_seconds(l);
  part.all_to_all = all_to_all_seconds(l, tokens);
  const double gpu =
      part.gemm + part.attention + part.elementwise + part.tensor + part.context + part.all_to_all;
  const double host = host_seconds(l);
  // A smooth maximum: the host runs ahead of the GPU unless a layer is short.
  const double launched = std::cbrt(gpu * gpu * gpu + host * host * host);
  part.host_gap = launched - gpu;
  part.dequantise = dequantise_seconds(l);
  part.layer = launched + part.dequantise;
  part.logits = logit_seconds(l, tokens);
  part.send_bytes = value_bytes_ * tokens * shape_.hidden / l.tp;
  return part;
}

double TrainingModel::gemm_seconds(const Layout& l, double tokens) const {
  const Shape& s = shape_;
  const double t = degree(l.tp);
  const double passes = products_ + recomputed(l);
  const double attention =
      s.mla ? 2 * gemm_.seconds(tokens, s.attention_params / (2 * s.hidden * t), s.hidden)
            : gemm_.seconds(tokens, (s.heads + 2 * s.kv_heads) * s.head_dim / t, s.hidden) +
                  gemm_.seconds(tokens, s.hidden, s.heads * s.head_dim / t);
  const auto ffn = [&](double width) {
    return width > 0 ? gemm_.seconds(tokens, (s.matrices - 1) * width / t, s.hidden) +
                           gemm_.seconds(tokens, s.hidden, width / t)
                     : 0;
  };
  double layer = attention + (1 - s.moe_share) * ffn(s.ffn);
  if (s.moe_share > 0) {
    const double local = std::max(1.0, s.experts / l.ep);
    const double rows = tokens / t * s.top_k / local;
    const double experts = local * (gemm_.seconds(rows, (s.matrices - 1) * s.expert_ffn, s.hidden) +
                                    gemm_.seconds(rows, s.hidden, s.expert_ffn));
    const double grouped = 1 + kGroupedPenalty * (1 / std::max(rows, 1.0) + 1 / s.expert_ffn);
    layer += s.moe_share * (ffn(s.shared_ffn) + experts * grouped);
  }
  return layer * passes;
}

double TrainingModel::attention_seconds(const Layout& l) const {
  const Shape& s = shape_;
  const double sequence = padded_sequence(l);
  // Forward FLOPs of the causal half.
  const double core =
      2 * l.micro_batch * (sequence / l.cp) * sequence * s.heads * s.core_dim / l.tp;
  if (job_.framework.fused_attention) {
    const double square = job_.bidirectional ? 2 : 1;
    return (1 + kFusedBackward + recomputed(l)) * square * core / attention_rate_;
  }
  const double again = l.recompute == Recompute::none ? 0 : 1;
  const double aligned = static_cast<int>(s.head_dim) % 8 == 0 ? 1 : kMisalignedHeads;
  const double penalty = 1 + half_.size_penalty * (2 / sequence + 1 / s.head_dim);
  const double products = (1 + kUnfusedBackward + again) * 2 * core * penalty * aligned /
                          (half_.rate * kUnfusedProducts * half_.sustained);
  const double scores = s.heads / l.tp * l.micro_batch * sequence * sequence / l.cp;
  const double softmax = (2.2 + again) * kSoftmaxTraffic * kSoftmaxBytes * scores / memory_rate_;
  return products + softmax;
}

double TrainingModel::elementwise_seconds(const Layout& l, double tokens) const {
  const Shape& s = shape_;
  const double t = degree(l.tp);
  const bool sequence_parallel = job_.framework.sequence_parallel && l.tp > 1;
  const double again = recomputed(l);
  const double routed = tokens / t * s.top_k;
  const double residual = tokens * s.hidden * 20 / (sequence_parallel ? t : 1);
  const double heads = 1.5 * (s.heads + 2 * s.kv_heads) * s.head_dim;
  const double dense = tokens / t * 2 * (s.matrices * s.ffn + heads);
  const double moe =
      tokens / t * 2 * (s.matrices * s.shared_ffn + heads) + routed * 2 * s.matrices * s.expert_ffn;
  const double bytes = residual + (1 - s.moe_share) * dense + s.moe_share * moe;
  const double traffic = kElementwiseTraffic * job_.framework.elementwise_factor * value_bytes_ / 2;
  double seconds = (kElementwisePasses + again) * traffic * bytes / memory_rate_;
  if (narrow_) {  // casts to 8 and 4 bits
    const double inner = s.moe_share > 0 ? s.shared_ffn : s.ffn;
    const double casts =
        tokens / t * 4 *
            (s.hidden * (sequence_parallel ? 2 : 2 * t) + s.heads * s.head_dim + inner) +
        (s.moe_share > 0 ? routed * 4 * (s.hidden + s.expert_ffn) : 0);
    seconds += (kElementwisePasses + again) * casts / memory_rate_;
  }
  return seconds + s.moe_share * (2 + again) * kPermutationBytes * routed * s.hidden / memory_rate_;
}

double TrainingModel::tensor_seconds(const Layout& l, double tokens) const {
  if (l.tp <= 1) return 0;
  const double bytes = value_bytes_ * tokens * shape_.hidden;
  return (4 + 2 * recomputed(l)) * links_.all_reduce_seconds(bytes, degree(l.tp)) *
         job_.framework.tensor_exposed;
}

double TrainingModel::all_to_all_seconds(const Layout& l, double tokens) const {
  const Shape& s = shape_;
  if (s.moe_share <= 0 || l.ep <= 1) return 0;
  const double e = degree(l.ep);
  const double bytes = tokens / l.tp * s.top_k * s.hidden * value_bytes_ * (e - 1) / e;
  const double domains = std::max(1.0, e / links_.domain);
  // One copy per touched domain leaves (DeepEP, arXiv 2412.19437, section 3.2).
  const double touched = domains * (1 - std::pow(1 - 1 / domains, s.top_k)) / s.top_k;
  const double leaving = domains > 1 ? touched * (1 - 1 / domains) : 0;
  const double one = kAllToAllLatency + bytes / (kAllToAllLinkShare * links_.link) +
                     (leaving > 0 ? kAllToAllNetwork * bytes * leaving / links_.network : 0);
  return s.moe_share * (4 + 2 * recomputed(l)) * one;
}

double TrainingModel::context_seconds(const Layout& l) const {
  if (l.cp <= 1) return 0;
  const double c = degree(l.cp);
  const double bytes = 12 * l.micro_batch * (padded_sequence(l) / c) * shape_.kv_heads *
                       shape_.head_dim * value_bytes_;
  const double near = kRingContextShare * links_.link;
  const double rate =
      c * l.tp > links_.domain ? std::min(near, kFarContextShare * links_.network) : near;
  return kContextExposed * (c - 1) * bytes / rate;
}

double TrainingModel::dequantise_seconds(const Layout& l) const {
  if (!quantised()) return 0;
  const double held = shape_.dense_params / l.tp + shape_.expert_params / l.ep;
  const bool gptq = job_.adapters->quant == Quant::gptq;
  return held * (gptq ? kGptqSeconds : kDequantSeconds) * kDequantBandwidth / memory_bandwidth_ *
         kDequantShare * job_.framework.dequantise_factor * (2 + recomputed(l));
}

double TrainingModel::host_seconds(const Layout& l) const {
  const Framework& f = job_.framework;
  const double ranks = 1 + kHostPerTensorRank * (std::min(l.tp, 8) - 1);
  const double sharded = zero3(l) ? f.host_zero3_factor : 1;
  const double moe = 1 + shape_.moe_share * (kHostMoeFactor - 1);
  const double adapters = job_.adapters ? f.adapter_host_factor : 1;
  return kHostSeconds * f.host_factor * (1 + recomputed(l) / 3) * ranks * sharded * moe * adapters /
         framework_factor(l);
}

double TrainingModel::logit_seconds(const Layout& l, double tokens) const {
  if (job_.logit_share <= 0) return 0;
  const double columns = shape_.vocab / l.tp;
  tokens *= job_.logit_share;
  const double products = whole_params_ > 0 ? 3 : products_;  // of a trained table all three
  return products * half_.seconds(tokens, columns, shape_.hidden) +
         kLossTraffic * kLossBytes * tokens * columns / memory_rate_ *
             job_.framework.cross_entropy_factor;
}

// Korthikanti 2022 (arXiv 2205.05198), table 2, in a form for gated FFNs and grouped-query
// attention.
Activations TrainingModel::activations(const Layout& l) const {
  // The longest that may come; where padding is skipped, long and short ones make up for each
  // other.
  const bool even = job_.framework.skips_padding;
  const double tokens = l.micro_batch * (even ? job_.mean_tokens() : job_.sequence) / l.cp;
  Activations part;
  const Shape& s = shape_;
  const Framework& f = job_.framework;
  const double t = degree(l.tp);
  const double split = f.sequence_parallel && l.tp > 1 ? t : 1;
  const double wide = value_bytes_ / 2;
  const double ffn_values =
      s.gated ? 6 : 4;  // bytes per unit of width: gate, up and product, or in and out
  const double heads = 2 * (s.heads + 2 * s.kv_heads) * s.head_dim + 2 * s.heads * s.head_dim;
  const double dense_ffn = s.moe_share > 0 ? 0 : ffn_values * s.ffn;
  double layer = tokens * ((8 + f.dropout_bytes) * s.hidden / split + (heads + dense_ffn) / t);
  if (s.moe_share > 0) {
    layer += tokens / t * s.top_k * (4 * s.hidden + ffn_values * s.expert_ffn) +
             tokens * 6 * s.shared_ffn / t;
  }
  layer *= wide * f.activation_factor * (narrow_ ? f.activation_8bit_factor : 1) *
           (job_.adapters ? f.adapter_activation_factor : 1);
  part.layer = layer;
  part.core = f.fused_attention ? 4 * s.heads * tokens / t
                                : 5 * s.heads * job_.sequence * tokens / t * wide;
  switch (l.recompute) {
    case Recompute::none:
      part.kept = layer + part.core;
      break;
    case Recompute::selective:
      part.kept = f.selective_kept * layer + (f.selective_keeps_attention ? part.core : 0);
      break;
    case Recompute::full:
      part.kept = 2 * wide * tokens * s.hidden / split * f.checkpoint_factor;
      break;
  }
  part.work =
      8 * wide * tokens * s.hidden + (l.recompute == Recompute::full ? layer + part.core : 0);
  part.logits = tokens * job_.logit_share * s.vocab / t * f.logit_bytes;
  return part;
}

}  // namespace gpusel::workload::llm
