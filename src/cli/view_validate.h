// The answer of `validate`.
#pragma once

#include "gpusel/estimate/plan.h"
#include "gpusel/report/document.h"
#include "gpusel/workload/measured.h"

#include <optional>
#include <string>
#include <vector>

namespace gpusel::cli {

enum class RowDetail { counted, listed };

/// A file of factors that the run wrote.
struct WrittenCalibration {
  std::string file;
  std::size_t factors = 0;
};

struct ValidateAnswer {
  std::string file;
  std::string fingerprint;  // of the data in force
  workload::MeasuredKind kind = workload::MeasuredKind::training;
  workload::By by = workload::By::kind;
  std::vector<workload::MeasuredRow> rows;
  RowDetail detail = RowDetail::counted;
  std::vector<estimate::Assumption> assumptions;  // factors of calibrations in force
  std::optional<WrittenCalibration> written;
};
report::Document view_validate(const ValidateAnswer& answer);

}  // namespace gpusel::cli
