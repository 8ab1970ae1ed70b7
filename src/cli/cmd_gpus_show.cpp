#include "command.h"
#include "records.h"

namespace gpusel::cli {
namespace {

constexpr std::string_view kExamples[] = {
    "gpus show h200",
    "gpus show nvidia-a100-sxm4-80gb amd-mi300x-192gb --json",
};

diag::ExitCode run(Invocation& invocation) { return show_records(kGpuRecords, invocation); }

}  // namespace

extern const CommandSpec cmd_gpus_show;
constinit const CommandSpec cmd_gpus_show{"gpus show",
                                          "everything about a GPU",
                                          "Every figure of the GPUs named, with its source.",
                                          kExamples,
                                          {"NAME", "ids, aliases or families, such as h100", 100},
                                          &gpu_list_options,
                                          &run};

}  // namespace gpusel::cli
