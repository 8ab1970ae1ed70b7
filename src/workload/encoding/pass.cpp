#include "pass.h"

#include "../llm/training_constants.h"
#include "../serving/constants.h"

#include <algorithm>
#include <cmath>

namespace gpusel::workload::encoding {
namespace {

using catalog::NumberFormat;
using estimate::DoesNotFit;
using estimate::Machine;

constexpr double kHalfBytes = 2;
// Live at once while a layer runs: its input, the residual and two results of the width.
constexpr double kLiveWidths = 4;
constexpr double kScoreCopies = 2;  // scores and their softmax
// Attention of 8-bit engines multiplies in 8 bits, at twice the 16-bit peak.
constexpr double kNarrowAttention = 2;

bool is_narrow(NumberFormat format) {
  return format == NumberFormat::int8 || format == NumberFormat::fp8;
}

std::optional<NumberFormat> format_on(const PassJob& job, const catalog::Gpu& gpu) {
  if (!job.format) return estimate::half_format(gpu);
  // A GPU without bf16 computes in the other 16 bits.
  if (*job.format == NumberFormat::bf16 && !gpu.peak[NumberFormat::bf16])
    return estimate::half_format(gpu);
  return job.format;
}

DoesNotFit no_format(const catalog::Gpu& gpu, const std::optional<NumberFormat>& format) {
  const std::string name(format ? data::name_of(*format) : "16 bits");
  return {"dtype", 0, 0, "no rate of " + gpu.name + " in " + name + " is known",
          "another --weights-dtype, or a GPU that has it"};
}

}  // namespace

Tower tower_of(const ModelCard& card) {
  Tower t;
  t.layers = card.encoder_layers > 0 ? card.encoder_layers : card.layers;
  t.hidden = card.hidden;
  t.ffn = card.ffn;
  t.ffn_products = card.ffn_gated ? 3 : 2;
  t.heads = card.heads;
  t.kv_heads = card.kv_heads;
  t.head_dim = card.head_dim;
  return t;
}

double PassJob::computed(double batch) const {
  if (software.skips_padding) return mean;
  return std::min(positions,
                  mean * (1 + llm::kPaddingPerDoubling * std::log2(std::max(1.0, batch))));
}

PassFlops flops_of(const PassJob& job) {
  const Tower& t = job.tower;
  return {units::flops(2 * t.matrices() * job.mean),
          units::flops(4 * t.layers * t.attention_width() * job.mean * job.mean)};
}

std::optional<DoesNotFit> PassModel::refusal(const PassJob& job, const Machine& machine) {
  if (machine.gpu == nullptr || machine.gpus() == 0)
    return DoesNotFit{"gpu_memory", 0, 0, "the machine has no GPU", "an instance with GPUs"};
  const catalog::Gpu& gpu = *machine.gpu;
  const auto format = format_on(job, gpu);
  if (!format || !gpu.peak[*format]) return no_format(gpu, format);
  const auto half = estimate::half_format(gpu);
  const bool known = machine.curves != nullptr && half &&
                     estimate::make_gemm(gpu, *machine.curves, *half) &&
                     estimate::make_gemm(gpu, *machine.curves, *format);
  if (known) return std::nullopt;
  return DoesNotFit{
      "curves", 0, 0,
      "no efficiency curve of " + gpu.name + " in " + std::string(data::name_of(*format)),
      "a GPU of a class that was measured"};
}

PassModel::PassModel(const PassJob& job, const Machine& machine)
    : job_(job),
      format_(*format_on(job, *machine.gpu)),
      gemm_(*estimate::make_gemm(*machine.gpu, *machine.curves, format_)),
      half_(*estimate::make_gemm(*machine.gpu, *machine.curves,
                                 *estimate::half_format(*machine.gpu))),
      curve_(machine.curves->attention),
      half_peak_(
          units::in_flops_per_second(*machine.gpu->peak[*estimate::half_format(*machine.gpu)])),
      peak_(*machine.gpu->peak[format_]),
      capacity_(machine.gpu_memory() * (1 - job.headroom)) {}

double PassModel::attention_seconds(double batch, double positions) const {
  const Tower& t = job_.tower;
  const double core = 4 * batch * positions * positions * t.attention_width();
  if (job_.software.fused_attention) {
    const double rate =
        estimate::attention_rate(curve_, estimate::AttentionKernels::vendor, half_peak_,
                                 llm::kUnmaskedLength * positions, t.head_dim);
    return core / (rate * (is_narrow(format_) ? kNarrowAttention : 1));
  }
  const double scores = batch * positions * positions * t.heads;
  return llm::kUnfusedProducts * core / (half_.rate * half_.sustained) +
         llm::kSoftmaxTraffic * llm::kSoftmaxBytes * scores / half_.memory_rate;
}

PassTime PassModel::time(double batch) const {
  const Tower& t = job_.tower;
  const Software& s = job_.software;
  const double positions = job_.computed(batch);
  const double m = batch * positions;
  const double in = t.attention_width() + 2 * t.kv_width();
  const double layer =
      gemm_.seconds(m, in, t.hidden) + gemm_.seconds(m, t.hidden, t.attention_width()) +
      gemm_.seconds(m, (t.ffn_products - 1) * t.ffn, t.hidden) + gemm_.seconds(m, t.hidden, t.ffn);
  PassTime time;
  time.products = units::seconds(t.layers * layer);
  time.attention = units::seconds(t.layers * attention_seconds(batch, positions));
  time.elementwise = units::seconds(t.layers * s.elementwise * m * t.hidden * gemm_.weight_bytes /
                                    half_.memory_rate);
  time.gaps = units::seconds(t.layers * s.gap);
  const units::Seconds gpu = time.products + time.attention + time.elementwise + time.gaps;
  time.host = units::max(units::seconds(t.layers * s.host) - gpu, units::Seconds{});
  return time;
}

PassMemory PassModel::memory(double batch) const {
  const Tower& t = job_.tower;
  const double positions = job_.software.skips_padding ? job_.mean : job_.positions;
  const double m = batch * positions;
  const double matrices = std::min(t.matrices(), job_.params);
  const double widest = std::max(t.ffn, 2 * t.attention_width() + 2 * t.kv_width());
  // Tables, and what passes between layers, stay at 16 bits where products are narrower.
  const double wide = std::max(kHalfBytes, gemm_.weight_bytes);
  PassMemory memory;
  memory.weights = units::bytes(matrices * gemm_.weight_bytes + (job_.params - matrices) * wide);
  memory.activations = units::bytes(wide * m * (kLiveWidths * t.hidden + widest));
  if (!job_.software.fused_attention)
    memory.scores = units::bytes(kScoreCopies * wide * t.heads * m * positions);
  memory.overhead = serving::kContext;
  return memory;
}

}  // namespace gpusel::workload::encoding
