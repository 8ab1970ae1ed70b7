#include "command.h"
#include "records.h"
#include "session.h"

namespace gpusel::cli {
namespace {

constexpr std::string_view kExamples[] = {
    "catalog list --gpu h100 --purchase on-demand --sort price.usd_per_hour",
    "catalog list --provider aws --region eu-west-1 --gpu-count 8",
    "catalog list --like p4d.24xlarge --format csv",
};

diag::ExitCode run(Invocation& invocation) {
  std::optional<Session> session = open_session(invocation);
  if (!session) return diag::ExitCode::bad_data;
  ListAnswer answer = offer_list(session->catalog, invocation, "catalog list");
  sort_records(answer, invocation);
  if (invocation.diagnostics.has_errors()) return diag::ExitCode::usage;
  return invocation.print(view_list(answer), diag::ExitCode::answered);
}

}  // namespace

extern const CommandSpec cmd_catalog_list;
constinit const CommandSpec cmd_catalog_list{
    "catalog list",
    "the offers of the catalog, with prices, sources and ages",
    "One row per instance, region and way of buying. The filters are those of recommend.",
    kExamples,
    {},
    &offer_list_options,
    &run};

}  // namespace gpusel::cli
