#include "gpusel/base/number.h"
#include "gpusel/base/suggest.h"
#include "gpusel/base/text.h"
#include "gpusel/workload/model.h"

#include <algorithm>
#include <initializer_list>
#include <limits>

namespace gpusel::workload {
namespace {

using data::NodeRef;
using Keys = std::initializer_list<std::string_view>;

constexpr int kMostLayers = 10000;
constexpr int kMostWidth = 10'000'000;

// Families that differ from the Llama structure (gated FFN, RMS norms, no biases, untied tables).
constexpr std::string_view kPlainFfn[] = {"gpt2",        "opt",        "bloom",    "falcon",
                                          "phi",         "starcoder2", "gpt_neox", "gptj",
                                          "gpt_bigcode", "mpt",        "nemotron", "codegen"};
constexpr std::string_view kBiased[] = {"gpt2",       "opt",      "bloom",      "phi",
                                        "starcoder2", "gpt_neox", "gpt_bigcode"};
constexpr std::string_view kTied[] = {"gpt2",        "opt",        "bloom",      "falcon",  "gemma",
                                      "gemma2",      "gemma3",     "cohere",     "cohere2", "mpt",
                                      "gemma3_text", "starcoder2", "gpt_bigcode"};
constexpr std::string_view kDefaultFfn[] = {"gpt2",        "bloom", "falcon", "gptj",
                                            "gpt_bigcode", "mpt",   "codegen"};
constexpr std::string_view kEncoders[] = {"bert",       "roberta", "distilbert",  "deberta",
                                          "deberta-v2", "t5",      "bart",        "whisper",
                                          "electra",    "albert",  "xlm-roberta", "mt5"};

template <std::size_t N>
bool is_one_of(std::string_view name, const std::string_view (&names)[N]) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

std::string quoted(Keys keys) {
  std::vector<std::string> names;
  for (const std::string_view key : keys) names.emplace_back(key);
  return quoted_list(names);
}

// Values of a config by any of their names; the inner map (`text_config`) goes before the outer
// one.
class Config {
 public:
  Config(const data::Document& document, diag::Sink& sink)
      : reader_(sink, "$"), outer_(document.root()), inner_(outer_) {
    if (!outer_.is_map()) {
      fail(outer_, "model/bad-config", "expected a map, found " + outer_.describe(),
           "give a Hugging Face config.json");
      return;
    }
    for (const std::string_view key : {"text_config", "llm_config", "language_config"}) {
      const auto nested = outer_.find(key);
      if (nested && nested->is_map()) inner_ = *nested;
    }
  }

  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] std::optional<NodeRef> find(Keys keys) const {
    if (!good_ && !outer_.is_map()) return std::nullopt;
    for (const NodeRef map : {inner_, outer_}) {
      for (const std::string_view key : keys) {
        const auto node = map.find(key);
        if (node && !node->is_null()) return node;
      }
    }
    return std::nullopt;
  }
  [[nodiscard]] std::string text(Keys keys) const {
    const auto node = find(keys);
    return node && node->is_scalar() ? std::string(node->text()) : std::string();
  }
  [[nodiscard]] bool flag(Keys keys, std::string_view otherwise) const {
    const std::string value = text(keys);
    return (value.empty() ? otherwise : value) == "true";
  }
  // A whole number within [low, high], or the fallback where the key is not there.
  int whole(Keys keys, int low, int high, int otherwise) {
    const auto node = find(keys);
    if (!node) return otherwise;
    const auto value =
        node->is_scalar() ? parse_integer(node->text(), low, high) : Result<std::int64_t>(Error{});
    if (value) return static_cast<int>(*value);
    fail(*node, "model/bad-config",
         "expected a whole number of " + std::to_string(low) + " to " + std::to_string(high) +
             " for " + quoted(keys) + ", found " + node->describe(),
         "correct the value");
    return otherwise;
  }
  int required(Keys keys, int high) {
    if (!find(keys)) {
      fail(inner_, "model/missing-key", "the config has no " + quoted(keys),
           "give the config.json of a language model");
      return 1;
    }
    return whole(keys, 1, high, 1);
  }
  void fail(NodeRef node, std::string_view code, std::string message, std::string help) {
    reader_.error(code, node.span(), std::move(message), std::move(help));
    good_ = false;
  }
  [[nodiscard]] NodeRef place() const { return inner_; }

