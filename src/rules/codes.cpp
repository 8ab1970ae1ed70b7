#include "gpusel/rules/codes.h"

namespace gpusel::rules {
namespace {

constexpr diag::CodeInfo kCodes[] = {
    {"rule/syntax", diag::Severity::error, "a condition that cannot be read"},
    {"rule/type", diag::Severity::error, "an operator between values that it cannot take"},
    {"rule/unknown-fact", diag::Severity::error, "a fact that does not exist"},
    {"rule/unknown-value", diag::Severity::error, "a value that the fact never has"},
    {"rule/too-complex", diag::Severity::error, "a condition beyond the limits"},
    {"rule/bad-by", diag::Severity::error, "a share that is missing, not allowed or out of range"},
    {"rule/missing-example", diag::Severity::error, "a rule without an example on both sides"},
    {"rule/example-failed", diag::Severity::error, "an example that does not come out as it says"},
};

}  // namespace

diag::CodeTable rule_codes() { return {"rules", kCodes}; }

}  // namespace gpusel::rules
