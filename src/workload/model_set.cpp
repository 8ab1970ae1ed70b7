#include "data_shapes.h"

#include "gpusel/base/text.h"
#include "gpusel/catalog/sources.h"
#include "gpusel/workload/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace gpusel::workload {
namespace {

using catalog::Citation;
using data::field;
using data::optional_field;

// A key whose value lies in an optional part of the card (`mla_rope_dim`): the part is made with
// its first key.
template <auto Part, auto Member>
bool read_part(data::NodeRef node, ModelCard& card, const data::Reader& reader) {
  using Value = typename data::detail::MemberOf<decltype(Member)>::Value;
  const std::optional<Value> value = data::ValueReader<Value>::read(node, reader);
  if (!value) return false;
  auto& part = card.*Part;
  if (!part) part.emplace();
  (*part).*Member = *value;
  return true;
}
template <auto Part, auto Member>
constexpr data::Field<ModelCard> part_field(std::string_view key, std::string_view doc) {
  using Value = typename data::detail::MemberOf<decltype(Member)>::Value;
  return {{key, doc, data::Presence::optional, data::ValueReader<Value>::kShape},
          &read_part<Part, Member>};
}
template <auto Member>
constexpr data::Field<ModelCard> mla(std::string_view key, std::string_view doc) {
  return part_field<&ModelCard::mla, Member>(key, doc);
}
template <auto Member>
constexpr data::Field<ModelCard> rec(std::string_view key, std::string_view doc) {
  return part_field<&ModelCard::recurrence, Member>(key, doc);
}

using M = ModelCard;
constexpr data::Field<ModelCard> kFields[] = {
    field<&M::id>("id", "short name of the model"),
    field<&M::aliases>("aliases", "other names, such as the repository on Hugging Face"),
    field<&M::kind>("kind", "dense-llm or moe-llm"),
    field<&M::params>("params", "parameters"),
    field<&M::active_params>("active_params", "parameters without idle experts"),
    field<&M::layers>("layers", "decoder layers"),
    field<&M::hidden>("hidden", "width of the residual stream"),
    optional_field<&M::ffn>("ffn", "width of a dense feed-forward layer"),
    field<&M::ffn_gated>("ffn_gated", "true for three matrices (SwiGLU, GeGLU)"),
    field<&M::heads>("heads", "query heads"),
    field<&M::kv_heads>("kv_heads", "key and value heads"),
    field<&M::head_dim>("head_dim", "width of a head"),
    field<&M::vocab>("vocab", "rows of the embedding table"),
    optional_field<&M::embed_dim>("embed_dim",
                                  "width of the embedding table where it is not `hidden`"),
    field<&M::tied_embeddings>("tied_embeddings", "true where the output uses the input table"),
    field<&M::max_context>("max_context", "longest context in tokens"),
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
    optional_field<&M::native_dtype>("native_dtype", "format of the published weights"),
    optional_field<&M::training_tokens>("training_tokens", "tokens that the model was trained on"),
};
constexpr std::string_view kOtherKeys[] = {"source", "confidence", "note"};

std::vector<data::KeyShape> card_keys() {
  std::vector<data::KeyShape> keys = data::key_shapes<kFields>();
  using Texts = data::ValueReader<std::vector<std::string>>;
  keys.push_back({"source", "keys of 'sources'", data::Presence::optional, Texts::kShape});
  keys.push_back({"confidence", "where it differs from the source's", data::Presence::optional,
                  data::ValueReader<catalog::Confidence>::kShape});
  keys.push_back({"note", "what a reader needs to know", data::Presence::optional,
                  data::ValueReader<std::string>::kShape});
  return keys;
}
constexpr data::FilePart kParts[] = {catalog::kSourcesPart,
                                     {"entries", "one record per model", data::FilePart::Form::list,
                                      &card_keys, data::Presence::required}};

}  // namespace

constinit const data::FileShape kModelsShape{"models", "model cards", nullptr, kParts};

