#include "rendering/job.h"
#include "rendering/options.h"

#include "gpusel/workload/workload.h"

namespace gpusel::workload {
namespace {

std::unique_ptr<const Workload> make(const data::OptionValues& values, const Context& context,
                                     diag::Sink& sink) {
  std::optional<rendering::Job> job = rendering::resolve(values, context, sink);
  if (!job) return nullptr;
  return rendering::make_rendering(std::move(*job));
}

}  // namespace

extern const WorkloadKind kind_rendering;
constinit const WorkloadKind kind_rendering{"rendering", "rendering of the frames of a scene",
                                            rendering::kOptions, &make};

}  // namespace gpusel::workload
