#include "calibrated.h"
#include "llm/train_workload.h"

#include "gpusel/workload/workload.h"

namespace gpusel::workload {
namespace {

std::unique_ptr<const Workload> make(const data::OptionValues& values, const Context& context,
                                     diag::Sink& sink) {
  std::optional<llm::TrainRequest> request = llm::read_train_request(values, context, sink);
  diag::Buffer faults;
  CalibrationSet calibrations = load_calibrations(*context.data, faults);
  faults.pass_on(sink);
  if (!request || faults.has_errors()) return nullptr;
  const bool documents = request->estimator == llm::Estimator::document;
  const std::string format = request->traits.dtype;
  const std::string framework = request->job.framework.id;
  auto work = llm::make_train_workload(*std::move(request));
  if (documents) return work;  // their formulas to the letter
  const auto key = [format, framework](const estimate::Machine& machine) {
    return CalibrationKey{machine.gpu->id.text(), calibration_format(format, machine), framework};
  };
  return calibrated(std::move(work), std::move(calibrations),
                    {MeasuredKind::training, key, {}, false, 0});
}

}  // namespace

extern const WorkloadKind kind_llm_train;
constinit const WorkloadKind kind_llm_train = {"llm-train", "pre-training of a language model",
                                               llm::kTrainOptions, &make};

}  // namespace gpusel::workload
