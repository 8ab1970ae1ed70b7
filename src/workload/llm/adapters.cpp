#include "adapters.h"

namespace gpusel::workload::llm {
namespace {

// Sum of inputs and outputs of the attention matrices of one layer.
double attention_sides(const ModelCard& c) {
  const double h = c.hidden;
  const double a = c.heads;
  if (!c.mla) {
    const double queries = a * c.head_dim;
    const double keys = static_cast<double>(c.kv_heads) * c.head_dim;
    return 2 * (h + queries) + 2 * (h + keys);
  }
  const Mla& m = *c.mla;
  const double queries = a * (m.qk_nope_dim + m.rope_dim);
  const double q = m.q_lora_rank;
  const double query = q > 0 ? h + q + q + queries : h + queries;
  const double keys = h + m.kv_lora_rank + m.rope_dim;
  const double up = m.kv_lora_rank + a * (m.qk_nope_dim + m.v_head_dim);
  return query + keys + up + a * m.v_head_dim + h;
}

}  // namespace

double adapter_parameters(const ModelCard& c, const Adapters& adapters) {
  const double h = c.hidden;
  double sides = c.attn_layers * attention_sides(c);
  if (adapters.targets != Targets::attention) {
    const double matrices = c.ffn_gated ? 3 : 2;
    const int moe = c.moe_layers();
    sides += (c.ffn_layers - moe) * matrices * (h + c.ffn);
    if (moe > 0) sides += moe * matrices * c.experts * (h + c.expert_ffn);
    if (moe > 0 && c.shared_expert_ffn > 0) sides += moe * matrices * (h + c.shared_expert_ffn);
  }
  return adapters.rank * sides;
}

double whole_parameters(const ModelCard& c, const Adapters& adapters) {
  if (adapters.targets != Targets::all_linear_and_embeddings) return 0;
  return (c.tied_embeddings ? 1.0 : 2.0) * c.vocab * c.hidden;
}

}  // namespace gpusel::workload::llm
