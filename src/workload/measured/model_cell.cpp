#include "model_cell.h"

#include "gpusel/base/text.h"

#include <fmt/format.h>

#include <cmath>

namespace gpusel::workload::measured {
namespace {

std::string plain_name(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  if (slash != std::string_view::npos) name = name.substr(slash + 1);
  std::string plain;
  for (const char c : to_lower(name)) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) plain += c;
  }
  return plain;
}

bool same_shape(const ModelCard& card, const Cells& cells) {
  return card.layers == whole(cells.number("layers", card.layers)) &&
         card.hidden == whole(cells.number("hidden", card.hidden));
}

constexpr std::string_view kShapeColumns[] = {"layers", "hidden", "heads",
                                              "ffn",    "vocab",  "params_total"};

// How far the stated shape is from the stated parameters, as a share of them: with so many matrices
// in a feed-forward part (gated ones have three, plain ones two), one vocabulary table or two.
double distance(const Cells& cells, double params, double matrices) {
  const double layers = cells.number("layers", 0);
  const double hidden = cells.number("hidden", 0);
  const double heads = cells.number("heads", 1);
  const double kv = cells.number("kv_heads", heads);
  const double experts = std::max(1.0, cells.number("experts", 1));
  const double attention = 2 * hidden * hidden * (1 + kv / heads);
  const double table = cells.number("vocab", 0) * hidden;
  const double inner = layers * (attention + experts * matrices * hidden * cells.number("ffn", 0));
  return std::min(std::abs(inner + table - params), std::abs(inner + 2 * table - params)) / params;
}

std::string config_of(const Cells& cells, std::string_view family) {
  std::string text =
      fmt::format(R"({{"model_type": "{}", "hidden_size": {}, "num_hidden_layers": {}, )"
                  R"("num_attention_heads": {}, "vocab_size": {}, "intermediate_size": {})",
                  family, whole(cells.number("hidden", 0)), whole(cells.number("layers", 0)),
                  whole(cells.number("heads", 0)), whole(cells.number("vocab", 0)),
                  whole(cells.number("ffn", 0)));
  if (const auto kv = cells.positive("kv_heads"))
    text += fmt::format(R"(, "num_key_value_heads": {})", whole(*kv));
  if (cells.number("experts", 0) > 1) {
    text += fmt::format(R"(, "num_local_experts": {}, "num_experts_per_tok": {})",
                        whole(cells.number("experts", 0)), whole(cells.number("top_k", 0)));
  }
  return text + R"(, "tie_word_embeddings": false})";
}

}  // namespace

ModelNames::ModelNames(const ModelSet& models) {
  const auto add = [&](std::string_view name, const ModelCard& card) {
    const auto [at, fresh] = cards_.emplace(plain_name(name), &card);
    if (!fresh && at->second != &card) at->second = nullptr;
  };
  for (const Model& model : models.models()) {
    const auto* card = std::get_if<ModelCard>(&model);
    if (card == nullptr) continue;  // rows are runs of language models
    add(card->id.text(), *card);
    for (const std::string& alias : card->aliases) add(alias, *card);
  }
}

const ModelCard* ModelNames::find(std::string_view name) const {
  const auto found = cards_.find(plain_name(name));
  return found == cards_.end() ? nullptr : found->second;
}

OrSkip<ModelCell> model_of(const Cells& cells, const ModelNames& models, double params_scale) {
  const std::string name = cells.text("model");
  const ModelCard* card = models.find(name);
  const bool same = card != nullptr && same_shape(*card, cells);
  if (same) return ModelCell{card->id.text(), {}, card->is_moe()};
  constexpr double kMostIdle =
      0.95;  // of the parameters: rounded figures of dense models differ too
  const double total = cells.number("params_total", 0);
  const bool mixture = cells.number("experts", 0) > 1 ||
                       cells.number("params_active", total) < kMostIdle * total ||
                       (card != nullptr && card->is_moe());
  const std::string unknown = card == nullptr ? "model '" + name + "' is not known"
                                              : "model '" + name + "' has another shape here";
  for (const std::string_view column : kShapeColumns) {
    if (!cells.positive(column))
      return Skip{unknown + ", and the row does not state " + std::string(column)};
  }
  const double params = *cells.number("params_total") * params_scale;
  if (!mixture) {
    const bool gated = distance(cells, params, 3) <= distance(cells, params, 2);
    return ModelCell{"row.json", {{"row.json", config_of(cells, gated ? "llama" : "opt")}}, false};
  }
  // Columns describe a mixture whose experts are alike and in every layer, and no other.
  constexpr double kMostOff = 0.05;
  const bool plain = cells.number("experts", 0) > 1 && cells.positive("top_k");
  if (!plain || distance(cells, params, 3) > kMostOff)
    return Skip{unknown + ", and its columns do not describe this mixture of experts"};
  return ModelCell{"row.json", {{"row.json", config_of(cells, "mixtral")}}, true};
}

}  // namespace gpusel::workload::measured
