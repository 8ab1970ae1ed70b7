#include "command.h"
#include "records.h"

namespace gpusel::cli {
namespace {

constexpr std::string_view kExamples[] = {
    "models list",
    "models list --kind encoder,embedding",
    "models list --sort -params --format csv",
};

diag::ExitCode run(Invocation& invocation) { return list_records(kModelRecords, invocation); }

}  // namespace

extern const CommandSpec cmd_models_list;
constinit const CommandSpec cmd_models_list{
    "models list",
    "the model cards of the catalog",
    "One row per architecture: kind, parameters, shape, context and cache per token in 16 bits.",
    kExamples,
    {},
    &model_list_options,
    &run};

}  // namespace gpusel::cli
