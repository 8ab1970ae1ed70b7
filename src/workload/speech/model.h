// Speech to text: the encoder reads pieces of 30 s, the decoder writes their text, many pieces at
// once.
//
//   const SpeechModel model(job, machine);          // where SpeechModel::refusal says nothing
//   units::Seconds t = estimate::total(model.time(64), kTimeTerms);   // of 64 pieces
#pragma once

#include "../encoding/pass.h"

#include "gpusel/estimate/kernels.h"
#include "gpusel/estimate/ledger.h"
#include "gpusel/estimate/machine.h"
#include "gpusel/workload/model.h"

#include <optional>

namespace gpusel::workload::speech {

/// Whisper reads pieces of 30 s as 1,500 positions (arXiv 2212.04356, section 2.2).
inline constexpr double kPieceSeconds = 30;
inline constexpr double kPiecePositions = 1500;
/// Pieces that the decoder writes at once at most: what servers run by default.
inline constexpr double kMostPieces = 256;

/// Measured over predicted time of MLPerf Inference v5.1 (whisper-large-v3, TensorRT) on six kinds
/// of GPU, 1.32 to 1.72: what the formulas leave out of the software.
inline constexpr double kSoftware = 1.45;
/// What of that is left, widened; and of models and classes of GPU that were not measured, by hand.
inline constexpr encoding::Interval kMeasured{0.80, 1.30};
inline constexpr encoding::Interval kUnmeasured{0.60, 1.80};

struct SpeechJob {
  encoding::PassJob encoder;
  double decoder_layers = 0;
  double hidden = 0;
  double ffn = 0;
  double vocab = 0;
  double params = 0;
  double tokens = 0;  // written for a piece
  double headroom = 0;
  bool measured = false;  // a model that MLPerf ran
  /// Weights that one step of the decoder reads: two attentions without the keys and values of the
  /// encoder's output, feed-forward part, table.
  [[nodiscard]] double step_weights() const {
    return decoder_layers * hidden * (6 * hidden + 2 * ffn) + hidden * vocab;
  }
};
/// How far a run on a class of GPU may be off.
encoding::Interval interval_of(const SpeechJob& job, std::string_view curves);
SpeechJob job_of(const ModelCard& card, double tokens, double headroom);

/// Seconds of one batch of pieces.
struct SpeechTime {
  units::Seconds encoder;
  units::Seconds cross;
  units::Seconds products;
  units::Seconds cache;
  units::Seconds host;
  units::Seconds software;
};
inline constexpr estimate::Term<SpeechTime, units::Seconds> kTimeTerms[] = {
    {"encoder", "encoder", &SpeechTime::encoder, "a pass over 1500 positions a piece"},
    {"cross", "keys and values of the encoder's output", &SpeechTime::cross,
     "4 b 1500 h^2 L_dec at the rate of products"},
    {"products", "decoder products", &SpeechTime::products, "T max(2 b N_dec / rate, 2 N_dec / W)"},
    {"cache", "reading keys and values", &SpeechTime::cache,
     "T b (1500 + T / 2) 4 h L_dec / (0.843 W)"},
    {"host", "host and launches", &SpeechTime::host, "T (406 us + 23 us L_dec + 50.6 us b)"},
    {"software", "software", &SpeechTime::software, "0.45 of the above"}};

/// Bytes of one GPU.
struct SpeechMemory {
  units::Bytes weights;
  units::Bytes cache;
  units::Bytes activations;
  units::Bytes overhead;
};
inline constexpr estimate::Term<SpeechMemory, units::Bytes> kMemoryTerms[] = {
    {"weights", "weights", &SpeechMemory::weights, "2 N"},
    {"cache", "keys and values", &SpeechMemory::cache, "b (1500 + 448) 4 h L_dec"},
    {"activations", "activations", &SpeechMemory::activations, "the encoder's, of 8 pieces"},
    {"overhead", "context and workspace", &SpeechMemory::overhead, "1.25 GB"}};

/// Operations of one piece.
struct SpeechFlops {
  units::Flops encoder;
  units::Flops decoder;
};
inline constexpr estimate::Term<SpeechFlops, units::Flops> kFlopsTerms[] = {
    {"encoder", "encoder", &SpeechFlops::encoder,
     "2 N_enc 1500 + 4 L a d 1500^2 + 4 h^2 L_dec 1500"},
    {"decoder", "decoder", &SpeechFlops::decoder, "T (2 N_dec + 4 L_dec h (1500 + T / 2))"}};
SpeechFlops flops_of(const SpeechJob& job);

class SpeechModel {
 public:
  static std::optional<estimate::DoesNotFit> refusal(const SpeechJob& job,
                                                     const estimate::Machine& machine);
  SpeechModel(const SpeechJob& job, const estimate::Machine& machine);

  [[nodiscard]] SpeechTime time(double pieces) const;
  [[nodiscard]] SpeechMemory memory(double pieces) const;
  /// Pieces whose keys and values fit while a tenth stays free; below 1 where not even one does.
  [[nodiscard]] double pieces_that_fit() const;
  [[nodiscard]] units::Bytes capacity() const { return capacity_; }
  [[nodiscard]] catalog::NumberFormat format() const { return encoder_.format(); }
  [[nodiscard]] units::FlopsPerSecond peak() const { return encoder_.peak(); }

 private:
  [[nodiscard]] double cache_bytes() const;  // of a piece
  const SpeechJob& job_;
  encoding::PassModel encoder_;
  estimate::GemmModel gemm_;
  double kv_rate_ = 0;  // bytes/s
  units::Bytes capacity_;
};

}  // namespace gpusel::workload::speech
