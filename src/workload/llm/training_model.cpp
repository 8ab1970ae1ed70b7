#include "training_model.h"

#include "training_constants.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace gpusel::workload::llm {
namespace {

using catalog::NumberFormat;
using estimate::DoesNotFit;

// Year of the first volume of a class, for the maturity of software.
struct Launch {
  std::string_view curves;
  double year;
};
constexpr Launch kLaunches[] = {
    {"volta", 2017.6}, {"turing", 2018.7}, {"ampere-datacenter", 2020.4},
    {"card", 2021.0},  {"hopper", 2022.8}, {"cdna3", 2023.9},
    {"b200", 2024.9},  {"b300", 2024.9},   {"gb200", 2024.9},
    {"gb300", 2024.9}};
constexpr double kOldLaunch = 2020;

double launch_year(std::string_view curves) {
  for (const Launch& launch : kLaunches) {
    if (launch.curves == curves) return launch.year;
  }
  return kOldLaunch;
}

std::optional<NumberFormat> format_of(TrainFormat asked, const catalog::Gpu& gpu) {
  switch (asked) {
    case TrainFormat::automatic:
      return estimate::half_format(gpu);
    case TrainFormat::fp32:
      return NumberFormat::fp32;
    case TrainFormat::tf32:
      return NumberFormat::tf32;
    case TrainFormat::fp16:
      return NumberFormat::fp16;
    case TrainFormat::bf16:
      return NumberFormat::bf16;
    case TrainFormat::fp8:
      return NumberFormat::fp8;
    case TrainFormat::nvfp4:
      return NumberFormat::fp4;
  }
  return std::nullopt;
}

bool is_wide(NumberFormat format) {
  return format == NumberFormat::fp32 || format == NumberFormat::tf32;
}

double optimizer_states(Optimizer optimizer, double moment, double table_share) {
  switch (optimizer) {
    case Optimizer::adamw:
      return 2 * moment;
    case Optimizer::adamw_8bit:
      return kAdam8bitStates;
    case Optimizer::adafactor:
      return kAdafactorStates;
    case Optimizer::sgd:
      return moment;
    case Optimizer::muon:
      return moment * (1 - table_share) + 2 * moment * table_share;
  }
  return 2 * moment;
}

DoesNotFit refuse(std::string resource, std::string text, std::string help) {
  return {std::move(resource), 0, 0, std::move(text), std::move(help)};
}

}  // namespace

double TrainingJob::steps() const {
  return std::max(1.0, std::ceil(tokens / (mean_tokens() * global_batch) - 1e-9));
}

Shape shape_of(const ModelCard& card) {
  const ParameterCount n = count_parameters(card);
  Shape s;
  s.layers = card.layers;
  s.hidden = card.hidden;
  s.heads = card.heads;
  s.kv_heads = card.kv_heads;
  s.head_dim = card.mla ? card.mla->v_head_dim : card.head_dim;
  s.core_dim = card.mla ? (card.mla->qk_nope_dim + card.mla->rope_dim + card.mla->v_head_dim) / 2.0
                        : card.head_dim;
  s.ffn = card.ffn;
  s.matrices = card.ffn_gated ? 3 : 2;
  s.vocab = card.vocab;
  s.mla = card.mla.has_value();
  s.gated = card.ffn_gated;
  s.tied = card.tied_embeddings;
  s.attention_params = s.mla ? n.attention
                             : s.hidden * s.head_dim * (2 * s.heads + 2 * s.kv_heads) +
                                   (card.attn_output_gate ? s.hidden * s.heads * s.head_dim : 0);
  const double dense_ffn = s.matrices * s.hidden * s.ffn;
  if (n.moe_layers > 0) {
    s.experts = card.experts;
    s.top_k = card.experts_top_k;
    s.expert_ffn = card.expert_ffn;
    s.shared_ffn = card.shared_expert_ffn;
    s.moe_share = n.moe_layers / s.layers;
  }
  const double moe_fixed = s.matrices * s.hidden * s.shared_ffn + s.hidden * s.experts;
  s.dense_params = s.attention_params + (1 - s.moe_share) * dense_ffn + s.moe_share * moe_fixed;
  s.expert_params = s.moe_share * s.experts * s.matrices * s.hidden * s.expert_ffn;
  return s;
}

TrainingFlops flops_per_token(const ModelCard& card, double sequence) {
  const Shape s = shape_of(card);
  const double pass = 6;  // multiply and add, forward and two backward products
  // A causal row sees half of the sequence on average; a window w < s sees w (1 - w / 2s).
  const double window = card.sliding_window;
  const bool local = card.sliding_window > 0 && window < sequence;
  const double seen = local ? 2 * window * (1 - window / (2 * sequence)) : sequence;
  const double global =
      card.sliding_window > 0 && card.global_attn_every != 1
          ? (card.global_attn_every > 0 ? std::floor(s.layers / card.global_attn_every) : 0)
          : s.layers;
  TrainingFlops f;
  f.attention_projections = units::flops(pass * s.layers * s.attention_params);
  f.attention_core =
      units::flops(pass * s.heads * s.core_dim * (global * sequence + (s.layers - global) * seen));
  f.ffn = units::flops(
      pass * s.layers * s.matrices * s.hidden *
      ((1 - s.moe_share) * s.ffn + s.moe_share * (s.top_k * s.expert_ffn + s.shared_ffn)));
  f.router =
      units::flops(s.moe_share > 0 ? pass * s.layers * s.moe_share * s.hidden * s.experts : 0);
  f.logits = units::flops(pass * s.hidden * s.vocab);
  return f;
}

