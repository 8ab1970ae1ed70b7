#include "command.h"
#include "records.h"

namespace gpusel::cli {
namespace {

constexpr std::string_view kExamples[] = {
    "workloads show llm-train",
    "workloads show llm-inference --json",
};

diag::ExitCode run(Invocation& invocation) { return show_records(kWorkloadRecords, invocation); }

}  // namespace

extern const CommandSpec cmd_workloads_show;
constinit const CommandSpec cmd_workloads_show{
    "workloads show",
    "what a kind of work or a preset takes",
    "The options of a kind of work, or what a preset sets.",
    kExamples,
    {"NAME", "kinds or presets, such as llm-train", 100},
    &plain_list_options,
    &run};

}  // namespace gpusel::cli