namespace {

// Limits far above any model: they keep the arithmetic of hostile files in range.
constexpr int kMostLayers = 10000;
constexpr int kMostWidth = 10'000'000;
// Published counts are rounded (GPT-3 13B by 1.8 %); more than this is a misread shape.
constexpr double kRecountTolerance = 0.02;

class Loader {
 public:
  explicit Loader(diag::Sink& sink) : sink_(sink) {}

  void read_file(const data::DataFile& file) {
    if (!file.document) return;
    const data::NodeRef root = file.document->root();
    const data::Reader reader(sink_, "$");
    data::check_keys(root, kModelsShape, reader);
    const std::map<std::string, std::string> urls = read_sources(root, reader);
    const std::optional<data::NodeRef> entries = root.find("entries");
    if (!entries || !entries->is_list()) {
      data::report_missing_key(root, "entries", "a list of models", reader);
      return;
    }
    std::size_t index = 0;
    for (const data::NodeRef entry : *entries) {
      read_entry(entry, reader.at("entries").at(index++), urls);
    }
  }
  std::vector<ModelCard> take() { return std::move(cards_); }

 private:
  std::map<std::string, std::string> read_sources(data::NodeRef root, const data::Reader& reader) {
    std::map<std::string, std::string> urls;
    const std::optional<data::NodeRef> sources = root.find("sources");
    if (!sources || !sources->is_map()) return urls;
    for (auto it = sources->begin(); it != sources->end(); ++it) {
      const std::string key(it.key().text());
      const auto citation =
          data::read_record<Citation>(*it, catalog::kCitationFields, reader.at("sources").at(key));
      if (citation) urls.emplace(key, citation->url);
    }
    return urls;
  }

  void read_entry(data::NodeRef node, const data::Reader& reader,
                  const std::map<std::string, std::string>& urls) {
    std::optional<ModelCard> card = data::read_record<ModelCard>(node, kFields, reader, kOtherKeys);
    if (!card) return;
    if (card->attn_layers == 0 && !card->has_recurrent_layers()) card->attn_layers = card->layers;
    if (!node.find("ffn_layers")) card->ffn_layers = card->layers;
    if (const auto source = node.find("source"))
      card->source = source_of(*source, reader.at("source"), urls);
    if (!check_shape(*card, node, reader) || !check_names(*card, node, reader)) return;
    cards_.push_back(std::move(*card));
  }

  static std::string source_of(data::NodeRef node, const data::Reader& reader,
                               const std::map<std::string, std::string>& urls) {
    const auto keys = data::ValueReader<std::vector<std::string>>::read(node, reader);
    if (!keys || keys->empty()) return {};
    for (const std::string& key : *keys) {
      if (urls.count(key) != 0) continue;
      reader.error("model/unknown-source", node.span(),
                   "'" + key + "' is not among the file's sources",
                   "add it to 'sources' or correct the name");
    }
    const auto found = urls.find(keys->front());
    return found == urls.end() ? keys->front() : found->second;
  }

  static bool check_shape(const ModelCard& c, data::NodeRef node, const data::Reader& reader) {
    const std::pair<std::string_view, int> needed[] = {{"layers", c.layers},
                                                       {"hidden", c.hidden},
                                                       {"heads", c.heads},
                                                       {"kv_heads", c.kv_heads},
                                                       {"head_dim", c.head_dim},
                                                       {"vocab", c.vocab},
                                                       {"moe_layer_every", c.moe_layer_every}};
    for (const auto& [key, value] : needed) {
      const int most = key == "layers" ? kMostLayers : kMostWidth;
      if (value >= 1 && value <= most) continue;
      reader.error("model/bad-shape", node.span(),
                   fmt::format("'{}' of '{}' is {}", key, c.id.text(), value),
                   fmt::format("expected 1 to {}", most));
      return false;
    }
    const std::string fault = shape_fault(c);
    if (!fault.empty()) {
      reader.error("model/bad-shape", node.span(), "'" + c.id.text() + "': " + fault,
                   "check the shape against its source");
      return false;
    }
    const double counted = count_parameters(c).total;
    if (std::abs(counted / c.params - 1) > kRecountTolerance) {
      sink_warn(reader, node,
                fmt::format("'{}' states {:.0f} parameters, its shape gives {:.0f}", c.id.text(),
                            c.params, counted));
    }
    return true;
  }

