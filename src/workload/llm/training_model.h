// TrainingModel: step time and peak memory of one GPU for a layout of one training job on one
// machine. Formulas, constants and their sources: docs/estimation.md. Plain doubles in seconds,
// bytes and FLOP inside.
//
//   Verdict<TrainingModel> model = make_training_model(job, machine);
//   MicroBatch part = model->micro_batch(layout);  // what tp, cp, ep, b and recompute decide
//   Placement place = model->placement(layout);    // what the degrees decide
//   Seconds step = total(model->time(layout, part, place), kTimeTerms);
#pragma once

#include "adapters.h"
#include "framework.h"
#include "layout.h"

#include "gpusel/catalog/gpu.h"
#include "gpusel/estimate/collectives.h"
#include "gpusel/estimate/kernels.h"
#include "gpusel/estimate/ledger.h"
#include "gpusel/estimate/machine.h"
#include "gpusel/estimate/plan.h"
#include "gpusel/units/units.h"
#include "gpusel/workload/model.h"

namespace gpusel::workload::llm {

/// A training job, resolved.
struct TrainingJob {
  ModelCard card;
  Framework framework;
  double tokens = 0;
  double sequence = 4096;               // tokens
  std::optional<double> mean_sequence;  // of samples that are not packed; padded by micro-batch
  double global_batch = 1024;           // sequences
  TrainFormat format = TrainFormat::automatic;
  Optimizer optimizer = Optimizer::adamw;
  Offload offload = Offload::none;
  std::optional<Adapters> adapters;  // none: every weight is trained
  bool bidirectional = false;        // an encoder: every position sees the whole sequence
  double logit_share = 1;            // of the positions: those that reach the output table
  FixedChoices fixed;
  double headroom = 0.05;               // share of each GPU's memory kept free
  std::optional<double> software_date;  // year with fraction; empty: today's software
  /// Tokens that a sequence has on average: its length where samples are packed.
  [[nodiscard]] double mean_tokens() const { return mean_sequence.value_or(sequence); }
  [[nodiscard]] double steps() const;
};

/// The model as the formulas see it; averages over layers where they differ.
struct Shape {
  double layers = 0;
  double hidden = 0;
  double heads = 0;
  double kv_heads = 0;
  double head_dim = 0;
  double core_dim =
      0;  // width of the attention core: head_dim, or the mean of keys and values in MLA
  double ffn = 0;
  double matrices = 3;  // of an FFN
  double vocab = 0;
  double experts = 1;
  double top_k = 1;
  double expert_ffn = 0;
  double shared_ffn = 0;
  double moe_share = 0;         // of the layers
  double attention_params = 0;  // of one layer
  double dense_params = 0;      // of one layer outside experts, mean over layers
  double expert_params = 0;     // of all experts of one layer, mean over layers
  bool mla = false;
  bool gated = true;
  bool tied = false;
};
Shape shape_of(const ModelCard& card);

/// Bytes per GPU at the peak of a step; the addends of the total.
struct TrainingMemory {
  units::Bytes weights;
  units::Bytes gradients;
  units::Bytes optimizer;
  units::Bytes activations;
  units::Bytes logits;
  units::Bytes working_set;
  units::Bytes gathered;
  units::Bytes scratch;
  units::Bytes buffers;
  units::Bytes fragmentation;
  units::Bytes loading;
  units::Bytes overhead;
};
using MemoryTerm = estimate::Term<TrainingMemory, units::Bytes>;
inline constexpr MemoryTerm kMemoryTerms[] = {
    {"weights", "weights", &TrainingMemory::weights, "N w / shards"},
    {"gradients", "gradients", &TrainingMemory::gradients, "N g / shards"},
    {"optimizer", "optimizer", &TrainingMemory::optimizer, "N o / shards"},
    {"activations", "activations", &TrainingMemory::activations,
     "kept per layer x layers x micro-batches in flight"},
    {"logits", "logits", &TrainingMemory::logits, "b s V / tp x bytes per logit"},
    {"working_set", "working set", &TrainingMemory::working_set,
     "8 b s h, plus one layer under full recompute"},
    {"gathered", "gathered parameters", &TrainingMemory::gathered,
     "ZeRO-3: layers held whole for a while"},
    {"scratch", "dequantised weights", &TrainingMemory::scratch,
     "QLoRA: 4 bytes x hidden x FFN width"},
    {"buffers", "communication buffers", &TrainingMemory::buffers, "constant of the framework"},
    {"fragmentation", "fragmentation", &TrainingMemory::fragmentation, "3 % of the above"},
    {"loading", "whole model while loading", &TrainingMemory::loading,
     "what 2 N (1 + 1 / shards) bytes exceed the above by"},
    {"overhead", "context and libraries", &TrainingMemory::overhead,
     "1.6 GB, and 1.4 GB where GPUs exchange"},
};

/// Seconds of one optimizer step; the addends of the total.
struct TrainingTime {
  units::Seconds gemm;
  units::Seconds attention;
  units::Seconds elementwise;
  units::Seconds dequantise;
  units::Seconds tensor_parallel;
  units::Seconds context_parallel;
  units::Seconds all_to_all;
  units::Seconds host;
  units::Seconds logits;
  units::Seconds zero3;
  units::Seconds pipeline_p2p;
  units::Seconds pipeline_bubble;
  units::Seconds gradients;
  units::Seconds optimizer;
  units::Seconds offload;
  units::Seconds fixed;
  units::Seconds jitter;
  units::Seconds framework;
  units::Seconds maturity;
};
using TimeTerm = estimate::Term<TrainingTime, units::Seconds>;
inline constexpr TimeTerm kTimeTerms[] = {
    {"gemm", "matrix products", &TrainingTime::gemm,
     "2MNK (1 + d (1/M + 1/N + 1/K)) / (eps P) / phi"},
    {"attention", "attention core", &TrainingTime::attention,
     "2 b s^2 a d / rate, forward and 2.5 x backward"},
    {"elementwise", "norms and element-wise", &TrainingTime::elementwise, "bytes / (0.85 W)"},
    {"dequantise", "4-bit weights to 16 bits", &TrainingTime::dequantise,
     "QLoRA: 8 ps a parameter (GPTQ 15), forward and backward"},
    {"tensor_parallel", "tensor-parallel exchange", &TrainingTime::tensor_parallel,
     "4 all-reduces of 2 b s h a layer, exposed share"},
    {"context_parallel", "context-parallel exchange", &TrainingTime::context_parallel,
     "ring of keys and values, exposed share"},
    {"all_to_all", "expert all-to-all", &TrainingTime::all_to_all, "b s k h, dispatch and combine"},
    {"host", "host launches", &TrainingTime::host, "(gpu^3 + host^3)^(1/3) - gpu"},
    {"logits", "logits and loss", &TrainingTime::logits, "3 b s h V products and 16 bytes a logit"},
    {"zero3", "ZeRO-3 gathers", &TrainingTime::zero3,
     "3 passes over the parameters a micro-batch, exposed share"},
    {"pipeline_p2p", "pipeline transfers", &TrainingTime::pipeline_p2p,
     "2 v b s h a micro-batch, exposed share"},
    {"pipeline_bubble", "pipeline bubble", &TrainingTime::pipeline_bubble, "(p - 1) / v x stage"},
    {"gradients", "gradient exchange", &TrainingTime::gradients,
     "2 passes over the parameters a step, exposed share"},
    {"optimizer", "optimizer step", &TrainingTime::optimizer,
     "2 (w + o) + g bytes a local parameter / (0.8 W)"},
    {"offload", "copies to and from the host", &TrainingTime::offload,
     "weights twice and gradients once a micro-batch, or gradients and weights once a step; the "
     "update "
     "at the host's memory rate"},
    {"fixed", "step overhead", &TrainingTime::fixed, "2 ms"},
    {"jitter", "stragglers", &TrainingTime::jitter, "0.78 % per doubling above 8 GPUs"},
    {"framework", "framework", &TrainingTime::framework,
     "factor of the software on the whole step"},
    {"maturity", "young software", &TrainingTime::maturity,
     "surcharge for software older than today's"},
};

/// The time that one micro-batch takes on one GPU: all that depends on tp, cp, ep, micro-batch and
/// recompute.
struct MicroBatch {
  // Seconds of one layer, forward, backward and recompute.
  double gemm = 0;
  double attention = 0;
  double elementwise = 0;
  double tensor = 0;
  double context = 0;
  double all_to_all = 0;
  double dequantise = 0;  // after the others
  double host_gap = 0;    // what host launches add to the sum of the above
  double layer = 0;       // all of them
  double logits = 0;      // on the last stage
  double send_bytes = 0;  // at a pipeline boundary
};

/// Bytes of one micro-batch on one GPU; they depend on the same.
struct Activations {
  double layer = 0;   // of one layer without the attention core
  double core = 0;    // of the attention core of one layer
  double kept = 0;    // of a layer until its backward pass
  double logits = 0;  // on the last stage
  double work = 0;    // of the layer at work
};

/// What the degrees alone decide, whatever the micro-batch and recompute.
struct Placement {
  double layers = 0;         // of the longest stage, a table that takes the place of one counted
  double kept_layers = 0;    // those of them that keep activations
  bool even_tables = false;  // the tables take the place of a layer each
  double bubble = 0;         // stages that wait, in runs of a whole stage
  // Seconds of a step.
  double gradients = 0;  // of their exchange, if nothing hid it
  double optimizer = 0;
  double gathers = 0;        // ZeRO-3: of one micro-batch, if nothing hid them
  double copies = 0;         // offload: of one micro-batch
  double update = 0;         // offload: copies and update of the optimizer, of one step
  double boundary_rate = 0;  // bytes/s between pipeline stages
  // Bytes.
  units::Bytes weights;
  units::Bytes gradient_bytes;
  units::Bytes optimizer_bytes;
  units::Bytes gathered;
  units::Bytes host;  // of each node
};

/// Floating-point operations of one step over all GPUs, recompute left out.
struct TrainingFlops {
  units::Flops attention_projections;
  units::Flops attention_core;
  units::Flops ffn;
  units::Flops router;
  units::Flops logits;
  units::Flops adapters;
};
using FlopsTerm = estimate::Term<TrainingFlops, units::Flops>;
inline constexpr FlopsTerm kFlopsTerms[] = {
    {"attention_projections", "attention projections", &TrainingFlops::attention_projections,
     "6 L (h d (a + 2k) + a d h) a token"},
    {"attention_core", "attention core", &TrainingFlops::attention_core,
     "6 L a d s a token (causal half)"},
    {"ffn", "feed-forward", &TrainingFlops::ffn, "6 L g h f a token; active experts only"},
    {"router", "expert router", &TrainingFlops::router, "6 L h E a token"},
    {"logits", "logits", &TrainingFlops::logits, "6 h V a token"},
    {"adapters", "adapters", &TrainingFlops::adapters, "6 a parameter and token"},
};
/// Of one token; windows of local layers count.
TrainingFlops flops_per_token(const ModelCard& card, double sequence);
/// The same for a job: frozen weights have no weight gradient, so two products instead of three.
TrainingFlops flops_per_token(const TrainingJob& job);

class TrainingModel {
 public:
  /// `job` must outlive it.
  TrainingModel(const TrainingJob& job, const estimate::Machine& machine);
  /// Empty, or why the machine cannot run the job in any layout.
  [[nodiscard]] static std::optional<estimate::DoesNotFit> refusal(
      const TrainingJob& job, const estimate::Machine& machine);

