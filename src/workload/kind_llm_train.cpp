#include "llm/train_options.h"
#include "training_kind.h"

namespace gpusel::workload {
namespace {

std::unique_ptr<const Workload> make(const data::OptionValues& values, const Context& context,
                                     diag::Sink& sink) {
  return make_training(values, context, llm::Purpose::pretraining, sink);
}

}  // namespace

extern const WorkloadKind kind_llm_train;
constinit const WorkloadKind kind_llm_train = {"llm-train", "pre-training of a language model",
                                               llm::kTrainOptions, &make};

}  // namespace gpusel::workload
