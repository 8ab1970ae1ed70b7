#include "command.h"
#include "records.h"

namespace gpusel::cli {
namespace {

constexpr std::string_view kExamples[] = {
    "workloads list",
};

diag::ExitCode run(Invocation& invocation) { return list_records(kWorkloadRecords, invocation); }

}  // namespace

extern const CommandSpec cmd_workloads_list;
constinit const CommandSpec cmd_workloads_list{
    "workloads list",
    "the kinds of work and the presets",
    "Every name that --workload takes: a kind of work, or a preset of one.",
    kExamples,
    {},
    &plain_list_options,
    &run};

}  // namespace gpusel::cli