  static std::string shape_fault(const ModelCard& c) {
    if (c.params < 1 || c.active_params < 1)
      return "'params' and 'active_params' must be at least 1";
    if (c.kv_heads > c.heads) return "more KV heads than heads";
    if (c.attn_layers > c.layers || c.ffn_layers > c.layers || c.first_dense_layers > c.layers) {
      return "more layers of one sort than 'layers'";
    }
    if (c.experts > 0 && (c.experts_top_k < 1 || c.experts_top_k > c.experts || c.expert_ffn < 1)) {
      return "experts need 'expert_ffn' and an 'experts_top_k' of 1 to 'experts'";
    }
    if ((c.kind == ModelKind::moe_llm) != c.is_moe()) return "'kind' and 'experts' disagree";
    if (c.mla && (c.mla->kv_lora_rank < 1 || c.mla->v_head_dim < 1))
      return "latent attention needs its ranks and widths";
    if (c.has_recurrent_layers() && !c.recurrence) return "recurrent layers need the 'rec_…' keys";
    return {};
  }

  static void sink_warn(const data::Reader& reader, data::NodeRef node, std::string message) {
    reader.sink().report(diag::warning("model/params-mismatch", node.span(), std::move(message))
                             .with_help("check the shape against its source")
                             .with_path(reader.path()));
  }

  bool check_names(const ModelCard& c, data::NodeRef node, const data::Reader& reader) {
    std::vector<std::string> names = {c.id.text()};
    names.insert(names.end(), c.aliases.begin(), c.aliases.end());
    for (const std::string& name : names) {
      const auto [at, fresh] = taken_.emplace(to_lower(name), c.id.text());
      if (fresh || at->second == c.id.text()) continue;
      reader.error("model/duplicate-name", node.span(),
                   "'" + name + "' already names '" + at->second + "'",
                   "every id and alias names one model");
      return false;
    }
    return true;
  }

  diag::Sink& sink_;
  std::vector<ModelCard> cards_;
  std::map<std::string, std::string> taken_;
};

}  // namespace

ModelSet::ModelSet(std::vector<ModelCard> cards) : cards_(std::move(cards)) {
  std::sort(cards_.begin(), cards_.end(),
            [](const ModelCard& a, const ModelCard& b) { return a.id < b.id; });
  for (std::size_t i = 0; i < cards_.size(); ++i) {
    index_.emplace_back(to_lower(cards_[i].id.text()), i);
    for (const std::string& alias : cards_[i].aliases) index_.emplace_back(to_lower(alias), i);
  }
  std::sort(index_.begin(), index_.end());
}

const ModelCard* ModelSet::find(std::string_view name) const {
  const std::string key = to_lower(name);
  const auto at =
      std::lower_bound(index_.begin(), index_.end(), key,
                       [](const auto& entry, const std::string& k) { return entry.first < k; });
  return at == index_.end() || at->first != key ? nullptr : &cards_[at->second];
}

std::vector<std::string> ModelSet::names() const {
  std::vector<std::string> names;
  for (const ModelCard& card : cards_) {
    names.push_back(card.id.text());
    names.insert(names.end(), card.aliases.begin(), card.aliases.end());
  }
  return names;
}

ModelSet load_models(data::DataSet& set, diag::Sink& sink) {
  Loader loader(sink);
  for (const data::DataFile* file : set.files("models")) loader.read_file(*file);
  return ModelSet(loader.take());
}

}  // namespace gpusel::workload
