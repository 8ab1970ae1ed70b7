#include "llm/train_workload.h"

#include "gpusel/workload/workload.h"

namespace gpusel::workload {
namespace {

std::unique_ptr<const Workload> make(const data::OptionValues& values, const Context& context,
                                     diag::Sink& sink) {
  std::optional<llm::TrainRequest> request = llm::read_train_request(values, context, llm::Purpose::pretraining, sink);
  if (!request) return nullptr;
  return llm::make_train_workload(*std::move(request));
}

}  // namespace

extern const WorkloadKind kind_llm_train;
constinit const WorkloadKind kind_llm_train = {"llm-train", "pre-training of a language model",
                                               llm::kTrainOptions, &make};

}  // namespace gpusel::workload