  [[nodiscard]] MicroBatch micro_batch(const Layout& layout) const;
  [[nodiscard]] Activations activations(const Layout& layout) const;
  [[nodiscard]] Placement placement(const Layout& layout) const;
  [[nodiscard]] TrainingTime time(const Layout& layout, const MicroBatch& part,
                                  const Placement& place) const;
  [[nodiscard]] TrainingMemory memory(const Layout& layout, const Activations& part,
                                      const Placement& place) const;
  /// Never above the total of time().
  [[nodiscard]] units::Seconds least_time(const Layout& layout, const MicroBatch& part,
                                          const Placement& place, double micro_batches) const;
  /// Never above the total of memory().
  [[nodiscard]] units::Bytes least_memory(const Placement& place, const Activations& part) const;
  /// No layout is faster, or needs less.
  [[nodiscard]] units::Seconds least_step() const;
  [[nodiscard]] units::Bytes least_memory() const;

  [[nodiscard]] const TrainingJob& job() const { return job_; }
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] double gpus() const { return gpus_; }
  [[nodiscard]] double domain() const { return links_.domain; }
  [[nodiscard]] bool fast_link() const { return links_.fast; }
  [[nodiscard]] catalog::NumberFormat format() const { return format_; }
  /// Memory of each host, if known.
  [[nodiscard]] std::optional<units::Bytes> host_memory() const { return host_memory_; }
  [[nodiscard]] units::Bytes capacity() const { return units::bytes(capacity_); }
  /// Weights and optimizer states of the whole model, as a checkpoint stores them.
  [[nodiscard]] units::Bytes checkpoint() const;
  [[nodiscard]] double peak() const { return peak_; }  // FLOP/s of one GPU in the format
  [[nodiscard]] double micro_batches(const Layout& layout) const;

