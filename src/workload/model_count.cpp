#include "gpusel/workload/model.h"

#include <algorithm>
#include <cmath>

namespace gpusel::workload {
namespace {

constexpr double kStateBytes = 4;  // recurrent states are kept in fp32
constexpr double kIndexerScale =
    4;  // bytes: one fp32 scale beside the fp8 key of the sparse indexer

double norm_width(NormKind kind) {
  switch (kind) {
    case NormKind::rms:
    case NormKind::ln_nobias:
      return 1;
    case NormKind::ln:
      return 2;
    case NormKind::ln_noparam:
      return 0;
  }
  return 1;
}

// Multi-head, grouped-query and multi-query attention: h d (a + 2k) + a d h, plus biases, gate and
// QK norms.
double attention_params(const ModelCard& c, double head_dim, double kv_heads,
                        double kv_projections) {
  const double h = c.hidden;
  const double a = c.heads;
  double n =
      h * a * head_dim * (c.attn_output_gate ? 3 : 2) + kv_projections * h * kv_heads * head_dim;
  if (c.qkv_bias == QkvBias::all) n += (a + 2 * kv_heads) * head_dim;
  if (c.qkv_bias == QkvBias::qv) n += (a + kv_heads) * head_dim;
  if (c.o_bias) n += h;
  if (c.qk_norm == QkNorm::head) n += 2 * head_dim;
  if (c.qk_norm == QkNorm::full) n += (a + kv_heads) * head_dim;
  return n;
}

// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434, section 2.1).
double mla_params(const ModelCard& c, const Mla& m) {
  const double h = c.hidden;
  const double a = c.heads;
  const double query_width = a * (m.qk_nope_dim + m.rope_dim);
  const double q = m.q_lora_rank;
  const double query = q > 0 ? h * q + q + q * query_width : h * query_width;
  const double kv = h * (m.kv_lora_rank + m.rope_dim) + m.kv_lora_rank +
                    static_cast<double>(m.kv_lora_rank) * a * (m.qk_nope_dim + m.v_head_dim);
  return query + kv + a * m.v_head_dim * h;
}

// The sparse indexer of DeepSeek-V3.2: query and key projections, key norm, head weights.
double indexer_params(const ModelCard& c) {
  const double q = c.mla ? c.mla->q_lora_rank : c.hidden;
  const double x = c.indexer_head_dim;
  const double n = c.indexer_heads;
  return q * n * x + c.hidden * x + 2 * x + c.hidden * n;
}

double recurrent_params(const ModelCard& c, const Recurrence& r) {
  const double h = c.hidden;
  const double state = r.state_dim;
  const double inner = static_cast<double>(r.heads) * r.head_dim;
  const double group = r.groups * state;
  switch (r.kind) {
    case RecurrentKind::gated_deltanet:
      return h * (2 * group + 2 * inner) + 2 * h * r.heads + r.conv * (2 * group + inner) +
             2 * r.heads + r.head_dim + inner * h;
    case RecurrentKind::lightning:
      return 5 * h * inner + inner;
    case RecurrentKind::mamba2:
      return h * (2 * inner + 2 * group + r.heads) + (r.conv + 1) * (inner + 2 * group) +
             3 * r.heads + inner + inner * h;
    case RecurrentKind::mamba1:
      break;
  }
  const double rank = std::ceil(c.hidden / 16.0);
  return 2 * h * inner + (r.conv + 1) * inner + inner * (rank + 2 * state) + rank * inner + inner +
         inner * state + inner + inner * h;
}

double ffn_params(const ModelCard& c, double width, double ffn, double bias) {
  const double matrices = c.ffn_gated ? 3 : 2;
  return matrices * width * ffn + bias * ((matrices - 1) * ffn + width);
}

int own_shape_layers(const ModelCard& c) {
  return c.global_head_dim > 0 && c.global_attn_every > 0 ? c.attn_layers / c.global_attn_every : 0;
}

// Encoders give vectors, not tokens.
bool has_no_head(ModelKind kind) {
  return kind == ModelKind::encoder || kind == ModelKind::embedding;
}

// Norms of all layers, one more before each cross-attention, and one after each stack.
double norm_count(const ModelCard& c) {
  const int stacked = c.encoder_layers + c.decoder_layers;
  const int layers = stacked > 0 ? stacked : c.layers;
  return static_cast<double>(c.norms_per_layer) * layers + c.cross_layers() +
         (c.cross_layers() > 0 ? 2 : 1);
}

// Attention layers that keep keys and values from step to step.
int caching_layers(const ModelCard& c) {
  if (has_no_head(c.kind)) return 0;
  return c.cross_layers() > 0 ? c.decoder_layers : c.attn_layers;
}

void count_attention(const ModelCard& c, ParameterCount& n) {
  const double indexer = c.indexer_heads > 0 ? indexer_params(c) : 0;
  n.attention =
      (c.mla ? mla_params(c, *c.mla) : attention_params(c, c.head_dim, c.kv_heads, 2)) + indexer;
  const int own = c.mla ? 0 : own_shape_layers(c);
  n.attention_all = (c.attn_layers - own + c.cross_layers()) * n.attention;
  if (own > 0) {
    n.attention_all += own * (indexer + attention_params(c, c.global_head_dim, c.global_kv_heads,
                                                         c.global_k_eq_v ? 1 : 2));
  }
  if (c.recurrence) n.recurrent = recurrent_params(c, *c.recurrence);
}

void count_ffn(const ModelCard& c, ParameterCount& n) {
  const double bias = c.mlp_bias ? 1 : 0;
  n.moe_layers = c.moe_layers();
  n.dense_ffn_layers = c.ffn_layers - n.moe_layers;
  n.ffn = ffn_params(c, c.hidden, c.ffn, bias);
  if (n.moe_layers == 0) return;
  const double latent = c.expert_latent_dim;
  n.expert = ffn_params(c, latent > 0 ? latent : c.hidden, c.expert_ffn, bias);
  n.moe_fixed = static_cast<double>(c.hidden) * c.experts +
                ffn_params(c, c.hidden, c.shared_expert_ffn, 0) + 2 * c.hidden * latent;
}

}  // namespace

int ModelCard::moe_layers() const {
  return is_moe() ? (ffn_layers - first_dense_layers) / std::max(1, moe_layer_every) : 0;
}

ParameterCount count_parameters(const ModelCard& c) {
  ParameterCount n;
  const double width = c.embed_dim > 0 ? c.embed_dim : c.hidden;
  n.embedding = c.vocab * width;
  n.head = c.tied_embeddings || has_no_head(c.kind) ? 0 : n.embedding;
  n.positions = static_cast<double>(c.pos_rows) * c.hidden;
  n.norms = norm_width(c.norm_kind) * c.hidden * norm_count(c);
  count_attention(c, n);
  count_ffn(c, n);
  n.total = n.embedding + n.head + n.positions + n.norms + n.attention_all +
            (c.linear_attn_layers + c.ssm_layers) * n.recurrent + n.dense_ffn_layers * n.ffn +
            n.moe_layers * (c.experts * n.expert + n.moe_fixed) + c.extra_params;
  n.active = n.total - static_cast<double>(n.moe_layers) * (c.experts - c.experts_top_k) * n.expert;
  n.matmul = n.active - n.positions - (n.head > 0 ? n.embedding : 0);
  return n;
}

KvShape kv_shape(const ModelCard& c, double bytes_per_value) {
  KvShape kv;
  const double per_layer = c.mla ? static_cast<double>(c.mla->kv_lora_rank + c.mla->rope_dim)
                                 : 2.0 * c.kv_heads * c.head_dim;
  kv.window_bytes = per_layer * bytes_per_value;
  kv.global_bytes = c.global_head_dim > 0
                        ? 2.0 * c.global_kv_heads * c.global_head_dim * bytes_per_value
                        : kv.window_bytes;
  kv.index_bytes = c.indexer_heads > 0 ? c.indexer_head_dim + kIndexerScale : 0;
  kv.window = c.sliding_window;
  const int caching = caching_layers(c);
  kv.global_layers = caching;
  if (c.sliding_window > 0) {
    kv.global_layers = c.global_attn_every > 0 ? caching / c.global_attn_every : 0;
  }
  kv.window_layers = caching - kv.global_layers;
  if (c.recurrence) {
    const Recurrence& r = *c.recurrence;
    const double inner = static_cast<double>(r.heads) * r.head_dim;
    const double channels = r.conv > 0 ? r.conv * (inner + 2.0 * r.groups * r.state_dim) : 0;
    kv.state_bytes =
        (c.linear_attn_layers + c.ssm_layers) * (inner * r.state_dim + channels) * kStateBytes;
  }
  return kv;
}

units::Bytes kv_bytes(const ModelCard& card, double tokens, double bytes_per_value) {
  const KvShape kv = kv_shape(card, bytes_per_value);
  const double seen = kv.window > 0 ? std::min(tokens, static_cast<double>(kv.window)) : tokens;
  return units::bytes(kv.global_layers * kv.global_bytes * tokens +
                      kv.window_layers * kv.window_bytes * seen +
                      (kv.global_layers + kv.window_layers) * kv.index_bytes * tokens);
}

units::Bytes kv_bytes_per_token(const ModelCard& card, double bytes_per_value) {
  return kv_bytes(card, 1, bytes_per_value);
}

}  // namespace gpusel::workload
