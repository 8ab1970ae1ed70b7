#include "command.h"
#include "records.h"

namespace gpusel::cli {
namespace {

constexpr std::string_view kExamples[] = {
    "models list",
    "models list --kind encoder,embedding",
    "models list --sort -params --format csv",
    "models list --fits nvidia-l4-24gb",
    "models list --fits 8xnvidia-h100-sxm5-80gb --context 128k --engine sglang --json",
};

diag::ExitCode run(Invocation& invocation) {
  const data::OptionReader read(invocation.options, invocation.diagnostics);
  if (read.given("fits")) return list_model_fits(invocation);
  for (const char* option : {"engine", "context"}) {
    if (!read.given(option)) continue;
    read.report(option, {"says how a machine serves", "add --fits with the machine", 0, 0});
    return diag::ExitCode::usage;
  }
  return list_records(kModelRecords, invocation);
}

}  // namespace

extern const CommandSpec cmd_models_list;
constinit const CommandSpec cmd_models_list{
    "models list",
    "the model cards of the catalog",
    "One row per architecture: kind, parameters, shape, context and cache per token in 16 bits. "
    "With --fits, the decoders that a machine holds: in which formats of the weights, how long one "
    "sequence may be, and how many of a length run at once.",
    kExamples,
    {},
    &model_list_options,
    &run};

}  // namespace gpusel::cli
