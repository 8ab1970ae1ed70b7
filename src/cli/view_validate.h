// The answer of `validate`.
#pragma once

#include "gpusel/report/document.h"
#include "gpusel/workload/measured.h"

#include <string>
#include <vector>

namespace gpusel::cli {

enum class RowDetail { counted, listed };

struct ValidateAnswer {
  std::string file;
  std::string fingerprint;  // of the data in force
  workload::MeasuredKind kind = workload::MeasuredKind::training;
  workload::By by = workload::By::kind;
  std::vector<workload::MeasuredRow> rows;
  RowDetail detail = RowDetail::counted;
};
report::Document view_validate(const ValidateAnswer& answer);

}  // namespace gpusel::cli
