// How a training job is laid out over GPUs, and what the user asked for.
#pragma once

#include "gpusel/data/value_reader.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace gpusel::workload::llm {

enum class Recompute { none, selective, full };
enum class Optimizer { adamw, adamw_8bit, adafactor, sgd, muon };
/// What waits in the host's memory: optimizer states and their update, or all states.
enum class Offload { none, optimizer, all };
enum class TrainFormat { automatic, fp32, tf32, fp16, bf16, fp8, nvfp4 };

/// Degrees multiply to the GPUs: tp * pp * cp * dp; experts spread over ep of the tp * cp * dp
/// ranks of a stage.
struct Layout {
  int tp = 1;
  int pp = 1;
  int dp = 1;
  int ep = 1;
  int cp = 1;
  int zero = 0;
  int micro_batch = 1;  // sequences
  int interleave = 1;   // chunks per pipeline stage
  Recompute recompute = Recompute::none;
};

/// Plan::choices in this order.
inline constexpr std::array<std::string_view, 9> kChoiceNames = {
    "tp", "pp", "dp", "ep", "cp", "zero", "micro_batch", "interleave", "recompute"};

std::array<int, kChoiceNames.size()> choices_of(const Layout& layout);
Layout layout_of(const int* choices);

/// Choices that the user fixed.
struct FixedChoices {
  std::optional<int> tp;
  std::optional<int> pp;
  std::optional<int> dp;
  std::optional<int> ep;
  std::optional<int> cp;
  std::optional<int> zero;
  std::optional<int> micro_batch;
  std::optional<int> interleave;
  std::optional<Recompute> recompute;
};

}  // namespace gpusel::workload::llm

template <>
struct gpusel::data::EnumNames<gpusel::workload::llm::Recompute> {
  using E = gpusel::workload::llm::Recompute;
  static constexpr std::array<std::pair<std::string_view, E>, 3> kNames = {
      {{"none", E::none}, {"selective", E::selective}, {"full", E::full}}};
};
template <>
struct gpusel::data::EnumNames<gpusel::workload::llm::Optimizer> {
  using E = gpusel::workload::llm::Optimizer;
  static constexpr std::array<std::pair<std::string_view, E>, 5> kNames = {
      {{"adamw", E::adamw},
       {"adamw-8bit", E::adamw_8bit},
       {"adafactor", E::adafactor},
       {"sgd", E::sgd},
       {"muon", E::muon}}};
};
template <>
struct gpusel::data::EnumNames<gpusel::workload::llm::TrainFormat> {
  using E = gpusel::workload::llm::TrainFormat;
  static constexpr std::array<std::pair<std::string_view, E>, 7> kNames = {{{"auto", E::automatic},
                                                                            {"fp32", E::fp32},
                                                                            {"tf32", E::tf32},
                                                                            {"fp16", E::fp16},
                                                                            {"bf16", E::bf16},
                                                                            {"fp8", E::fp8},
                                                                            {"nvfp4", E::nvfp4}}};
};
template <>
struct gpusel::data::EnumNames<gpusel::workload::llm::Offload> {
  using E = gpusel::workload::llm::Offload;
  static constexpr std::array<std::pair<std::string_view, E>, 3> kNames = {
      {{"none", E::none}, {"optimizer", E::optimizer}, {"all", E::all}}};
};
