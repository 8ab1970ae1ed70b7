#include "command.h"
#include "records.h"
#include "session.h"

namespace gpusel::cli {
namespace {

constexpr std::string_view kExamples[] = {
    "workloads list",
};

diag::ExitCode run(Invocation& invocation) {
  std::optional<Session> session = open_session(invocation);
  if (!session) return diag::ExitCode::bad_data;
  ListAnswer answer = workload_list(*session, invocation, "workloads list");
  sort_records(answer, invocation);
  if (invocation.diagnostics.has_errors()) return diag::ExitCode::usage;
  return invocation.print(view_list(answer), diag::ExitCode::answered);
}

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
