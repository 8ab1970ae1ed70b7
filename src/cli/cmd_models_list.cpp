#include "command.h"
#include "records.h"

namespace gpusel::cli {
namespace {

constexpr std::string_view kExamples[] = {
    "models list",
    "models list --sort -params --format csv",
};

diag::ExitCode run(Invocation& invocation) { return list_records(kModelRecords, invocation); }

}  // namespace

extern const CommandSpec cmd_models_list;
constinit const CommandSpec cmd_models_list{
    "models list",
    "the built-in model cards",
    "One row per architecture: parameters, shape, context and cache per token in 16 bits.",
    kExamples,
    {},
    &plain_list_options,
    &run};

}  // namespace gpusel::cli
