// Fine-tuning by low-rank adapters beside frozen weights: LoRA (arXiv 2106.09685), and QLoRA over
// weights in 4 bits (arXiv 2305.14314).
#pragma once

#include "gpusel/data/value_reader.h"
#include "gpusel/workload/model.h"

#include <array>
#include <string_view>
#include <utility>

namespace gpusel::workload::llm {

enum class Method { full, lora, qlora };
/// How frozen weights are held: in 4 bits (NF4, GPTQ), or in 8 (LLM.int8, arXiv 2208.07339).
enum class Quant { nf4, gptq, int8 };
enum class Targets { attention, all_linear, all_linear_and_embeddings };

struct Adapters {
  int rank = 8;
  Targets targets = Targets::all_linear;
  bool quantised = false;  // the frozen layers; tables stay in 16 bits
  Quant quant = Quant::nf4;
};

/// r (in + out) of every matrix that has an adapter.
double adapter_parameters(const ModelCard& card, const Adapters& adapters);
/// The tables that are trained whole beside the adapters (PEFT's `modules_to_save`).
double whole_parameters(const ModelCard& card, const Adapters& adapters);

}  // namespace gpusel::workload::llm

template <>
struct gpusel::data::EnumNames<gpusel::workload::llm::Method> {
  using E = gpusel::workload::llm::Method;
  static constexpr std::array<std::pair<std::string_view, E>, 3> kNames = {
      {{"full", E::full}, {"lora", E::lora}, {"qlora", E::qlora}}};
};
template <>
struct gpusel::data::EnumNames<gpusel::workload::llm::Targets> {
  using E = gpusel::workload::llm::Targets;
  static constexpr std::array<std::pair<std::string_view, E>, 3> kNames = {
      {{"attention", E::attention},
       {"all-linear", E::all_linear},
       {"all-linear-and-embeddings", E::all_linear_and_embeddings}}};
};
template <>
struct gpusel::data::EnumNames<gpusel::workload::llm::Quant> {
  using E = gpusel::workload::llm::Quant;
  static constexpr std::array<std::pair<std::string_view, E>, 3> kNames = {
      {{"nf4", E::nf4}, {"gptq", E::gptq}, {"int8", E::int8}}};
};