TrainingFlops flops_per_token(const TrainingJob& job) {
  TrainingFlops f = flops_per_token(job.card, job.mean_tokens());
  if (job.bidirectional) f.attention_core = f.attention_core * 2.0;
  f.logits = f.logits * job.logit_share;
  if (!job.adapters) return f;
  for (auto part : {&TrainingFlops::attention_projections, &TrainingFlops::ffn,
                    &TrainingFlops::router, &TrainingFlops::logits})
    f.*part = f.*part * (2.0 / 3);
  f.adapters = units::flops(6 * adapter_parameters(job.card, *job.adapters) +
                            2 * whole_parameters(job.card, *job.adapters));
  return f;
}

std::optional<DoesNotFit> TrainingModel::refusal(const TrainingJob& job,
                                                 const estimate::Machine& machine) {
  if (machine.gpu == nullptr) return refuse("curves", "has no GPU", "choose an instance with GPUs");
  const catalog::Gpu& gpu = *machine.gpu;
  const auto format = format_of(job.format, gpu);
  if (!format || !gpu.peak[*format]) {
    const std::string name = format ? std::string(data::name_of(*format)) : "16-bit";
    return refuse("dtype", fmt::format("'{}' states no dense {} rate", gpu.id.text(), name),
                  "choose a format that the GPU has, or a newer GPU");
  }
  if (machine.curves == nullptr) {
    return refuse("curves", fmt::format("no efficiency class is known for '{}'", gpu.id.text()),
                  "set 'curves' of the GPU to a class that is like it");
  }
  const auto half = estimate::half_format(gpu);
  if (!half || !estimate::make_gemm(gpu, *machine.curves, *format) ||
      !estimate::make_gemm(gpu, *machine.curves, *half)) {
    return refuse("curves",
                  fmt::format("class '{}' has no curve for {} on '{}'", machine.curves->id,
                              data::name_of(*format), gpu.id.text()),
                  "choose another --dtype");
  }
  if (gpu.is_slice() && machine.gpus() > 1) {
    return refuse("network", "slices of a GPU have no exchange between them",
                  "choose whole GPUs, or one slice");
  }
  if (!estimate::make_links(machine)) {
    return refuse("network", "the network between its nodes is not known",
                  "take one node, or state 'network' of the instance in the catalog");
  }
  return std::nullopt;
}

TrainingModel::TrainingModel(const TrainingJob& job, const estimate::Machine& machine)
    : job_(job), shape_(shape_of(job.card)) {
  const catalog::Gpu& gpu = *machine.gpu;
  const catalog::Curves& curves = *machine.curves;
  format_ = *format_of(job.format, gpu);
  const NumberFormat half = *estimate::half_format(gpu);
  gemm_ = *estimate::make_gemm(gpu, curves, format_);
  half_ = *estimate::make_gemm(gpu, curves, half);
  links_ = *estimate::make_links(machine);
  gpus_ = machine.gpus();
  node_gpus_ = machine.gpus_per_node();
  peak_ = units::in_flops_per_second(*gpu.peak[format_]);
  memory_bandwidth_ = units::in_bytes_per_second(*gpu.memory_bandwidth);
  memory_rate_ = curves.memory_fraction * memory_bandwidth_;
  capacity_ = units::in_bytes(machine.gpu_memory()) * (1 - job.headroom);
  host_rate_ = units::in_bytes_per_second(machine.host_bandwidth());
  host_memory_ = machine.hardware->memory;
  narrow_ = format_ == NumberFormat::fp8 || format_ == NumberFormat::fp4;
  ampere_ = curves.id == "ampere-datacenter";
  launch_year_ = launch_year(curves.id);

  catalog::AttentionCurve attention = curves.attention;
  if (job.framework.hopper_attention && curves.id == "hopper")
    attention.sustained = *job.framework.hopper_attention;
  const auto kernels = job.framework.attention == Kernels::vendor
                           ? estimate::AttentionKernels::vendor
                           : estimate::AttentionKernels::sdpa;
  const double length = job.mean_tokens() * (job.bidirectional ? kUnmaskedLength : 1);
  attention_rate_ =
      estimate::power_share(gpu, curves) *
      estimate::attention_rate(attention, kernels, units::in_flops_per_second(*gpu.peak[half]),
                               length, shape_.head_dim);

  set_states();
  jitter_ = kJitterPerDoubling * std::log2(std::max(1.0, gpus_ / kJitterFree));
  maturity_ = maturity();
}