 private:
  struct Parameters {
    double dense = 0;  // on the first stage, with its tables
    double experts = 0;
    double expert_ranks = 1;  // data-parallel copies of an expert
  };
  struct Stage {
    double seconds = 0;  // of one micro-batch on the slowest stage
    double zero3 = 0;    // exposed gathers therein
    double logits = 0;
  };
  void set_states();  // bytes per parameter
  // Parts of micro_batch().
  [[nodiscard]] double padded_sequence(const Layout& l) const;
  [[nodiscard]] double gemm_seconds(const Layout& l, double tokens) const;
  [[nodiscard]] double attention_seconds(const Layout& l) const;
  [[nodiscard]] double elementwise_seconds(const Layout& l, double tokens) const;
  [[nodiscard]] double tensor_seconds(const Layout& l, double tokens) const;
  [[nodiscard]] double all_to_all_seconds(const Layout& l, double tokens) const;
  [[nodiscard]] double context_seconds(const Layout& l) const;
  [[nodiscard]] double dequantise_seconds(const Layout& l) const;
  [[nodiscard]] double host_seconds(const Layout& l) const;
  [[nodiscard]] double logit_seconds(const Layout& l, double tokens) const;
  // Parts of time() and memory().
  [[nodiscard]] double stage_layers(const Layout& l) const;
  [[nodiscard]] bool tables_count_as_layers(const Layout& l) const;
  [[nodiscard]] Parameters parameters(const Layout& l, double tables) const;
  [[nodiscard]] Stage stage(const Layout& l, const MicroBatch& part, const Placement& place) const;
  [[nodiscard]] double gather_seconds(const Layout& l, const Parameters& n) const;
  [[nodiscard]] double gradient_seconds(const Layout& l, const Parameters& n) const;
  [[nodiscard]] double boundary_rate(const Layout& l) const;
  [[nodiscard]] double exposed_gradients(const Layout& l, double traffic, double window) const;
  void place_states(const Layout& l, Placement& place) const;
  [[nodiscard]] double optimizer_seconds(const Layout& l, const Parameters& n) const;
  [[nodiscard]] double loading_bytes(const Layout& l) const;
  [[nodiscard]] double gathered_bytes(const Layout& l, const Parameters& n) const;
  [[nodiscard]] double framework_factor(const Layout& l) const;
  [[nodiscard]] double maturity() const;
  [[nodiscard]] double recomputed(const Layout& l) const;  // share of the forward
  [[nodiscard]] bool zero3(const Layout& l) const { return l.zero == 3 && gpus_ > 1; }
  [[nodiscard]] double shard_ranks(const Layout& l) const;
  [[nodiscard]] bool quantised() const { return job_.adapters && job_.adapters->quantised; }
  /// Bytes of a frozen parameter of a layer, and of one that ZeRO-3 gathers.
  [[nodiscard]] double frozen_bytes() const;
  [[nodiscard]] double gathered_frozen_bytes() const;
  [[nodiscard]] double widest_ffn() const {
    return shape_.moe_share < 1 ? shape_.ffn : shape_.expert_ffn;
  }
  void place_offloaded(const Layout& l, const Parameters& n, Placement& place) const;
  [[nodiscard]] bool streams(const Layout& l) const {
    return zero3(l) || job_.offload == Offload::all;
  }
  void place_frozen(const Layout& l, const Parameters& n, Placement& place) const;

