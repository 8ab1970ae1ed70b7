// One pass of an encoder over a batch, on one GPU: time, memory and operations by term.
//
//   const PassModel model(job, machine);           // where PassModel::refusal says nothing
//   units::Seconds t = estimate::total(model.time(32), kTimeTerms);
#pragma once

#include "software.h"

#include "gpusel/estimate/kernels.h"
#include "gpusel/estimate/ledger.h"
#include "gpusel/estimate/machine.h"
#include "gpusel/estimate/plan.h"
#include "gpusel/workload/model.h"

#include <optional>

namespace gpusel::workload::encoding {

/// A stack of layers in which every position sees every other.
struct Tower {
  double layers = 0;
  double hidden = 0;
  double ffn = 0;
  double ffn_products = 2;  // three where it is gated
  double heads = 0;
  double kv_heads = 0;
  double head_dim = 0;
  [[nodiscard]] double attention_width() const { return heads * head_dim; }
  [[nodiscard]] double kv_width() const { return kv_heads * head_dim; }
  /// Weights of the matrix products.
  [[nodiscard]] double matrices() const {
    return layers *
           (hidden * (2 * attention_width() + 2 * kv_width()) + ffn_products * hidden * ffn);
  }
};
Tower tower_of(const ModelCard& card);

struct PassJob {
  Tower tower;
  double params = 0;     // held, tables and all
  double positions = 0;  // of the longest sequence
  double mean = 0;       // tokens of a sequence
  Software software;
  std::optional<catalog::NumberFormat> format;  // none: 16 bits
  double headroom = 0;                          // share of each GPU kept free
  /// Positions that a sequence of a batch takes.
  [[nodiscard]] double computed(double batch) const;
};

/// Seconds of one batch.
struct PassTime {
  units::Seconds products;
  units::Seconds attention;
  units::Seconds elementwise;
  units::Seconds gaps;
  units::Seconds host;
};
inline constexpr estimate::Term<PassTime, units::Seconds> kTimeTerms[] = {
    {"products", "matrix products", &PassTime::products,
     "2MNK (1 + d (1/M + 1/N + 1/K)) / (eps P) / phi"},
    {"attention", "attention core", &PassTime::attention, "4 b s^2 a d / rate"},
    {"elementwise", "norms and element-wise", &PassTime::elementwise, "e b s h bytes / (0.85 W)"},
    {"gaps", "between kernels", &PassTime::gaps, "L t_gap"},
    {"host", "waiting for the host", &PassTime::host, "L t_host - the above, where more"}};

/// Bytes of one GPU.
struct PassMemory {
  units::Bytes weights;
  units::Bytes activations;
  units::Bytes scores;
  units::Bytes overhead;
};
inline constexpr estimate::Term<PassMemory, units::Bytes> kMemoryTerms[] = {
    {"weights", "weights", &PassMemory::weights, "N_matrices w + 2 (N - N_matrices)"},
    {"activations", "activations", &PassMemory::activations, "2 b s (4 h + max(f, 2 a d + 2 k d))"},
    {"scores", "attention scores", &PassMemory::scores, "2 x 2 b a s^2, where not fused"},
    {"overhead", "context and workspace", &PassMemory::overhead, "1.25 GB"}};

/// Operations of one sequence.
struct PassFlops {
  units::Flops products;
  units::Flops attention;
};
inline constexpr estimate::Term<PassFlops, units::Flops> kFlopsTerms[] = {
    {"products", "matrix products", &PassFlops::products, "2 N_matrices a token"},
    {"attention", "attention core", &PassFlops::attention, "4 L s a d a token"}};
PassFlops flops_of(const PassJob& job);

class PassModel {
 public:
  /// Why nothing can be said: no GPU, no curve, a format that is missing.
  static std::optional<estimate::DoesNotFit> refusal(const PassJob& job,
                                                     const estimate::Machine& machine);
  /// Where there is no refusal.
  PassModel(const PassJob& job, const estimate::Machine& machine);

  [[nodiscard]] PassTime time(double batch) const;
  [[nodiscard]] PassMemory memory(double batch) const;
  [[nodiscard]] units::Bytes capacity() const { return capacity_; }
  [[nodiscard]] catalog::NumberFormat format() const { return format_; }
  [[nodiscard]] units::FlopsPerSecond peak() const { return peak_; }

 private:
  [[nodiscard]] double attention_seconds(double batch, double positions) const;

  const PassJob& job_;
  catalog::NumberFormat format_;
  estimate::GemmModel gemm_;
  estimate::GemmModel half_;  // of 16-bit products
  catalog::AttentionCurve curve_;
  double half_peak_ = 0;  // FLOP/s
  units::FlopsPerSecond peak_;
  units::Bytes capacity_;
};

}  // namespace gpusel::workload::encoding
