#include "model_option.h"

#include "gpusel/base/suggest.h"
#include "gpusel/units/format.h"
#include "gpusel/units/units.h"

#include <fmt/format.h>

namespace gpusel::workload::llm {
namespace {

using units::Count;

constexpr double kFewestParams = 1e6;  // fewer is taken for a forgotten suffix
constexpr double kMostParams = 1e14;

std::optional<Count> read_params(const data::OptionReader& read, std::string_view name) {
  const auto count = read.quantity<Count>(name);
  if (!count) return std::nullopt;
  if (count->value >= kFewestParams && count->value <= kMostParams) return count;
  const std::string text = read.text(name).value_or("");
  const bool few = count->value < kFewestParams;
  read.report(name,
              Error{fmt::format("'{}' parameters are {} for a language model", text,
                                few ? "too few" : "too many"),
                    "write a suffix where one is missing: 10B is ten billion", 0, text.size()});
  return std::nullopt;
}

std::optional<ModelCard> read_config(const data::OptionReader& read, const Context& context,
                                     const std::string& path) {
  const Result<std::string> text = context.files->read(path);
  if (!text) {
    read.report("model",
                Error{text.error().message, "check the path and its permissions", 0, path.size()});
    return std::nullopt;
  }
  const diag::SourcePtr source = diag::make_source(path, *text);
  const auto document = data::parse_document(source, read.sink());
  if (!document) return std::nullopt;
  return read_hf_config(*document, read.sink());
}

// What estimates a model of this kind.
std::string kind_for(ModelKind kind) {
  if (is_encoder(kind))
    return "--workload encoder-train trains this one, encoder-inference runs it";
  if (kind == ModelKind::asr) return "--workload speech-inference transcribes with this one";
  return "no kind of work estimates this one yet";
}

void report_unknown(const data::OptionReader& read, const std::string& name, const ModelSet& models,
                    std::string otherwise) {
  std::string help = did_you_mean(name, models.names());
  if (help.empty()) help = std::move(otherwise);
  read.report("model", Error{"'" + name + "' is not a known model", help, 0, name.size()});
}

std::optional<ModelCard> find_card(const data::OptionReader& read, const Context& context,
                                   const std::string& name) {
  const ModelSet models = load_models(*context.data, read.sink());
  if (const ModelCard* card = models.find(name)) return *card;
  if (const Model* other = models.find_model(name)) {
    const ModelKind kind = head_of(*other).kind;
    read.report("model",
                Error{fmt::format("'{}' is {} ({}), not a language model with attention", name,
                                  in_words(kind), data::name_of(kind)),
                      "this kind of work takes what `gpusel models list --kind dense-llm,moe-llm` "
                      "shows; " +
                          kind_for(kind),
                      0, name.size()});
    return std::nullopt;
  }
  report_unknown(read, name, models,
                 "`gpusel models list` shows the models; a Hugging Face config.json is taken as a "
                 "path");
  return std::nullopt;
}

std::optional<ModelChoice> by_size(const data::OptionReader& read,
                                   std::vector<estimate::Assumption>& assumptions) {
  const auto params = read_params(read, "params");
  if (!params) return std::nullopt;
  ModelChoice choice;
  choice.nominal_params = params->value;
  choice.chosen_for_size = true;
  if (read.given("active-params")) {
    const auto active = read_params(read, "active-params");
    if (!active) return std::nullopt;
    const auto card = plausible_moe_card(*params, *active);
    if (!card) {
      read.report("active-params",
                  Error{"no mixture of experts has this many active of all parameters",
                        "give fewer than --params, and more than its tables need", 0, 0});
      return std::nullopt;
    }
    choice.card = *card;
  } else {
    choice.card = plausible_card(*params);
  }
  const ModelCard& c = choice.card;
  std::string shape = fmt::format("{} layers, hidden {}, {} heads, {} KV heads, vocabulary {}",
                                  c.layers, c.hidden, c.heads, c.kv_heads, c.vocab);
  shape += c.is_moe() ? fmt::format(", {} experts of width {}, {} active", c.experts, c.expert_ffn,
                                    c.experts_top_k)
                      : fmt::format(", FFN {}", c.ffn);
  assumptions.push_back({"architecture", "a plausible architecture was chosen for the size", shape,
                         "proportions of 104 published decoders"});
  return choice;
}

}  // namespace

bool looks_like_path(std::string_view value) {
  if (value.empty()) return false;
  if (value == "-" || value[0] == '.' || value[0] == '/' || value[0] == '~') return true;
  for (const std::string_view ending : {".yaml", ".yml", ".json", ".csv"}) {
    if (value.ends_with(ending)) return true;
  }
  return false;
}

std::optional<ModelCard> resolve_encoder(const data::OptionReader& read, const Context& context) {
  const std::optional<std::string> name = read.text("model");
  constexpr std::string_view kList =
      "`gpusel models list --kind encoder,embedding` shows what there is";
  if (!name) {
    read.sink().report(diag::error("option/missing", {}, "the model is not known")
                           .with_help("give --model NAME; " + std::string(kList)));
    return std::nullopt;
  }
  const ModelSet models = load_models(*context.data, read.sink());
  const Model* found = models.find_model(*name);
  if (found == nullptr) {
    report_unknown(read, *name, models, std::string(kList));
    return std::nullopt;
  }
  const ModelKind kind = head_of(*found).kind;
  const ModelCard* card = is_encoder(kind) ? std::get_if<ModelCard>(found) : nullptr;
  if (card != nullptr && card->vocab > 0 && card->encoder_layers == 0) return *card;
  const bool pair = card != nullptr && card->vocab > 0;
  const std::string what =
      card != nullptr
          ? std::string(pair ? "a pair of towers, one of them of images" : "an encoder of images")
          : fmt::format("{} ({})", in_words(kind), data::name_of(kind));
  read.report("model", Error{fmt::format("'{}' is {}, not an encoder of texts", *name, what),
                             std::string(kList), 0, name->size()});
  return std::nullopt;
}

std::optional<ModelChoice> resolve_model(const data::OptionReader& read, const Context& context,
                                         std::vector<estimate::Assumption>& assumptions) {
  const data::OptionValue* model = read.values().find("model");
  const data::OptionValue* params = read.values().find("params");
  if (model == nullptr && params == nullptr) {
    read.sink().report(diag::error("option/missing", {}, "the model is not known")
                           .with_help("give --model NAME, --model config.json or --params 10B"));
    return std::nullopt;
  }
  if (model != nullptr && params != nullptr && model->origin == params->origin) {
    read.report("params", Error{"the model is given twice, by its name and by its size",
                                "give --model or --params, not both", 0, params->text.size()});
    return std::nullopt;
  }
  if (model == nullptr || (params != nullptr && params->origin > model->origin))
    return by_size(read, assumptions);
  const auto card = looks_like_path(model->text) ? read_config(read, context, model->text)
                                                 : find_card(read, context, model->text);
  if (!card) return std::nullopt;
  return ModelChoice{*card, card->params, false};
}

}  // namespace gpusel::workload::llm
