#include "gpusel/workload/codes.h"

namespace gpusel::workload {
namespace {

constexpr diag::CodeInfo kCodes[] = {
    {"model/bad-shape", diag::Severity::error, "a figure of a model that cannot be"},
    {"model/params-mismatch", diag::Severity::warning,
     "stated parameters that the shape does not give"},
    {"model/unknown-source", diag::Severity::error, "a model whose source the file does not have"},
    {"model/duplicate-name", diag::Severity::error, "a name of two models"},
    {"model/bad-config", diag::Severity::error, "a value of a config.json that cannot be used"},
    {"model/missing-key", diag::Severity::error, "a key that a config.json lacks"},
    {"model/not-a-decoder", diag::Severity::error, "a model that is no decoder"},
    {"engine/unknown-profile", diag::Severity::error, "a profile that the engine does not have"},
    {"engine/unknown-format", diag::Severity::error, "a format of weights that does not exist"},
    {"framework/bad-figure", diag::Severity::error, "a figure of a framework that is out of range"},
    {"calibration/bad-factor", diag::Severity::error, "a factor of a calibration out of range"},
    {"scores/not-positive", diag::Severity::error, "a score of zero or less"},
    {"workload/bad-api-price", diag::Severity::error, "a list price of zero or less"},
    {"workload/unknown", diag::Severity::error, "a preset of a workload that does not exist"},
    {"option/bad-value", diag::Severity::error, "a value that an option does not accept"},
    {"option/missing", diag::Severity::error, "an option that the work needs"},
    {"usage/unused-option", diag::Severity::error,
     "an option that belongs to another kind of work"},
};

}  // namespace

diag::CodeTable software_codes() { return {"software", kCodes}; }

}  // namespace gpusel::workload
