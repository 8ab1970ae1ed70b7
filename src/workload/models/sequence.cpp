// Transformers and state-space models of sequences: language models, encoders, and both together.
#include "reader.h"

namespace gpusel::workload::models {
namespace {

using data::field;
using data::NodeRef;
using data::optional_field;
using data::Reader;
using M = ModelCard;

// A key whose value lies in an optional part of the card (`mla_rope_dim`): the part is made with
// its first key.
template <auto Part, auto Member>
bool read_part(NodeRef node, M& card, const Reader& reader) {
  using Value = typename data::detail::MemberOf<decltype(Member)>::Value;
  const std::optional<Value> value = data::ValueReader<Value>::read(node, reader);
  if (!value) return false;
  auto& part = card.*Part;
  if (!part) part.emplace();
  (*part).*Member = *value;
  return true;
}
template <auto Part, auto Member>
constexpr data::Field<M> part_field(std::string_view key, std::string_view doc) {
  using Value = typename data::detail::MemberOf<decltype(Member)>::Value;
  return {{key, doc, data::Presence::optional, data::ValueReader<Value>::kShape},
          &read_part<Part, Member>};
}
template <auto Member>
constexpr data::Field<M> mla(std::string_view key, std::string_view doc) {
  return part_field<&M::mla, Member>(key, doc);
}
template <auto Member>
constexpr data::Field<M> rec(std::string_view key, std::string_view doc) {
  return part_field<&M::recurrence, Member>(key, doc);
}

constexpr data::Field<M> kSize[] = {
    field<&M::layers>("layers", "layers; of a model with two stacks those of both"),
    field<&M::hidden>("hidden", "width of the residual stream"),
    field<&M::max_context>("max_context", "longest context in tokens"),
};
constexpr data::Field<M> kAttention[] = {
    field<&M::ffn_gated>("ffn_gated", "true for three matrices (SwiGLU, GeGLU)"),
    field<&M::heads>("heads", "query heads"),
    field<&M::kv_heads>("kv_heads", "key and value heads"),
    field<&M::head_dim>("head_dim", "width of a head"),
};
constexpr data::Field<M> kTokens[] = {
    field<&M::vocab>("vocab", "rows of the embedding table"),
    field<&M::tied_embeddings>("tied_embeddings", "true where the output uses the input table"),
};
// An encoder of images has no table of tokens.
constexpr data::Field<M> kMaybeTokens[] = {
    optional_field<&M::vocab>("vocab", "rows of the embedding table"),
    optional_field<&M::tied_embeddings>("tied_embeddings",
                                        "true where the output uses the input table"),
    optional_field<&M::encoder_layers>("encoder_layers",
                                       "layers of the tower that the shape is of"),
};
constexpr data::Field<M> kStacks[] = {
    field<&M::encoder_layers>("encoder_layers", "layers of the encoder"),
    field<&M::decoder_layers>("decoder_layers", "layers of the decoder"),
};
constexpr data::Field<M> kNoAttention[] = {
    optional_field<&M::ffn_gated>("ffn_gated", "true for three matrices (SwiGLU, GeGLU)"),
};
constexpr data::Field<M> kDetails[] = {
    optional_field<&M::ffn>("ffn", "width of a dense feed-forward layer"),
    optional_field<&M::embed_dim>("embed_dim",
                                  "width of the embedding table where it is not `hidden`"),
    optional_field<&M::sliding_window>("sliding_window",
                                       "window of the local attention layers in tokens"),
    optional_field<&M::global_attn_every>("global_attn_every",
                                          "every n-th layer sees the whole context; 0: none"),
    optional_field<&M::global_kv_heads>("global_kv_heads",
                                        "KV heads of the global layers where they differ"),
    optional_field<&M::global_head_dim>("global_head_dim",
                                        "head width of the global layers where it differs"),
    optional_field<&M::global_k_eq_v>("global_k_eq_v",
                                      "true where keys and values share a projection"),
    optional_field<&M::experts>("experts", "routed experts of a layer"),
    optional_field<&M::experts_top_k>("experts_top_k", "routed experts per token"),
    optional_field<&M::shared_experts>("shared_experts", "experts that every token passes"),
    optional_field<&M::expert_ffn>("expert_ffn", "width of one expert"),
    optional_field<&M::shared_expert_ffn>("shared_expert_ffn", "total width of the shared experts"),
    optional_field<&M::expert_latent_dim>("expert_latent_dim",
                                          "width that experts work at, where not `hidden`"),
    optional_field<&M::first_dense_layers>("first_dense_layers", "leading layers without experts"),
    optional_field<&M::moe_layer_every>("moe_layer_every", "every n-th layer has experts"),
    optional_field<&M::attn_layers>("attn_layers", "layers with attention; left out: all"),
    optional_field<&M::linear_attn_layers>("linear_attn_layers", "layers with linear attention"),
    optional_field<&M::ssm_layers>("ssm_layers", "state-space layers"),
    optional_field<&M::ffn_layers>("ffn_layers", "layers with a feed-forward part; left out: all"),
    optional_field<&M::attn_output_gate>("attn_output_gate",
                                         "true for a gate on the attention output"),
    optional_field<&M::qkv_bias>("qkv_bias", "none, qv or all"),
    optional_field<&M::o_bias>("o_bias", "bias of the attention output"),
    optional_field<&M::mlp_bias>("mlp_bias", "biases of the feed-forward part"),
    optional_field<&M::qk_norm>("qk_norm", "norm of queries and keys: none, head or full"),
    optional_field<&M::norm_kind>("norm_kind", "rms, ln, ln-nobias or ln-noparam"),
    optional_field<&M::norms_per_layer>("norms_per_layer", "norms of a layer"),
    optional_field<&M::pos_embedding>("pos_embedding", "rope, learned, alibi, relative or none"),
    optional_field<&M::pos_rows>("pos_rows", "rows of a learned position table"),
    optional_field<&M::mtp_layers>("mtp_layers", "multi-token prediction layers, not in `params`"),
    optional_field<&M::extra_params>("extra_params", "small leftovers, may be negative"),
    optional_field<&M::vision_params>("vision_params", "vision tower, not in `params`"),
    optional_field<&M::indexer_heads>("indexer_heads", "heads of the sparse-attention indexer"),
    optional_field<&M::indexer_head_dim>("indexer_head_dim", "head width of the indexer"),
    optional_field<&M::indexer_topk>("indexer_topk", "tokens that the indexer keeps"),
    mla<&Mla::q_lora_rank>("mla_q_lora_rank", "rank of the compressed query"),
    mla<&Mla::kv_lora_rank>("mla_kv_lora_rank", "rank of the compressed keys and values"),
    mla<&Mla::qk_nope_dim>("mla_qk_nope_dim", "head width without positions"),
    mla<&Mla::rope_dim>("mla_rope_dim", "head width with positions"),
    mla<&Mla::v_head_dim>("mla_v_head_dim", "head width of the values"),
    rec<&Recurrence::kind>("rec_kind", "gated-deltanet, lightning, mamba1 or mamba2"),
    rec<&Recurrence::heads>("rec_heads", "heads of a recurrent layer"),
    rec<&Recurrence::groups>("rec_groups", "groups that share keys and queries"),
    rec<&Recurrence::head_dim>("rec_head_dim", "head width of a recurrent layer"),
    rec<&Recurrence::state_dim>("rec_state_dim", "state width of a recurrent layer"),
    rec<&Recurrence::conv>("rec_conv", "width of the causal convolution"),
};

// One table for each kind.
constexpr auto kDecoder = join(kHead<M>, kSize, kAttention, kTokens, kDetails);
constexpr auto kEncoder = join(kHead<M>, kSize, kAttention, kMaybeTokens, kDetails);
constexpr auto kEncoderDecoder = join(kHead<M>, kSize, kAttention, kTokens, kStacks, kDetails);
constexpr auto kRecurrent = join(kHead<M>, kSize, kTokens, kNoAttention, kDetails);

std::string expert_fault(const M& c) {
  const bool moe = c.kind == ModelKind::moe_llm;
  if (c.is_moe() && (c.experts_top_k < 1 || c.experts_top_k > c.experts || c.expert_ffn < 1))
    return "experts need 'expert_ffn' and an 'experts_top_k' of 1 to 'experts'";
  if (moe != c.is_moe()) return "'kind' and 'experts' disagree";
  return {};
}

std::string stack_fault(const M& c) {
  const int stacked = c.encoder_layers + c.decoder_layers;
  if (c.decoder_layers > 0 && stacked != c.layers)
    return "'encoder_layers' and 'decoder_layers' must add up to 'layers'";
  if (c.encoder_layers < 0 || c.decoder_layers < 0 || stacked > c.layers)
    return "more layers of one sort than 'layers'";
  return {};
}

std::string shape_fault(const M& c) {
  if (c.kv_heads > c.heads) return "more KV heads than heads";
  if (c.attn_layers > c.layers || c.ffn_layers > c.layers || c.first_dense_layers > c.layers)
    return "more layers of one sort than 'layers'";
  if (c.mla && (c.mla->kv_lora_rank < 1 || c.mla->v_head_dim < 1))
    return "latent attention needs its ranks and widths";
  if (c.has_recurrent_layers() && !c.recurrence) return "recurrent layers need the 'rec_…' keys";
  const std::string experts = expert_fault(c);
  return experts.empty() ? stack_fault(c) : experts;
}

bool sizes_hold(const M& c, NodeRef node, const Reader& reader) {
  const Bound bounds[] = {{"layers", c.layers, 1, kMostLayers},
                          {"hidden", c.hidden, 1, kMostWidth},
                          {"moe_layer_every", c.moe_layer_every, 1, kMostWidth}};
  return in_range(bounds, c, node, reader);
}

bool attention_holds(const M& c, NodeRef node, const Reader& reader) {
  const Bound bounds[] = {{"heads", c.heads, 1, kMostWidth},
                          {"kv_heads", c.kv_heads, 1, kMostWidth},
                          {"head_dim", c.head_dim, 1, kMostWidth}};
  return in_range(bounds, c, node, reader);
}

bool tokens_hold(const M& c, NodeRef node, const Reader& reader) {
  const Bound bounds[] = {{"vocab", c.vocab, 1, kMostWidth}};
  return in_range(bounds, c, node, reader);
}

bool stacks_hold(const M& c, NodeRef node, const Reader& reader) {
  const Bound bounds[] = {{"encoder_layers", c.encoder_layers, 1, kMostLayers},
                          {"decoder_layers", c.decoder_layers, 1, kMostLayers}};
  return in_range(bounds, c, node, reader);
}

using Check = bool (*)(const M&, NodeRef, const Reader&);

// Fills what follows from other keys, then asks each of the kind's checks.
template <auto& kTable, Check... kChecks>
std::optional<Model> read(NodeRef node, const Reader& reader) {
  std::optional<M> card = data::read_record<M>(node, kTable.fields, reader, kOtherKeys);
  if (!card) return std::nullopt;
  if (card->attn_layers == 0 && !card->has_recurrent_layers()) card->attn_layers = card->layers;
  if (!node.find("ffn_layers")) card->ffn_layers = card->layers;
  if (!(kChecks(*card, node, reader) && ...)) return std::nullopt;
  const std::string fault = shape_fault(*card);
  if (!fault.empty() && !bad_shape(*card, fault, node, reader)) return std::nullopt;
  return Model(std::move(*card));
}

constexpr auto kReadDecoder = &read<kDecoder, &sizes_hold, &attention_holds, &tokens_hold>;
constexpr auto kReadEncoder = &read<kEncoder, &sizes_hold, &attention_holds>;
constexpr auto kReadBoth =
    &read<kEncoderDecoder, &sizes_hold, &attention_holds, &tokens_hold, &stacks_hold>;

constexpr KindReader kReaders[] = {
    {ModelKind::dense_llm, &keys_of_table<kDecoder>, kReadDecoder},
    {ModelKind::moe_llm, &keys_of_table<kDecoder>, kReadDecoder},
    {ModelKind::encoder, &keys_of_table<kEncoder>, kReadEncoder},
    {ModelKind::embedding, &keys_of_table<kEncoder>, kReadEncoder},
    {ModelKind::enc_dec, &keys_of_table<kEncoderDecoder>, kReadBoth},
    {ModelKind::asr, &keys_of_table<kEncoderDecoder>, kReadBoth},
    {ModelKind::ssm, &keys_of_table<kRecurrent>, &read<kRecurrent, &sizes_hold, &tokens_hold>},
};

}  // namespace

constinit const std::span<const KindReader> kSequenceKinds = kReaders;

}  // namespace gpusel::workload::models
