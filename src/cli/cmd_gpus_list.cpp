#include "command.h"
#include "records.h"

namespace gpusel::cli {
namespace {

constexpr std::string_view kExamples[] = {
    "gpus list",
    "gpus list --gpu h100,h200 --sort -memory_bandwidth_bytes_per_s",
    "gpus list --gpu-memory 80GB.. --format csv",
};

diag::ExitCode run(Invocation& invocation) { return list_records(kGpuRecords, invocation); }

}  // namespace

extern const CommandSpec cmd_gpus_list;
constinit const CommandSpec cmd_gpus_list{
    "gpus list",
    "the GPUs of the catalog",
    "One row per GPU or slice of one: memory, bandwidth and dense peak rates, with the source.",
    kExamples,
    {},
    &gpu_list_options,
    &run};

}  // namespace gpusel::cli
