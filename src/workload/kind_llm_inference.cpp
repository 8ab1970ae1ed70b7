#include "llm/document.h"
#include "serving/inference.h"
#include "serving/options.h"

#include "gpusel/workload/workload.h"

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
  const int most = request.nodes.value_or(request.max_nodes);
  for (int n = request.nodes.value_or(1); n < most; n *= 2) work.node_counts.push_back(n);
  work.node_counts.push_back(most);
  return llm::make_document_workload(std::move(work));
}

std::unique_ptr<const Workload> make(const data::OptionValues& values, const Context& context,
                                     diag::Sink& sink) {
  std::optional<serving::Request> request = serving::resolve(values, context, sink);
  if (!request) return nullptr;
  return request->document ? make_document(std::move(*request))
                           : serving::make_inference(std::move(*request));
}

}  // namespace

extern const WorkloadKind kind_llm_inference;
constinit const WorkloadKind kind_llm_inference{"llm-inference", "Serve a language model",
                                                serving::kOptions, &make};

}  // namespace gpusel::workload
