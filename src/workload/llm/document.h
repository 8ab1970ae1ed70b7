// The formulas of the source documents, to the letter with their units mended: memory = params x 4
// + batch x sequence x 4 bytes, FLOP of a pass = params x 2 x sequence x batch, time = FLOP / (GPUs
// x dense peak).
#pragma once

#include "gpusel/units/units.h"
#include "gpusel/workload/workload.h"

#include <memory>
#include <string>
#include <vector>

namespace gpusel::workload::llm {

inline constexpr double kDocumentValueBytes = 4;
inline constexpr double kDocumentFlops = 2;

constexpr units::Bytes document_memory(double params, double sequence, double batch) {
  return units::bytes(params * kDocumentValueBytes + batch * sequence * kDocumentValueBytes);
}
constexpr units::Flops document_flops(double params, double sequence, double batch) {
  return units::flops(params * kDocumentFlops * sequence * batch);
}

/// What the formulas see of a piece of work.
struct DocumentWork {
  std::string kind;  // llm-train, llm-inference
  Nature nature = Nature::job;
  double params = 0;
  double sequence = 0;  // tokens
  double batch = 0;     // sequences of a pass
  double passes = 1;    // of a job: its steps
  std::string_view throughput_unit = "tokens/s";
  Traits traits;
  std::vector<Field> fields;
  std::vector<estimate::Assumption> assumptions;
  std::vector<int> node_counts;
};
std::unique_ptr<const Workload> make_document_workload(DocumentWork work);

}  // namespace gpusel::workload::llm