  const TrainingJob& job_;
  Shape shape_;
  estimate::GemmModel gemm_;  // in the training format
  estimate::GemmModel half_;  // in 16 bits, for logits and attention
  estimate::Links links_;
  catalog::NumberFormat format_ = catalog::NumberFormat::bf16;
  double attention_rate_ = 0;  // FLOP/s of fused attention
  double memory_rate_ = 0;     // bytes/s achieved
  double memory_bandwidth_ = 0;
  double peak_ = 0;
  double capacity_ = 0;
  double host_rate_ = 0;  // bytes/s of one GPU's copies
  std::optional<units::Bytes> host_memory_;
  double gpus_ = 1;
  double node_gpus_ = 1;
  double value_bytes_ = 2;  // of an activation and of an exchanged value
  double weight_bytes_ = 2;
  double gradient_bytes_ = 4;
  double optimizer_bytes_ = 12;
  double optimizer_traffic_ = 32;
  double adapter_params_ = 0;  // trained beside frozen weights
  double whole_params_ = 0;    // of tables trained whole beside them
  double products_ = 3;        // of a weight: forward, data gradient, weight gradient
  double launch_year_ = 0;
  double jitter_ = 0;
  double maturity_ = 0;
  bool narrow_ = false;  // 8- or 4-bit products
  bool ampere_ = false;
};

}  // namespace gpusel::workload::llm
