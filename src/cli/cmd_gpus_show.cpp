#include "command.h"
#include "records.h"
#include "session.h"

#include "gpusel/base/text.h"

#include <algorithm>

namespace gpusel::cli {
namespace {

constexpr std::string_view kExamples[] = {
    "gpus show h200",
    "gpus show nvidia-a100-sxm4-80gb amd-mi300x-192gb --json",
};

// By id, alias or family; case is ignored.
bool is_named(const report::Value& record, std::string_view name) {
  const std::string lower = to_lower(name);
  if (record.find("id")->shown() == lower || record.find("family")->shown() == lower) return true;
  const auto* aliases = record.find("aliases")->get<report::List>();
  return std::any_of(aliases->begin(), aliases->end(),
                     [&](const report::Value& alias) { return to_lower(alias.shown()) == lower; });
}

diag::ExitCode run(Invocation& invocation) {
  std::optional<Session> session = open_session(invocation);
  if (!session) return diag::ExitCode::bad_data;
  ListAnswer answer = gpu_list(session->catalog, invocation, "gpus show");
  keep_named(answer, invocation, invocation.diagnostics, session->catalog.gpu_names(), &is_named);
  sort_records(answer, invocation);
  if (invocation.diagnostics.has_errors()) return diag::ExitCode::usage;
  return invocation.print(view_show(answer), diag::ExitCode::answered);
}

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
