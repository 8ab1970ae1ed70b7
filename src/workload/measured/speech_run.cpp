#include "speech_run.h"

#include "../speech/model.h"

#include "gpusel/base/number.h"

#include <algorithm>

namespace gpusel::workload::measured {

bool is_speech_run(const Cells& cells) { return cells.text("kind") == "transcribe"; }

OrSkip<Predicted> predict_speech(const Cells& cells, const Context& context,
                                 const ModelNames& models) {
  const auto gpu = gpu_of(cells, *context.catalog);
  if (!gpu) return gpu.error();
  const ModelCard* card = models.find(cells.text("model"));
  if (card == nullptr || card->kind != ModelKind::asr)
    return Skip{"model '" + cells.text("model") + "' is not a known model of speech"};
  const double gpus = cells.number("gpu_count", 0);
  if (gpus < 1 || gpus > kMostGpus) return Skip{"gpu_count is missing"};
  const auto tokens = cells.positive("output_len");
  if (!tokens) return Skip{"output_len is not stated"};
  const speech::SpeechJob job = speech::job_of(*card, *tokens, 0);
  catalog::Hardware hardware;
  hardware.gpu = static_cast<std::uint32_t>(*gpu);
  hardware.count = 1;
  const estimate::Machine machine = estimate::make_machine(*context.catalog, hardware, 1);
  if (const auto why = speech::SpeechModel::refusal(job, machine)) return Skip{why->text};
  const speech::SpeechModel model(job, machine);
  const auto given = parse_number(cells.text("concurrency_or_batch"));
  const double most = std::min(speech::kMostPieces, model.pieces_that_fit());
  const double batch = given ? *given : most;
  if (batch < 1) return Skip{"the model does not fit"};
  const double seconds = units::in_seconds(estimate::total(model.time(batch), speech::kTimeTerms));
  Predicted predicted{cells.text("engine"), std::string(data::name_of(model.format())), {}};
  const double pieces = gpus * batch / seconds;
  if (const auto rate = cells.positive("output_tokens_per_s_total"))
    predicted.comparisons.push_back({Metric::throughput, *rate, pieces * *tokens});
  if (const auto rate = cells.positive("requests_per_s"))
    predicted.comparisons.push_back({Metric::request_rate, *rate, pieces});
  return predicted;
}

}  // namespace gpusel::workload::measured
