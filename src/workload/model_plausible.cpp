#include "gpusel/workload/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gpusel::workload {
namespace {

// Proportions of published dense decoders: a fit of the logarithms over 104 models of 0.1 to 1,000
// billion parameters; median error 15 % in the layers, 10 % in the width.
constexpr double kLayersAtOneBillion = 23.2;
constexpr double kLayersExponent = 0.242;
constexpr double kWidthAtOneBillion = 1660;
constexpr double kWidthExponent = 0.402;
constexpr double kFfnPerWidth = 3.67;
constexpr double kGroupedAbove = 7e9;  // grouped-query attention with eight KV heads from here on
constexpr int kGroupedKvHeads = 8;
constexpr int kHeadDim = 128;
constexpr int kVocab = 128256;
constexpr int kSmallVocab = 32000;
constexpr double kSmallVocabBelow = 1e9;
constexpr double kTiedBelow = 4e9;  // small models share the two tables
constexpr double kTableShare =
    0.3;  // of the parameters, at most, in the tables of a very small model
constexpr int kDefaultContext = 131072;
constexpr double kTolerance = 0.01;
constexpr int kAlignedWidth = 64;  // widths of large matrices

int rounded(double value, int step) {
  return std::max(step, static_cast<int>(std::lround(value / step)) * step);
}

// Steps of the width: heads must divide among tensor-parallel ranks in large models.
int width_step(double params) {
  if (params >= 5e9) return 1024;
  if (params >= 1e9) return 512;
  if (params >= 1e8) return 128;
  return 32;
}

ModelCard outline(double params, int layers, int width) {
  ModelCard c;
  c.layers = c.attn_layers = c.ffn_layers = layers;
  c.hidden = width;
  c.head_dim = width % kHeadDim == 0 ? kHeadDim : 32;
  c.heads = width / c.head_dim;
  c.kv_heads = params >= kGroupedAbove ? std::min(kGroupedKvHeads, c.heads) : c.heads;
  c.tied_embeddings = params < kTiedBelow;
  c.vocab = params < kSmallVocabBelow ? kSmallVocab : kVocab;
  const double most_rows = kTableShare * params / width;
  if (c.vocab > most_rows) c.vocab = std::max(64, static_cast<int>(most_rows) / 64 * 64);
  c.max_context = kDefaultContext;
  c.native_dtype = "bf16";
  c.source = "chosen for the size";
  return c;
}

// The FFN width that brings the count to `params`; 0 where even none is too much.
int fitting_ffn(const ModelCard& c, double params) {
  const double rest = count_parameters(c).total;  // with ffn 0
  const double per_unit = 3.0 * c.hidden * c.layers;
  if (params <= rest) return 0;
  const double exact = (params - rest) / per_unit;
  const int coarse = rounded(exact, kAlignedWidth);
  const bool close = std::abs(coarse - exact) * per_unit <= kTolerance / 2 * params;
  return close ? coarse : std::max(1, static_cast<int>(std::lround(exact)));
}

double strangeness(const ModelCard& c, double layers, double width) {
  const double ffn = std::log(c.ffn / (kFfnPerWidth * c.hidden));
  return std::abs(std::log(c.layers / layers)) + std::abs(std::log(c.hidden / width)) +
         2 * std::abs(ffn);
}

std::string size_name(double params, std::string_view kind) {
  if (params >= 999.5e9) return fmt::format("{}-{:.3g}t", kind, params / 1e12);
  if (params >= 1e9) return fmt::format("{}-{:.3g}b", kind, params / 1e9);
  return fmt::format("{}-{:.3g}m", kind, params / 1e6);
}

void finish(ModelCard& c, std::string id) {
  const ParameterCount n = count_parameters(c);
  c.id = ModelId(std::move(id));
  c.params = n.total;
  c.active_params = n.active;
}

}  // namespace

ModelCard plausible_card(units::Count count) {
  const double params = count.value;
  const double billions = params / 1e9;
  const double layers = std::max(1.0, kLayersAtOneBillion * std::pow(billions, kLayersExponent));
  const double width = kWidthAtOneBillion * std::pow(billions, kWidthExponent);
  const int step = width_step(params);
  const int layer_step = params >= 30e9 ? 8 : params >= 5e9 ? 4 : 1;  // pipelines divide them
  ModelCard best;
  double best_score = 0;
  for (int w = -3; w <= 3; ++w) {
    const int h = rounded(width, step) + w * step;
    if (h < step) continue;
    for (int l = -3; l <= 3; ++l) {
      const int n_layers = rounded(layers, layer_step) + l * layer_step;
      if (n_layers < 1) continue;
      ModelCard c = outline(params, n_layers, h);
      c.ffn = fitting_ffn(c, params);
      if (c.ffn < 1) continue;
      const double score = strangeness(c, layers, width);
      if (best.ffn != 0 && score >= best_score) continue;
      best = c;
      best_score = score;
    }
  }
  finish(best, size_name(params, "dense"));
  return best;
}

std::optional<ModelCard> plausible_moe_card(units::Count total, units::Count active) {
  if (!(active.value < total.value)) return std::nullopt;
  const ModelCard dense = plausible_card(active);
  ModelCard best;
  for (const int experts : {8, 16, 32, 64, 128, 256, 512}) {
    for (const int top_k : {1, 2, 4, 8}) {
      if (top_k >= experts) continue;
      ModelCard c = dense;
      c.kind = ModelKind::moe_llm;
      c.experts = experts;
      c.experts_top_k = top_k;
      const double per_unit = 3.0 * c.hidden * c.layers;
      const double expert = (total.value - active.value) / (per_unit * (experts - top_k));
      c.expert_ffn = expert >= 16 * kAlignedWidth ? rounded(expert, kAlignedWidth)
                                                  : static_cast<int>(std::lround(expert));
      if (c.expert_ffn < 1) continue;
      const double left = active.value - count_parameters(c).active;
      if (left < 0) continue;
      c.shared_expert_ffn = static_cast<int>(left / per_unit) / kAlignedWidth * kAlignedWidth;
      c.shared_experts = c.shared_expert_ffn > 0 ? 1 : 0;
      if (best.experts == 0 || c.shared_expert_ffn < best.shared_expert_ffn) best = c;
    }
  }
  if (best.experts == 0) return std::nullopt;
  best.ffn = 0;
  finish(best, size_name(total.value, "moe") + "-a" + size_name(active.value, "").substr(1));
  return best;
}

}  // namespace gpusel::workload
