#include "shape.h"

#include "constants.h"

#include <algorithm>
#include <cmath>

namespace gpusel::workload::serving {
namespace {

using catalog::NumberFormat;
using units::FlopsPerSecond;

bool starts_with_hbm(const catalog::Gpu& gpu) { return gpu.memory_kind.starts_with("HBM"); }

std::optional<FlopsPerSecond> sixteen_bit_peak(const catalog::Gpu& gpu) {
  if (gpu.peak[NumberFormat::fp16]) return gpu.peak[NumberFormat::fp16];
  if (gpu.peak[NumberFormat::bf16]) return gpu.peak[NumberFormat::bf16];
  return gpu.peak[NumberFormat::fp32];
}

double weight_read_share(const catalog::Gpu& gpu, Path path) {
  if (!starts_with_hbm(gpu)) return kWeightReadGddr * (path == Path::fp4 ? kWeightReadFp4 : 1);
  const bool blackwell = gpu.architecture.find("blackwell") != std::string::npos;
  return kWeightReadHbm * (blackwell ? kWeightReadHbmBlackwell : 1) *
         (path == Path::fp4 ? kWeightReadFp4 : 1);
}

double compute_share(const catalog::Gpu& gpu, Path path) {
  const bool card = !starts_with_hbm(gpu);
  switch (path) {
    case Path::sixteen_bit:
      return kCompute16 * (card ? kComputeGddr : 1);
    case Path::weight_only:
      return kCompute16 * kComputeWeightOnly * (card ? kComputeGddr : 1);
    case Path::fp8:
      return kCompute8 * (card ? kComputeGddr : 1);
    case Path::fp4:
      return kCompute4 * (card ? kComputeGddrFp4 : 1);
  }
  return kCompute16;
}

Wiring wiring_of(const catalog::Gpu& gpu) {
  if (!gpu.link) return Wiring::pcie;
  if (gpu.form_factor == "nvl") return Wiring::bridge;
  // A bridge between two ordinary PCIe cards is usually absent in clouds.
  return gpu.form_factor == "pcie" ? Wiring::pcie : Wiring::switched;
}

void set_links(const catalog::Gpu& gpu, Device& d) {
  d.wiring = wiring_of(gpu);
  d.pcie_generation = gpu.pcie && gpu.pcie->generation > 0 ? gpu.pcie->generation : 4;
  if (!gpu.link) return;
  d.link = std::max(gpu.link->bandwidth, kLeastSwitchLink);
  d.domain = gpu.link->domain;
  d.reduces_in_switch = gpu.vendor == "nvidia" && d.link >= units::gb_per_second(900);
}

void set_rates(const catalog::Gpu& gpu, const Weights& w, const Profile& profile,
               FlopsPerSecond peak16, Device& d) {
  const double maker = gpu.vendor == "nvidia" ? 1 : kComputeAmd;
  const double engine = profile.compute_factor * maker;
  const bool half = profile.half_accumulate && gpu.name.find("GeForce") != std::string::npos;
  d.peak = peak16;
  if (w.path == Path::fp8) d.peak = gpu.peak[NumberFormat::fp8].value_or(peak16);
  if (w.path == Path::fp4) d.peak = gpu.peak[NumberFormat::fp4].value_or(peak16);
  d.products = d.peak * (compute_share(gpu, w.path) * engine * (half ? 2 : 1));
  d.wide_products = peak16 * (kCompute16 * engine);
  d.table_products = peak16 * kCompute16;
  d.prompt_attention = peak16 * (kPromptAttention * engine);
  d.latent_attention = peak16 * kLatentAttention;
  d.scalar = gpu.peak[NumberFormat::fp32].value_or(peak16);
}

}  // namespace

Shape shape_of(const ModelCard& card) {
  const ParameterCount n = count_parameters(card);
  Shape s;
  s.layers = card.layers;
  s.hidden = card.hidden;
  s.heads = card.heads;
  s.ffn = card.is_moe() && n.dense_ffn_layers == 0 ? card.expert_ffn : card.ffn;
  s.projections = n.attention_all + (card.linear_attn_layers + card.ssm_layers) * n.recurrent;
  s.dense = n.dense_ffn_layers * n.ffn;
  s.experts = card.experts;
  s.top_k = card.experts_top_k;
  s.expert_layers = n.moe_layers;
  s.one_expert = n.expert;
  s.expert_fixed = n.moe_layers * n.moe_fixed;
  s.table = n.embedding;
  s.tables = card.tied_embeddings ? 1 : 2;
  s.other = n.norms + n.positions + card.extra_params + card.vision_params;
  s.kv = kv_shape(card, 1);
  s.kv_heads = std::max(1, card.kv_heads);
  s.global_kv_heads = card.global_head_dim > 0 ? std::max(1, card.global_kv_heads) : s.kv_heads;
  s.prompt_width = 2.0 * card.head_dim;
  if (card.mla) {
    s.prompt_width = card.mla->qk_nope_dim + card.mla->rope_dim + card.mla->v_head_dim;
    s.latent_width = 2.0 * card.mla->kv_lora_rank + card.mla->rope_dim;
  }
  return s;
}

estimate::Verdict<Device> device_of(const catalog::Gpu& gpu, const Weights& weights,
                                    const Profile& profile) {
  const std::optional<FlopsPerSecond> peak16 = sixteen_bit_peak(gpu);
  if (!gpu.memory_bandwidth || !peak16) {
    return estimate::DoesNotFit{"curves", 0, 0,
                                "memory bandwidth or compute rate of " + gpu.name + " is not known",
                                "add them to the GPU's entry in the catalog"};
  }
  Device d;
  d.memory = gpu.available_memory();
  const double plain = starts_with_hbm(gpu) ? kWeightReadHbm : kWeightReadGddr;
  d.plain_read = *gpu.memory_bandwidth * plain;
  d.weight_read =
      *gpu.memory_bandwidth * (weight_read_share(gpu, weights.path) * profile.memory_factor);
  d.kv_read = *gpu.memory_bandwidth * (kKvRead * profile.kv_read_factor);
  d.fused_experts = starts_with_hbm(gpu) && gpu.architecture.find("blackwell") != std::string::npos;
  set_rates(gpu, weights, profile, *peak16, d);
  set_links(gpu, d);
  return d;
}

double Speculation::tokens_per_step() const {
  if (drafted == 0) return 1;
  if (accepted >= 1) return drafted + 1;
  return (1 - std::pow(accepted, drafted + 1)) / (1 - accepted);
}

double Replica::expert_shards() const { return std::max(1.0, expert_group() / layout.expert); }

units::Bytes cache_bytes(const Replica& r, double tokens) {
  const Shape& s = *r.shape;
  const bool latent = s.latent_width > 0;
  const double t = r.layout.tensor;
  const double share = latent ? 1 : std::max(1.0, s.kv_heads / t) / s.kv_heads;
  const double global = latent ? 1 : std::max(1.0, s.global_kv_heads / t) / s.global_kv_heads;
  const double seen = s.kv.window > 0 ? std::min(tokens, static_cast<double>(s.kv.window)) : tokens;
  const double values = s.kv.global_layers * s.kv.global_bytes * global * tokens +
                        s.kv.window_layers * s.kv.window_bytes * share * seen;
  const double index = (s.kv.global_layers + s.kv.window_layers) * s.kv.index_bytes * tokens;
  return units::bytes(values * r.kv_value_bytes + index + s.kv.state_bytes / t);
}

}  // namespace gpusel::workload::serving
