#include "command.h"
#include "records.h"
#include "session.h"

#include "gpusel/base/text.h"

#include <algorithm>

namespace gpusel::cli {
namespace {

constexpr std::string_view kExamples[] = {
    "catalog show p5.48xlarge",
    "catalog show aws/p5.48xlarge/us-east-1/spot --json",
};

// `provider/instance/region/purchase` or any shorter form that names an instance.
bool is_named(const report::Value& record, std::string_view name) {
  const std::string id = record.find("id")->shown();
  const std::string instance = record.find("instance")->shown();
  return id == name || id.starts_with(std::string(name) + "/") || instance == name ||
         name.starts_with(instance + "/");
}

std::vector<std::string> known_names(const catalog::Catalog& catalog) {
  std::vector<std::string> names;
  for (const catalog::Instance& i : catalog.instances) {
    names.push_back(i.id.text());
    names.push_back(catalog.providers[i.provider].id.text() + "/" + i.id.text());
  }
  return names;
}

diag::ExitCode run(Invocation& invocation) {
  std::optional<Session> session = open_session(invocation);
  if (!session) return diag::ExitCode::bad_data;
  ListAnswer answer = offer_list(session->catalog, invocation, "catalog show");
  keep_named(answer, invocation, invocation.diagnostics, known_names(session->catalog), &is_named);
  sort_records(answer, invocation);
  if (invocation.diagnostics.has_errors()) return diag::ExitCode::usage;
  return invocation.print(view_show(answer), diag::ExitCode::answered);
}

}  // namespace

extern const CommandSpec cmd_catalog_show;
constinit const CommandSpec cmd_catalog_show{
    "catalog show",
    "everything about an instance or an offer",
    "Every figure of the offers named, with source and age.",
    kExamples,
    {"NAME", "offers or instances, such as aws/p5.48xlarge", 100},
    &offer_list_options,
    &run};

}  // namespace gpusel::cli
