#include "command.h"
#include "records.h"

namespace gpusel::cli {
namespace {

constexpr std::string_view kExamples[] = {
    "models show llama-3.1-70b",
    "models show meta-llama/Llama-3.1-8B --json",
};

diag::ExitCode run(Invocation& invocation) { return show_records(kModelRecords, invocation); }

}  // namespace

extern const CommandSpec cmd_models_show;
constinit const CommandSpec cmd_models_show{
    "models show",
    "everything about a model",
    "The shape of the models named, their parameters as published and as counted, and the source.",
    kExamples,
    {"NAME", "ids or aliases, such as llama-3.1-70b", 100},
    &plain_list_options,
    &run};

}  // namespace gpusel::cli