void TrainingModel::set_states() {
  const double tables = shape_.vocab * shape_.hidden * (shape_.tied ? 1 : 2);
  const double all = shape_.layers * (shape_.dense_params + shape_.expert_params) + tables;
  const double moment = job_.adapters ? kFullMoment : job_.framework.moment_bytes;
  const double states = optimizer_states(job_.optimizer, moment, tables / all);
  weight_bytes_ = job_.framework.weight_bytes;
  gradient_bytes_ = format_ == NumberFormat::bf16 && job_.framework.bf16_gradient_bytes
                        ? *job_.framework.bf16_gradient_bytes
                        : job_.framework.gradient_bytes;
  optimizer_bytes_ = job_.framework.optimizer_bytes - 2 * job_.framework.moment_bytes + states;
  if (is_wide(format_)) {
    value_bytes_ = weight_bytes_ = gradient_bytes_ = 4;
    optimizer_bytes_ = states;
  }
  if (job_.adapters) {
    products_ = 2;
    adapter_params_ = adapter_parameters(job_.card, *job_.adapters);
    whole_params_ = whole_parameters(job_.card, *job_.adapters);
    optimizer_bytes_ = states;
  }
  // Weights and states are read and written, gradients read.
  optimizer_traffic_ = 2 * (weight_bytes_ + optimizer_bytes_) + gradient_bytes_;
}

double TrainingModel::frozen_bytes() const {
  if (quantised()) return job_.adapters->quant == Quant::int8 ? 1 : job_.framework.four_bit_bytes;
  return narrow_ ? 1 : value_bytes_;
}

double TrainingModel::gathered_frozen_bytes() const {
  if (quantised()) return job_.adapters->quant == Quant::int8 ? 1 : kFourBitGathered;
  return value_bytes_;
}

double TrainingModel::maturity() const {
  if (!job_.software_date) return 1;
  if (shape_.moe_share > 0 && !ampere_) {
    const double years = std::clamp(kMoeMatureYear - *job_.software_date, 0.0, kMoeMaturityCap);
    return std::pow(1 + kMoeMaturityPerYear, years);
  }
  const double age = std::max(0.0, *job_.software_date - launch_year_);
  return 1 + kMaturityAtLaunch * std::exp(-age / kMaturityYears);
}

double TrainingModel::micro_batches(const Layout& l) const {
  return std::max(
      1.0, std::ceil(job_.global_batch / (static_cast<double>(l.dp) * l.micro_batch) - 1e-9));
}

double TrainingModel::recomputed(const Layout& l) const {
  if (l.recompute == Recompute::full) return 1;
  return l.recompute == Recompute::selective ? job_.framework.selective_share : 0;
}

double TrainingModel::framework_factor(const Layout& l) const {
  const bool far = l.zero >= 1 && gpus_ > 2 * node_gpus_;
  return job_.framework.time_factor * (far ? job_.framework.zero_far_factor : 1);
}

units::Seconds TrainingModel::least_step() const {
  const Shape& s = shape_;
  const double tokens = job_.global_batch * job_.mean_tokens();
  const double active =
      s.layers * (s.attention_params + s.matrices * s.hidden *
                                           ((1 - s.moe_share) * s.ffn +
                                            s.moe_share * (s.top_k * s.expert_ffn + s.shared_ffn)));
  const double products = 2 * products_ * tokens * active / (gpus_ * gemm_.rate * gemm_.sustained);
  const double logits = 2 * products_ * tokens * job_.logit_share * s.vocab * s.hidden /
                        (gpus_ * half_.rate * half_.sustained);
  const double core = 2 * tokens * job_.mean_tokens() * s.heads * s.core_dim * s.layers / gpus_;
  const double square = job_.bidirectional ? 2 : 1;
  const double attention =
      job_.framework.fused_attention
          ? (1 + kFusedBackward) * square * core / attention_rate_
          : (1 + kUnfusedBackward) * 2 * core / (half_.rate * kUnfusedProducts * half_.sustained);
  return units::seconds((products + attention + logits) * (1 + jitter_) *
                        job_.framework.time_factor * maturity_);
}

units::Bytes TrainingModel::checkpoint() const {
  if (job_.adapters)
    return units::bytes((adapter_params_ + whole_params_) * (kAdapterBytes + optimizer_bytes_));
  return units::bytes(count_parameters(job_.card).total * (weight_bytes_ + optimizer_bytes_));
}

units::Bytes TrainingModel::least_memory() const {
  const double parameters =
      shape_.layers * (shape_.dense_params + shape_.expert_params) + shape_.vocab * shape_.hidden;
  const double frozen = frozen_bytes();
  const bool whole = job_.offload == Offload::none;
  const double trained = weight_bytes_ + gradient_bytes_ + (whole ? optimizer_bytes_ : 0);
  const double states = job_.offload == Offload::all ? 0
                        : job_.adapters              ? parameters * frozen / gpus_
                                                     : parameters * trained / gpus_;
  return units::bytes((1 + kFragmentation) * (states + job_.framework.buffer_bytes) +
                      kContextBytes + (gpus_ > 1 ? kCommunicatorBytes : 0));
}

}  // namespace gpusel::workload::llm
