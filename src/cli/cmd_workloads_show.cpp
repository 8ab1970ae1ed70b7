#include "command.h"
#include "records.h"
#include "session.h"

namespace gpusel::cli {
namespace {

constexpr std::string_view kExamples[] = {
    "workloads show llm-train",
    "workloads show llm-inference --json",
};

bool is_named(const report::Value& record, std::string_view name) {
  return record.find("id")->shown() == name;
}

std::vector<std::string> known_names(const ListAnswer& answer) {
  std::vector<std::string> names;
  for (const report::Value& record : answer.records) names.push_back(record.find("id")->shown());
  return names;
}

diag::ExitCode run(Invocation& invocation) {
  std::optional<Session> session = open_session(invocation);
  if (!session) return diag::ExitCode::bad_data;
  ListAnswer answer = workload_list(*session, invocation, "workloads show");
  keep_named(answer, invocation, invocation.diagnostics, known_names(answer), &is_named);
  sort_records(answer, invocation);
  if (invocation.diagnostics.has_errors()) return diag::ExitCode::usage;
  return invocation.print(view_show(answer), diag::ExitCode::answered);
}

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
