#include "batch_work.h"
#include "calibrated.h"
#include "llm/document.h"
#include "serving/inference.h"
#include "serving/options.h"

#include "gpusel/workload/workload.h"

#include <algorithm>

namespace gpusel::workload {
namespace {

// The documents know no service: a pass over prompt and answer of every client stands for it.
std::unique_ptr<const Workload> make_document(serving::Request request) {
  llm::DocumentWork work;
  work.kind = "llm-inference";
  work.nature = Nature::service;
  work.params = request.nominal_params;
  work.sequence = request.traffic.prompt + request.traffic.answer;
  work.batch = request.clients.value_or(1);
  work.traits = std::move(request.traits);
  work.fields = std::move(request.fields);
  work.assumptions = std::move(request.assumptions);
  work.node_counts = doubled(request.nodes.value_or(1), request.nodes.value_or(request.max_nodes));
  return llm::make_document_workload(std::move(work));
}

// The raw estimate meets limits and rates that are divided by the factors, so that the multiplied
// one meets those that were asked for.
std::unique_ptr<const Workload> make_calibrated(const serving::Request& request,
                                                CalibrationSet calibrations) {
  const auto scaled = [request](const Factors& f) {
    serving::Request raw = request;
    raw.limits.tpot = raw.limits.tpot / f.time;
    if (raw.rate) raw.rate = *raw.rate / f.throughput;
    return serving::make_inference(raw);
  };
  const auto key = [format = std::string(request.format.name),
                    engine = request.engine.id](const estimate::Machine& machine) {
    return CalibrationKey{machine.gpu->id.text(), format, engine};
  };
  return calibrated(serving::make_inference(request), std::move(calibrations),
                    {MeasuredKind::serving, key, scaled, !request.clients.has_value(),
                     std::max(0.0, request.traffic.answer - 1)});
}

std::unique_ptr<const Workload> make(const data::OptionValues& values, const Context& context,
                                     diag::Sink& sink) {
  std::optional<serving::Request> request = serving::resolve(values, context, sink);
  diag::Buffer faults;
  CalibrationSet calibrations = load_calibrations(*context.data, faults);
  faults.pass_on(sink);
  if (!request || faults.has_errors()) return nullptr;
  if (request->document) return make_document(std::move(*request));
  if (calibrations.empty()) return serving::make_inference(*request);
  if (request->formats.size() > 1) {
    // A calibration holds for one format.
    data::OptionReader(values, sink)
        .report("weights-dtype", {"auto does not go with a calibration", "name one format", 0, 0});
    return nullptr;
  }
  return make_calibrated(*request, std::move(calibrations));
}

}  // namespace

extern const WorkloadKind kind_llm_inference;
constinit const WorkloadKind kind_llm_inference{"llm-inference", "serving of a language model",
                                                serving::kOptions, &make};

}  // namespace gpusel::workload
