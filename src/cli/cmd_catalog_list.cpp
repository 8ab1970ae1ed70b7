#include "command.h"
#include "records.h"

namespace gpusel::cli {
namespace {

constexpr std::string_view kExamples[] = {
    "catalog list --gpu h100 --purchase on-demand --sort price.usd_per_hour",
    "catalog list --provider aws --region eu-west-1 --gpu-count 8",
    "catalog list --like p4d.24xlarge --format csv",
    "catalog list --group gpu --purchase on-demand",
    "catalog list --files --catalog mine",
};

constexpr std::string_view kGroups[] = {"provider", "gpu",      "region",
                                        "country",  "purchase", "virtualization"};
constexpr data::OptionSpec kGroup{
    "group", data::OptionKind::value,
    "WHAT",  "count and price range by provider, gpu, region, country, purchase or virtualization",
    kGroups, "Output"};
constexpr data::OptionSpec kFiles{"files", data::OptionKind::flag,
                                  "",      "the data files in force instead, and what they replace",
                                  {},      "Output"};

std::vector<data::OptionSpec> options() {
  std::vector<data::OptionSpec> all = offer_list_options();
  all.push_back(kGroup);
  all.push_back(kFiles);
  return all;
}

diag::ExitCode run(Invocation& invocation) {
  const data::OptionReader read(invocation.options, invocation.diagnostics);
  if (read.flag("files")) return list_records(kFileRecords, invocation);
  if (const auto by = read.choice_index("group", kGroups))
    return list_groups(kGroups[*by], invocation);
  if (invocation.diagnostics.has_errors()) return diag::ExitCode::usage;
  return list_records(kOfferRecords, invocation);
}

}  // namespace

extern const CommandSpec cmd_catalog_list;
constinit const CommandSpec cmd_catalog_list{
    "catalog list",
    "the offers of the catalog, with prices, sources and ages",
    "One row per instance, region and way of buying. The filters are those of recommend.",
    kExamples,
    {},
    &options,
    &run};

}  // namespace gpusel::cli
