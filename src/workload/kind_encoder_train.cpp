#include "llm/train_options.h"
#include "training_kind.h"

namespace gpusel::workload {
namespace {

std::unique_ptr<const Workload> make(const data::OptionValues& values, const Context& context,
                                     diag::Sink& sink) {
  return make_training(values, context, llm::Purpose::encoder, sink);
}

}  // namespace

extern const WorkloadKind kind_encoder_train;
constinit const WorkloadKind kind_encoder_train = {
    "encoder-train", "training of a text encoder such as BERT, from masked tokens or on labels",
    llm::kEncoderOptions, &make};

}  // namespace gpusel::workload
