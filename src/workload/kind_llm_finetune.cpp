#include "llm/train_options.h"
#include "training_kind.h"

namespace gpusel::workload {
namespace {

std::unique_ptr<const Workload> make(const data::OptionValues& values, const Context& context,
                                     diag::Sink& sink) {
  return make_training(values, context, llm::Purpose::fine_tuning, sink);
}

}  // namespace

extern const WorkloadKind kind_llm_finetune;
constinit const WorkloadKind kind_llm_finetune = {
    "llm-finetune", "fine-tuning of a language model, whole or by adapters", llm::kFinetuneOptions,
    &make};

}  // namespace gpusel::workload
