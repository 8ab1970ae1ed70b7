#include "gpusel/workload/workload.h"

namespace gpusel::workload {
namespace {

struct ShortName {
  std::string_view name;
  std::string_view id;
};
constexpr ShortName kShortNames[] = {{"training", "llm-train"}, {"inference", "llm-inference"}};

}  // namespace

const WorkloadKind* find_kind(std::string_view name) {
  for (const ShortName& s : kShortNames) {
    if (s.name == name) name = s.id;
  }
  for (const WorkloadKind* kind : kinds()) {
    if (kind->id == name) return kind;
  }
  return nullptr;
}

}  // namespace gpusel::workload
