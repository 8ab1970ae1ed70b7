#include "command.h"
#include "records.h"
#include "session.h"

namespace gpusel::cli {
namespace {

constexpr std::string_view kExamples[] = {
    "models list",
    "models list --sort -params --format csv",
};

diag::ExitCode run(Invocation& invocation) {
  std::optional<Session> session = open_session(invocation);
  if (!session) return diag::ExitCode::bad_data;
  ListAnswer answer = model_list(*session, invocation, "models list");
  sort_records(answer, invocation);
  if (invocation.diagnostics.has_errors()) return diag::ExitCode::usage;
  return invocation.print(view_list(answer), diag::ExitCode::answered);
}

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
