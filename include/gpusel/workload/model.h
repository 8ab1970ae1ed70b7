// Model cards: the architecture of a model, and the counts that follow from it.
//
//   ModelSet models = load_models(data, sink);
//   const ModelCard* card = models.find("meta-llama/Llama-3.1-70B");  // a decoder
//   double n = count_parameters(*card).total;
//   const Model* any = models.find_model("resnet-50");                // of any kind
//   std::optional<double> counted = counted_parameters(*any);
#pragma once

#include "gpusel/base/id.h"
#include "gpusel/data/data_set.h"
#include "gpusel/data/value_reader.h"
#include "gpusel/diag/diagnostic.h"
#include "gpusel/units/units.h"
#include "gpusel/workload/model_head.h"
#include "gpusel/workload/model_shapes.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gpusel::workload {

enum class QkvBias { none, qv, all };
enum class QkNorm { none, head, full };
enum class NormKind { rms, ln, ln_nobias, ln_noparam };
enum class Positions { rope, learned, alibi, relative, none };
enum class RecurrentKind { gated_deltanet, lightning, mamba1, mamba2 };

/// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434): ranks and head widths.
struct Mla {
  int q_lora_rank = 0;  // 0: the query is not compressed
  int kv_lora_rank = 0;
  int qk_nope_dim = 0;
  int rope_dim = 0;
  int v_head_dim = 0;
};

/// Linear-attention and state-space layers.
struct Recurrence {
  RecurrentKind kind = RecurrentKind::mamba2;
  int heads = 0;
  int groups = 0;
  int head_dim = 0;
  int state_dim = 0;
  int conv = 0;  // width of the causal convolution
};

/// The shape of a transformer or state-space model of sequences. Zero means that the model has no
/// such part.
struct ModelCard : ModelHead {
  int layers = 0;
  int encoder_layers = 0;  // of a model with an encoder and a decoder, or of one tower of two
  int decoder_layers = 0;
  int hidden = 0;
  int ffn = 0;
  bool ffn_gated = true;
  int heads = 0;
  int kv_heads = 0;
  int head_dim = 0;
  int vocab = 0;
  int embed_dim = 0;  // width of the embedding table where it is not `hidden`
  bool tied_embeddings = false;
  int max_context = 0;
  int sliding_window = 0;
  int global_attn_every = 1;  // 1: every layer sees the whole context; 0: none does
  int global_kv_heads = 0;    // own shape of the global layers (Gemma 4), else 0
  int global_head_dim = 0;
  bool global_k_eq_v = false;
  int experts = 0;
  int experts_top_k = 0;
  int shared_experts = 0;
  int expert_ffn = 0;
  int shared_expert_ffn = 0;  // total width of all shared experts
  int expert_latent_dim = 0;
  int first_dense_layers = 0;
  int moe_layer_every = 1;
  int attn_layers = 0;  // as many as layers unless the model is a hybrid
  int linear_attn_layers = 0;
  int ssm_layers = 0;
  int ffn_layers = 0;
  bool attn_output_gate = false;
  QkvBias qkv_bias = QkvBias::none;
  bool o_bias = false;
  bool mlp_bias = false;
  QkNorm qk_norm = QkNorm::none;
  NormKind norm_kind = NormKind::rms;
  int norms_per_layer = 2;
  Positions pos_embedding = Positions::rope;
  int pos_rows = 0;  // learned positions
  int mtp_layers = 0;
  double extra_params = 0;
  double vision_params = 0;
  int indexer_heads = 0;
  int indexer_head_dim = 0;
  int indexer_topk = 0;
  std::optional<Mla> mla;
  std::optional<Recurrence> recurrence;

  [[nodiscard]] bool is_moe() const { return experts > 0; }
  /// Layers whose FFN is a set of experts.
  [[nodiscard]] int moe_layers() const;
  [[nodiscard]] bool has_recurrent_layers() const { return linear_attn_layers + ssm_layers > 0; }
  /// Layers that attend to the encoder's output.
  [[nodiscard]] int cross_layers() const { return encoder_layers > 0 ? decoder_layers : 0; }
};

/// A card of any kind.
using Model = std::variant<ModelCard, ConvNet, Unet, DiffusionTransformer, Recommender>;
const ModelHead& head_of(const Model& model);
/// Parameters counted from the shape; nullopt where the card lacks a dimension for that.
std::optional<double> counted_parameters(const Model& model);

