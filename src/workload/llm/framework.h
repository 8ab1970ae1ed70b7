// Training software as data: how it lays out memory, what it overlaps, how much it loses.
#pragma once

#include "layout.h"

#include "gpusel/data/data_set.h"
#include "gpusel/data/value_reader.h"
#include "gpusel/diag/diagnostic.h"
#include "gpusel/units/units.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpusel::workload::llm {

/// When the gradient exchange runs beside the backward pass.
enum class GradientOverlap {
  never,         // after the last micro-batch
  single_batch,  // only where there is one micro-batch and no pipeline
  always,
};
enum class Kernels { vendor, sdpa };
/// What the peak memory that a framework prints counts: what torch's allocator gave out, what it
/// reserved, or all that the process holds.
enum class MemoryReport { process, reserved, allocated };

/// One file of data/frameworks.
struct Framework {
  std::string id;
  std::string name;
  std::vector<std::string> names;  // lower-case parts of texts that mean this software
  // Bytes per parameter with AdamW in 16 bits.
  double weight_bytes = 2;
  double gradient_bytes = 4;
  std::optional<double> bf16_gradient_bytes;  // where bf16 is accumulated in another way
  double optimizer_bytes = 12;
  double moment_bytes = 4;  // of one moment of the optimizer
  std::vector<int> zero_stages;
  bool tensor_parallel = false;
  bool pipeline_parallel = false;
  bool expert_parallel = false;
  bool context_parallel = false;
  bool interleaved = false;
  bool sequence_parallel = false;    // wherever there is tensor parallelism
  bool shards_over_context = false;  // ZeRO-3 over data-parallel times context-parallel ranks
  bool fused_attention = true;
  Kernels attention = Kernels::vendor;
  std::optional<double> hopper_attention;  // sustained share instead of the class's on Hopper
  double time_factor = 1;                  // on the whole step
  double zero_far_factor = 1;              // further factor of ZeRO on more than two nodes
  double host_factor = 1;                  // host work per layer, relative to eager PyTorch
  double host_zero3_factor = 1;
  double elementwise_factor = 1;
  double cross_entropy_factor = 1;
  double tensor_exposed = 0;  // share of the tensor-parallel exchanges that is not hidden
  GradientOverlap gradient_overlap = GradientOverlap::always;
  double gradient_serial = 1;      // share that shows where nothing overlaps
  double gradient_pass_bytes = 2;  // per parameter: mean of reduce-scatter and all-gather
  double zero3_exposed = 0;
  double activation_factor = 1;  // stored bytes relative to the count
  double activation_8bit_factor = 1;
  double dropout_bytes = 0;   // per hidden value
  double selective_kept = 1;  // of a layer's activations
  bool selective_keeps_attention = false;
  double selective_share = 0;  // of the forward that is computed again
  double checkpoint_factor = 1;
  double logit_bytes = 8;
  bool masked_logits = false;  // an encoder's output table sees masked positions alone
  bool skips_padding = false;
  double buffer_bytes = 0;
  double adapter_host_factor = 1;        // host work of layers with adapters
  double adapter_activation_factor = 1;  // stored activations of layers with adapters
  bool shards_four_bit = false;          // ZeRO-3 splits frozen weights in 4 bits too
  double four_bit_bytes = 0.5502;        // per frozen parameter of a layer in 4 bits
  double dequantise_factor = 1;          // time of turning 4 bits into 16
  bool offloads_optimizer = false;       // to the host
  bool offloads_all = false;   // weights, gradients and optimizer, under ZeRO-3 or on one GPU
  bool adapters_8bit = false;  // adapters over frozen weights in 8 bits
  double recompute_from = 0;   // parameters of the smallest model that it recomputes for by default
  Recompute recompute = Recompute::none;  // unless told otherwise
  bool loads_whole = false;               // each rank loads the whole model before ZeRO-3 splits it
  std::string compiled;                   // what torch.compile makes of it: an id
  std::string pure;                       // with weights and states in 16 bits: an id
  MemoryReport memory_report = MemoryReport::process;
  std::string time_class;  // megatron, fsdp, encoder, other: which interval holds
  std::string source;

  [[nodiscard]] bool supports_zero(int stage) const;
};

class FrameworkSet {
 public:
  FrameworkSet() = default;
  explicit FrameworkSet(std::vector<Framework> all) : all_(std::move(all)) {}
  [[nodiscard]] const Framework* find(std::string_view id) const;
  /// The software that a free text means: the longest of the `names` that it contains.
  [[nodiscard]] const Framework* matching(std::string_view text) const;
  [[nodiscard]] std::vector<std::string> ids() const;

 private:
  std::vector<Framework> all_;
};

FrameworkSet load_frameworks(data::DataSet& set, diag::Sink& sink);

}  // namespace gpusel::workload::llm

template <>
struct gpusel::data::EnumNames<gpusel::workload::llm::GradientOverlap> {
  using E = gpusel::workload::llm::GradientOverlap;
  static constexpr std::array<std::pair<std::string_view, E>, 3> kNames = {
      {{"never", E::never}, {"single-batch", E::single_batch}, {"always", E::always}}};
};
template <>
struct gpusel::data::EnumNames<gpusel::workload::llm::Kernels> {
  using E = gpusel::workload::llm::Kernels;
  static constexpr std::array<std::pair<std::string_view, E>, 2> kNames = {
      {{"vendor", E::vendor}, {"sdpa", E::sdpa}}};
};
template <>
struct gpusel::data::EnumNames<gpusel::workload::llm::MemoryReport> {
  using E = gpusel::workload::llm::MemoryReport;
  static constexpr std::array<std::pair<std::string_view, E>, 3> kNames = {
      {{"process", E::process}, {"reserved", E::reserved}, {"allocated", E::allocated}}};
};
