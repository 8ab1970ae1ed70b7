#include "command.h"
#include "records.h"

namespace gpusel::cli {
namespace {

constexpr std::string_view kExamples[] = {
    "catalog show p5.48xlarge",
    "catalog show aws/p5.48xlarge/us-east-1/spot --json",
};

diag::ExitCode run(Invocation& invocation) { return show_records(kOfferRecords, invocation); }

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