 private:
  data::Reader reader_;
  NodeRef outer_;
  NodeRef inner_;
  bool good_ = true;
};

void read_body(Config& config, const std::string& type, ModelCard& c) {
  c.hidden = config.required({"hidden_size", "n_embd", "d_model"}, kMostWidth);
  c.layers =
      config.required({"num_hidden_layers", "n_layer", "n_layers", "num_layers"}, kMostLayers);
  c.heads = config.required({"num_attention_heads", "n_head", "n_heads"}, kMostWidth);
  c.vocab = config.required({"vocab_size"}, kMostWidth);
  const int all_heads = config.flag({"multi_query"}, "false") ? 1 : c.heads;
  c.kv_heads = config.whole({"num_key_value_heads", "num_kv_heads", "multi_query_group_num"}, 1,
                            kMostWidth, all_heads);
  c.head_dim = config.whole({"head_dim", "attention_head_dim", "kv_channels"}, 1, kMostWidth,
                            std::max(1, c.hidden / std::max(1, c.heads)));
  const Keys ffn = {"intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size",
                    "intermediate_size_mlp"};
  c.ffn = is_one_of(type, kDefaultFfn) ? config.whole(ffn, 1, kMostWidth, 4 * c.hidden)
                                       : config.required(ffn, kMostWidth);
  c.max_context = config.whole({"max_position_embeddings", "n_positions", "n_ctx", "max_seq_len",
                                "seq_length", "max_sequence_length"},
                               1, std::numeric_limits<int>::max(), 0);
  c.tied_embeddings =
      config.flag({"tie_word_embeddings"}, is_one_of(type, kTied) ? "true" : "false");
  c.ffn_gated = !is_one_of(type, kPlainFfn);
  c.attn_layers = c.ffn_layers = c.layers;
  c.mtp_layers = config.whole({"num_nextn_predict_layers"}, 0, kMostLayers, 0);
}

void read_details(const Config& config, const std::string& type, ModelCard& c) {
  const bool qwen2 = type == "qwen2" || type == "qwen2_moe";
  const bool biased = is_one_of(type, kBiased);
  const bool attention_bias = config.flag({"attention_bias"}, biased ? "true" : "false");
  if (attention_bias || qwen2) c.qkv_bias = QkvBias::all;
  c.o_bias = attention_bias && !qwen2;
  c.mlp_bias = config.flag({"mlp_bias"}, biased ? "true" : "false");
  if (!c.ffn_gated) c.norm_kind = NormKind::ln;
  if (type.rfind("qwen3", 0) == 0 || type.rfind("gemma3", 0) == 0) c.qk_norm = QkNorm::head;
  if (type == "olmo2") c.qk_norm = QkNorm::full;
  if (type.rfind("gemma2", 0) == 0 || type.rfind("gemma3", 0) == 0) c.norms_per_layer = 4;
  if (type == "gpt2" || type == "opt") {
    c.pos_embedding = Positions::learned;
    c.pos_rows = c.max_context;
  }
  if (type == "bloom") c.pos_embedding = Positions::alibi;
}

void read_experts(Config& config, const std::string& type, ModelCard& c) {
  c.experts = config.whole(
      {"num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts"}, 0, 100000, 0);
  if (c.experts <= 1) {
    c.experts = 0;
    return;
  }
  c.kind = ModelKind::moe_llm;
  c.experts_top_k = config.required(
      {"num_experts_per_tok", "num_experts_per_token", "moe_topk", "moe_k"}, c.experts);
  c.expert_ffn =
      config.whole({"moe_intermediate_size", "expert_intermediate_size"}, 1, kMostWidth, c.ffn);
  c.shared_experts = config.whole({"n_shared_experts", "num_shared_experts"}, 0, 1000, 0);
  c.shared_expert_ffn =
      config.whole({"shared_expert_intermediate_size", "moe_shared_expert_intermediate_size"}, 0,
                   kMostWidth, c.shared_experts * c.expert_ffn);
  if (c.shared_expert_ffn > 0 && c.shared_experts == 0) c.shared_experts = 1;
  c.first_dense_layers = config.whole({"first_k_dense_replace"}, 0, c.layers, 0);
  c.moe_layer_every = config.whole(
      {"decoder_sparse_step", "moe_layer_freq", "interleave_moe_layer_step"}, 1, kMostLayers, 1);
  if (type.rfind("llama4", 0) ==
      0) {  // one shared expert as wide as a routed one; dense layers have their own width
    c.shared_experts = 1;
    c.shared_expert_ffn = c.expert_ffn;
    c.ffn = config.whole({"intermediate_size_mlp"}, 1, kMostWidth, c.ffn);
  }
}

void read_latent_attention(Config& config, ModelCard& c) {
  if (!config.find({"kv_lora_rank"})) return;
  Mla m;
  m.kv_lora_rank = config.required({"kv_lora_rank"}, kMostWidth);
  m.q_lora_rank = config.whole({"q_lora_rank"}, 0, kMostWidth, 0);
  m.qk_nope_dim = config.required({"qk_nope_head_dim"}, kMostWidth);
  m.rope_dim = config.required({"qk_rope_head_dim"}, kMostWidth);
  m.v_head_dim = config.required({"v_head_dim"}, kMostWidth);
  c.mla = m;
  c.head_dim = m.qk_nope_dim + m.rope_dim;
}

int count_layers(const NodeRef list, std::string_view name) {
  int n = 0;
  for (const NodeRef node : list) n += node.is_scalar() && node.text() == name ? 1 : 0;
  return n;
}

void read_layer_kinds(Config& config, const std::string& type, ModelCard& c) {
  if (config.flag({"use_sliding_window"}, "true")) {
    c.sliding_window = config.whole({"sliding_window", "attention_chunk_size"}, 1,
                                    std::numeric_limits<int>::max(), 0);
  }
  if (c.sliding_window > 0) {
    const int usual = type.rfind("gemma3", 0) == 0   ? 6
                      : type.rfind("gemma2", 0) == 0 ? 2
                      : type.rfind("llama4", 0) == 0 ? 4
                                                     : 0;
    c.global_attn_every = config.whole({"sliding_window_pattern"}, 1, kMostLayers, usual);
  }
  const auto kinds = config.find({"layer_types"});
  if (!kinds || !kinds->is_list()) return;
  const int full = count_layers(*kinds, "full_attention");
  c.linear_attn_layers = count_layers(*kinds, "linear_attention");
  c.ssm_layers = count_layers(*kinds, "mamba");
  c.attn_layers = c.layers - std::min(c.layers - 1, c.linear_attn_layers + c.ssm_layers);
  if (c.sliding_window > 0) c.global_attn_every = full > 0 ? std::max(1, c.attn_layers / full) : 0;
  if (c.linear_attn_layers == 0) return;
  Recurrence r;
  r.kind = RecurrentKind::gated_deltanet;
  r.heads = config.required({"linear_num_value_heads"}, kMostWidth);
  r.groups = config.required({"linear_num_key_heads"}, kMostWidth);
  r.head_dim = config.required({"linear_value_head_dim"}, kMostWidth);
  r.state_dim = config.required({"linear_key_head_dim"}, kMostWidth);
  r.conv = config.whole({"linear_conv_kernel_dim"}, 0, 1024, 4);
  c.recurrence = r;
  c.attn_output_gate = true;
}

std::string dtype_of(const Config& config) {
  const auto quantization = config.find({"quantization_config"});
  if (quantization && quantization->is_map()) {
    const auto method = quantization->find("quant_method");
    if (method && method->is_scalar() && method->text() == "fp8") return "fp8";
  }
  const std::string name = config.text({"torch_dtype", "dtype"});
  if (name == "float16") return "fp16";
  if (name == "float32") return "fp32";
  return "bf16";
}

}  // namespace

std::optional<ModelCard> read_hf_config(const data::Document& document, diag::Sink& sink) {
  Config config(document, sink);
  if (!config.good()) return std::nullopt;
  const std::string type = config.text({"model_type"});
  if (is_one_of(type, kEncoders) || config.flag({"is_encoder_decoder"}, "false")) {
    config.fail(config.place(), "model/not-a-decoder",
                "'" + type + "' is not a decoder language model",
                "only decoder-only models are estimated");
    return std::nullopt;
  }
  ModelCard c;
  read_body(config, type, c);
  read_details(config, type, c);
  read_experts(config, type, c);
  read_latent_attention(config, c);
  read_layer_kinds(config, type, c);
  if (config.good() && c.kv_heads > c.heads) {
    config.fail(config.place(), "model/bad-config", "the config has more KV heads than heads",
                "correct the config");
  }
  if (!config.good()) return std::nullopt;
  c.native_dtype = dtype_of(config);
  c.source = document.source()->name;
  c.id = ModelId(type.empty() ? std::string("config") : type);
  const ParameterCount n = count_parameters(c);
  c.params = n.total;
  c.active_params = n.active;
  return c;
}

}  // namespace gpusel::workload
