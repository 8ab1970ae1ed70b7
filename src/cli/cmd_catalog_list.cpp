#include "command.h"
#include "records.h"

namespace gpusel::cli {
namespace {

constexpr std::string_view kExamples[] = {
    "catalog list --gpu h100 --purchase on-demand --sort price.usd_per_hour",
    "catalog list --provider aws --region eu-west-1 --gpu-count 8",
    "catalog list --like p4d.24xlarge --format csv",
};

diag::ExitCode run(Invocation& invocation) { return list_records(kOfferRecords, invocation); }

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
