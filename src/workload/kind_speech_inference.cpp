#include "speech/options.h"
#include "speech/work.h"

#include "gpusel/workload/workload.h"

namespace gpusel::workload {
namespace {

std::unique_ptr<const Workload> make(const data::OptionValues& values, const Context& context,
                                     diag::Sink& sink) {
  std::optional<speech::Request> request = speech::resolve(values, context, sink);
  if (!request) return nullptr;
  return speech::make_transcription(*std::move(request));
}

}  // namespace

extern const WorkloadKind kind_speech_inference;
constinit const WorkloadKind kind_speech_inference{"speech-inference", "transcription of speech",
                                                   speech::kOptions, &make};

}  // namespace gpusel::workload
