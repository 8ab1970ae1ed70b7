// The options of llm-train, llm-finetune and encoder-train: one table for flags, files and help.
#pragma once

#include "adapters.h"
#include "layout.h"

#include "gpusel/data/option.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <span>
#include <string_view>

namespace gpusel::workload::llm {

enum class Estimator { analytical, document };
/// What stands over the last layer of an encoder.
enum class Head { mlm, classifier };

}  // namespace gpusel::workload::llm

template <>
struct gpusel::data::EnumNames<gpusel::workload::llm::Estimator> {
  using E = gpusel::workload::llm::Estimator;
  static constexpr std::array<std::pair<std::string_view, E>, 2> kNames = {
      {{"analytical", E::analytical}, {"document", E::document}}};
};
template <>
struct gpusel::data::EnumNames<gpusel::workload::llm::Head> {
  using E = gpusel::workload::llm::Head;
  static constexpr std::array<std::pair<std::string_view, E>, 2> kNames = {
      {{"mlm", E::mlm}, {"classifier", E::classifier}}};
};

namespace gpusel::workload::llm {

inline constexpr std::string_view kWork = "Workload";
inline constexpr std::string_view kLayout = "Layout";

inline constexpr auto& kFormats = data::ValueReader<TrainFormat>::kTexts;
inline constexpr auto& kOptimizers = data::ValueReader<Optimizer>::kTexts;
inline constexpr auto& kEstimators = data::ValueReader<Estimator>::kTexts;
inline constexpr auto& kOffloads = data::ValueReader<Offload>::kTexts;
inline constexpr std::string_view kRecomputes[] = {"auto", "none", "selective", "full"};

constexpr data::OptionSpec option(std::string_view name, std::string_view metavar,
                                  std::string_view help, std::string_view group,
                                  std::span<const std::string_view> choices = {}) {
  return {name, data::OptionKind::value, metavar, help, choices, group};
}

inline constexpr std::string_view kSwitches[] = {"auto", "on", "off"};

inline constexpr data::OptionSpec kTrainOptions[] = {
    option("params", "COUNT", "parameters, such as 10B", kWork),
    option("model", "NAME|FILE", "a model by name, or a Hugging Face config.json", kWork),
    option("active-params", "COUNT", "parameters that a token uses, for a mixture of experts",
           kWork),
    option("tokens", "COUNT",
           "training tokens (default: 20 per parameter; fine-tuning: samples x length x epochs; "
           "encoder 131B)",
           kWork),
    option("seq-len", "TOKENS", "tokens per sequence (default 4096; fine-tuning and encoder 512)",
           kWork),
    option("global-batch", "SEQUENCES",
           "sequences per step (default: 4 M tokens, 16 M above 300B; fine-tuning 128; encoder "
           "256, classifier 32)",
           kWork),
    option("micro-batch", "SEQUENCES", "sequences per GPU and pass", kLayout),
    option("dtype", "FORMAT", "number format of the matrix products (default: bf16, else fp16)",
           kWork, kFormats),
    option("optimizer", "NAME", "optimizer (default adamw)", kWork, kOptimizers),
    option("framework", "NAME",
           "megatron, fsdp, deepspeed, hf or another of data/frameworks (default megatron; "
           "fine-tuning and encoder hf)",
           kWork),
    option("offload", "WHAT",
           "what waits in the host's memory: none, optimizer states, or all states (default none)",
           kLayout, kOffloads),
    option("recompute", "KIND", "activations that the backward pass computes again", kLayout,
           kRecomputes),
    option("zero", "STAGE", "ZeRO stage, 0 to 3", kLayout),
    option("tp", "N", "tensor-parallel GPUs", kLayout),
    option("pp", "N", "pipeline stages", kLayout),
    option("dp", "N", "data-parallel copies", kLayout),
    option("ep", "N", "GPUs that the experts of a layer spread over", kLayout),
    option("cp", "N", "GPUs that a sequence is split over", kLayout),
    option("interleave", "N", "model chunks per pipeline stage", kLayout),
    option("sequence-parallel", "WHEN", "split norms along the sequence under tensor parallelism",
           kLayout, kSwitches),
    option("nodes", "N", "nodes, or auto", kLayout),
    option("max-nodes", "N", "most nodes that auto tries (default 64)", kLayout),
    option("headroom", "SHARE", "share of each GPU's memory kept free (default 5%)", kWork),
    option("checkpoint-interval", "TIME", "auto, none or a time such as 30min", kWork),
    option("estimator", "NAME", "analytical, or document for the rule-of-thumb formulas", kWork,
           kEstimators),
    option("software-date", "DATE",
           "age of the software, to check published runs (default: today's)", kWork),
};

inline constexpr auto& kMethods = data::ValueReader<Method>::kTexts;
inline constexpr auto& kTargets = data::ValueReader<Targets>::kTexts;
inline constexpr auto& kQuants = data::ValueReader<Quant>::kTexts;

inline constexpr data::OptionSpec kAdapterOptions[] = {
    option("method", "NAME", "full, lora, or qlora for adapters over 4-bit weights (default lora)",
           kWork, kMethods),
    option("lora-rank", "N", "rank of the adapters (default 8)", kWork),
    option("lora-targets", "WHICH", "layers with adapters (default all-linear)", kWork, kTargets),
    option("quant", "FORMAT", "format of QLoRA's frozen weights: nf4, gptq, or int8 (default nf4)",
           kWork, kQuants),
    option("samples", "COUNT",
           "examples of the data set, each padded or packed to the sequence length "
           "(default 52000)",
           kWork),
    option("epochs", "N", "passes over the data set (default 3)", kWork),
    option("mean-seq-len", "TOKENS",
           "mean tokens of a sample where samples are not packed (default: packed)", kWork),
};

inline constexpr auto& kHeads = data::ValueReader<Head>::kTexts;
inline constexpr data::OptionSpec kEncoderOnly[] = {
    option("head", "NAME",
           "mlm for pre-training on masked tokens, classifier for fine-tuning on labels or spans "
           "(default mlm)",
           kWork, kHeads),
};

template <std::size_t... N>
constexpr auto joined(const data::OptionSpec (&... tables)[N]) {
  std::array<data::OptionSpec, (N + ...)> all{};
  std::size_t at = 0;
  const auto add = [&](const auto& table) {
    for (const data::OptionSpec& spec : table) all[at++] = spec;
  };
  (add(tables), ...);
  return all;
}

/// What llm-finetune takes: the options of training, and those of adapters and data sets.
inline constexpr auto kFinetuneOptions = joined(kTrainOptions, kAdapterOptions);

/// What only decoders and adapters have.
inline constexpr std::string_view kNotOfEncoders[] = {
    "params", "active-params", "ep",           "cp",   "interleave", "sequence-parallel",
    "method", "lora-rank",     "lora-targets", "quant"};
constexpr bool is_of_encoders(const data::OptionSpec& spec) {
  return std::find(std::begin(kNotOfEncoders), std::end(kNotOfEncoders), spec.name) ==
         std::end(kNotOfEncoders);
}

/// What encoder-train takes.
inline constexpr auto kEncoderOptions = [] {
  constexpr auto kAll = joined(kTrainOptions, kAdapterOptions, kEncoderOnly);
  constexpr std::size_t kCount =
      static_cast<std::size_t>(std::count_if(kAll.begin(), kAll.end(), &is_of_encoders));
  std::array<data::OptionSpec, kCount> some{};
  std::copy_if(kAll.begin(), kAll.end(), some.begin(), &is_of_encoders);
  return some;
}();

}  // namespace gpusel::workload::llm
