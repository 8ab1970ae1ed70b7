#include "model.h"

#include "../serving/constants.h"

#include <algorithm>
#include <cmath>

namespace gpusel::workload::speech {
namespace {

constexpr double kHalfBytes = 2;
constexpr double kKeyAndValue = 2;
constexpr double kEncoderBatch = 8;  // pieces of a pass: speed hardly rises beyond
constexpr double kFilled = 0.9;  // of what may be used: servers leave room for what they can't see
constexpr double kLongestText = 448;  // tokens that the decoder's positions hold
constexpr double kSquares = 6;        // h x h matrices of a decoder layer in a step

}  // namespace

encoding::Interval interval_of(const SpeechJob& job, std::string_view curves) {
  constexpr std::string_view kClasses[] = {"hopper", "gb200", "card"};
  const bool known =
      std::find(std::begin(kClasses), std::end(kClasses), curves) != std::end(kClasses);
  return known && job.measured ? kMeasured : kUnmeasured;
}

SpeechJob job_of(const ModelCard& card, double tokens, double headroom) {
  SpeechJob job;
  job.encoder.tower = encoding::tower_of(card);
  job.encoder.positions = kPiecePositions;
  job.encoder.mean = kPiecePositions;
  job.encoder.software = *encoding::find_software("tensorrt");
  job.encoder.headroom = headroom;
  job.decoder_layers = card.decoder_layers;
  job.hidden = card.hidden;
  job.ffn = card.ffn;
  job.vocab = card.vocab;
  job.params = count_parameters(card).total;
  job.tokens = tokens;
  job.headroom = headroom;
  // The decoder of turbo is another, whatever else is alike.
  job.measured = card.id.text() == "whisper-large-v3";
  return job;
}

SpeechFlops flops_of(const SpeechJob& job) {
  const double cross = 2 * kKeyAndValue * job.hidden * job.hidden * job.decoder_layers;
  const double seen = kPiecePositions + job.tokens / 2;
  return {estimate::total(encoding::flops_of(job.encoder), encoding::kFlopsTerms) +
              units::flops(cross * kPiecePositions),
          units::flops(job.tokens *
                       (2 * job.step_weights() + 4 * job.decoder_layers * job.hidden * seen))};
}

std::optional<estimate::DoesNotFit> SpeechModel::refusal(const SpeechJob& job,
                                                         const estimate::Machine& machine) {
  return encoding::PassModel::refusal(job.encoder, machine);
}

SpeechModel::SpeechModel(const SpeechJob& job, const estimate::Machine& machine)
    : job_(job),
      encoder_(job.encoder, machine),
      gemm_(*estimate::make_gemm(*machine.gpu, *machine.curves, encoder_.format())),
      kv_rate_(serving::kKvRead * units::in_bytes_per_second(*machine.gpu->memory_bandwidth)),
      capacity_(machine.gpu_memory() * (1 - job.headroom)) {}

double SpeechModel::cache_bytes() const {
  return (kPiecePositions + kLongestText) * kKeyAndValue * kHalfBytes * job_.hidden *
         job_.decoder_layers;
}

SpeechTime SpeechModel::time(double pieces) const {
  const double h = job_.hidden;
  const double layers = job_.decoder_layers;
  const double pass = std::min(pieces, kEncoderBatch);
  SpeechTime t;
  t.encoder = estimate::total(encoder_.time(pass), encoding::kTimeTerms) * (pieces / pass);
  t.cross = units::seconds(layers * gemm_.seconds(pieces * kPiecePositions, kKeyAndValue * h, h));
  const double step =
      layers * (kSquares * gemm_.seconds(pieces, h, h) + gemm_.seconds(pieces, job_.ffn, h) +
                gemm_.seconds(pieces, h, job_.ffn)) +
      gemm_.seconds(pieces, job_.vocab, h);
  t.products = units::seconds(job_.tokens * step);
  const double seen = kPiecePositions + job_.tokens / 2;
  const double read = pieces * seen * kKeyAndValue * kHalfBytes * h * layers;
  t.cache = units::seconds(job_.tokens * read / kv_rate_);
  t.host = (serving::kStepHost + serving::kLayerLaunch * layers + serving::kSequenceHost * pieces) *
           job_.tokens;
  t.software = (t.encoder + t.cross + t.products + t.cache + t.host) * (kSoftware - 1);
  return t;
}

SpeechMemory SpeechModel::memory(double pieces) const {
  const encoding::PassMemory encoder = encoder_.memory(std::min(pieces, kEncoderBatch));
  return {units::bytes(kHalfBytes * job_.params), units::bytes(pieces * cache_bytes()),
          encoder.activations, encoder.overhead};
}

double SpeechModel::pieces_that_fit() const {
  const units::Bytes fixed =
      estimate::total(memory(kEncoderBatch), kMemoryTerms) - memory(kEncoderBatch).cache;
  return std::floor(units::in_bytes(capacity_ * kFilled - fixed) / cache_bytes());
}

}  // namespace gpusel::workload::speech
