#include "command.h"
#include "records.h"
#include "session.h"

#include "gpusel/base/text.h"

#include <algorithm>

namespace gpusel::cli {
namespace {

constexpr std::string_view kExamples[] = {
    "models show llama-3.1-70b",
    "models show meta-llama/Llama-3.1-8B --json",
};

// By id or alias; case is ignored.
bool is_named(const report::Value& record, std::string_view name) {
  const std::string lower = to_lower(name);
  if (to_lower(record.find("id")->shown()) == lower) return true;
  const auto* aliases = record.find("aliases")->get<report::List>();
  return std::any_of(aliases->begin(), aliases->end(),
                     [&](const report::Value& alias) { return to_lower(alias.shown()) == lower; });
}

std::vector<std::string> known_names(const ListAnswer& answer) {
  std::vector<std::string> names;
  for (const report::Value& record : answer.records) {
    names.push_back(record.find("id")->shown());
    for (const report::Value& alias : *record.find("aliases")->get<report::List>())
      names.push_back(alias.shown());
  }
  return names;
}

diag::ExitCode run(Invocation& invocation) {
  std::optional<Session> session = open_session(invocation);
  if (!session) return diag::ExitCode::bad_data;
  ListAnswer answer = model_list(*session, invocation, "models show");
  keep_named(answer, invocation, invocation.diagnostics, known_names(answer), &is_named);
  sort_records(answer, invocation);
  if (invocation.diagnostics.has_errors()) return diag::ExitCode::usage;
  return invocation.print(view_show(answer), diag::ExitCode::answered);
}

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
