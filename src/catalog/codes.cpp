#include "gpusel/catalog/catalog.h"

namespace gpusel::catalog {
namespace {

constexpr diag::CodeInfo kCodes[] = {
    {"catalog/unknown-gpu", diag::Severity::error, "a GPU that is not in the catalog"},
    {"catalog/unknown-fabric", diag::Severity::error, "a fabric that is not in the catalog"},
    {"catalog/unknown-instance", diag::Severity::error,
     "a row for an instance that the file does not have"},
    {"catalog/unknown-region", diag::Severity::error,
     "a row for a region that the file does not have"},
    {"catalog/unknown-source", diag::Severity::error,
     "a record whose source the file does not have"},
    {"catalog/duplicate-name", diag::Severity::error, "a name that stands twice"},
    {"catalog/gpu-count", diag::Severity::error, "a GPU without a count, or a count without a GPU"},
    {"catalog/bad-tariff", diag::Severity::error,
     "a tariff whose price does not fit what is paid for"},
    {"catalog/patch-conflict", diag::Severity::error, "a field that two patches of one root set"},
    {"catalog/unused-patch", diag::Severity::warning, "a patch that selects nothing"},
    {"catalog/no-exchange-rate", diag::Severity::error,
     "a price in a currency without an exchange rate"},
};

}  // namespace

diag::CodeTable loader_codes() { return {"links", kCodes}; }

}  // namespace gpusel::catalog
