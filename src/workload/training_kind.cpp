#include "training_kind.h"

#include "calibrated.h"
#include "llm/train_workload.h"

namespace gpusel::workload {

std::unique_ptr<const Workload> make_training(const data::OptionValues& values,
                                              const Context& context, llm::Purpose purpose,
                                              diag::Sink& sink) {
  std::optional<llm::TrainRequest> request =
      llm::read_train_request(values, context, purpose, sink);
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

}  // namespace gpusel::workload