/// Parameters by part. `total` is the sum of all parts; the per-layer members are of one layer.
struct ParameterCount {
  double total = 0;
  double active = 0;     // total without idle experts
  double matmul = 0;     // active weights that take part in the matrix products of one token
  double embedding = 0;  // input table
  double head = 0;       // output table; 0 where it is tied
  double positions = 0;
  double norms = 0;          // of the whole model
  double attention = 0;      // of one attention layer (the windowed kind, where there are two)
  double attention_all = 0;  // of all attention layers, cross-attention among them
  double recurrent = 0;      // of one linear-attention or state-space layer
  double ffn = 0;            // of one dense FFN layer
  double expert = 0;         // of one expert
  double moe_fixed = 0;      // router, shared experts and latent projections of one MoE layer
  int dense_ffn_layers = 0;
  int moe_layers = 0;
};
ParameterCount count_parameters(const ModelCard& card);

/// What one sequence caches, by kind of layer; bytes per token and layer.
struct KvShape {
  double global_bytes = 0;  // on layers that see the whole context
  double window_bytes = 0;  // on layers that see a window
  int global_layers = 0;
  int window_layers = 0;
  int window = 0;          // tokens
  double index_bytes = 0;  // of a sparse indexer, on every attention layer
  double state_bytes = 0;  // fixed state of all recurrent layers, fp32, per sequence
};
KvShape kv_shape(const ModelCard& card, double bytes_per_value);
/// The cache of one sequence of so many tokens, without the fixed state of recurrent layers.
units::Bytes kv_bytes(const ModelCard& card, double tokens, double bytes_per_value);
/// What one more token adds while every layer still sees all of the context.
units::Bytes kv_bytes_per_token(const ModelCard& card, double bytes_per_value);

/// The cards in force, sorted by id.
class ModelSet {
 public:
  ModelSet() = default;
  explicit ModelSet(std::vector<Model> models);
  [[nodiscard]] const std::vector<Model>& models() const { return models_; }
  /// By id or alias; case is ignored.
  [[nodiscard]] const Model* find_model(std::string_view name) const;
  /// The same for decoders; null for other kinds.
  [[nodiscard]] const ModelCard* find(std::string_view name) const;
  /// Every id and alias, for suggestions.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  std::vector<Model> models_;
  std::vector<std::pair<std::string, std::size_t>> index_;  // lower-case name, sorted
};

/// Reads the files of kind `models`. Faulty cards are left out and reported.
ModelSet load_models(data::DataSet& set, diag::Sink& sink);

/// A dense decoder of about so many parameters (within 1 %), in the proportions of published ones.
ModelCard plausible_card(units::Count params);
/// A mixture of experts; nullopt where the active parameters are not below the total.
std::optional<ModelCard> plausible_moe_card(units::Count params, units::Count active);

/// A Hugging Face `config.json`. Unknown keys are passed over; missing ones are reported.
std::optional<ModelCard> read_hf_config(const data::Document& document, diag::Sink& sink);

}  // namespace gpusel::workload

template <>
struct gpusel::data::EnumNames<gpusel::workload::QkvBias> {
  using E = gpusel::workload::QkvBias;
  static constexpr std::array<std::pair<std::string_view, E>, 3> kNames = {
      {{"none", E::none}, {"qv", E::qv}, {"all", E::all}}};
};
template <>
struct gpusel::data::EnumNames<gpusel::workload::QkNorm> {
  using E = gpusel::workload::QkNorm;
  static constexpr std::array<std::pair<std::string_view, E>, 3> kNames = {
      {{"none", E::none}, {"head", E::head}, {"full", E::full}}};
};
template <>
struct gpusel::data::EnumNames<gpusel::workload::NormKind> {
  using E = gpusel::workload::NormKind;
  static constexpr std::array<std::pair<std::string_view, E>, 4> kNames = {
      {{"rms", E::rms}, {"ln", E::ln}, {"ln-nobias", E::ln_nobias}, {"ln-noparam", E::ln_noparam}}};
};
template <>
struct gpusel::data::EnumNames<gpusel::workload::Positions> {
  using E = gpusel::workload::Positions;
  static constexpr std::array<std::pair<std::string_view, E>, 5> kNames = {
      {{"rope", E::rope},
       {"learned", E::learned},
       {"alibi", E::alibi},
       {"relative", E::relative},
       {"none", E::none}}};
};
template <>
struct gpusel::data::EnumNames<gpusel::workload::RecurrentKind> {
  using E = gpusel::workload::RecurrentKind;
  static constexpr std::array<std::pair<std::string_view, E>, 4> kNames = {
      {{"gated-deltanet", E::gated_deltanet},
       {"lightning", E::lightning},
       {"mamba1", E::mamba1},
       {"mamba2", E::mamba2}}};
};
