#include "encoding/options.h"
#include "encoding/work.h"

#include "gpusel/workload/workload.h"

namespace gpusel::workload {
namespace {

std::unique_ptr<const Workload> make(const data::OptionValues& values, const Context& context,
                                     diag::Sink& sink) {
  std::optional<encoding::Request> request = encoding::resolve(values, context, sink);
  if (!request) return nullptr;
  return encoding::make_encoding(*std::move(request));
}

}  // namespace

extern const WorkloadKind kind_encoder_inference;
constinit const WorkloadKind kind_encoder_inference{
    "encoder-inference", "encoding of texts with an encoder or embedding model", encoding::kOptions,
    &make};

}  // namespace gpusel::workload
