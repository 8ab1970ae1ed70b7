#include "layout.h"

namespace gpusel::workload::llm {

std::array<int, kChoiceNames.size()> choices_of(const Layout& l) {
  return {l.tp,          l.pp,         l.dp,
          l.ep,          l.cp,         l.zero,
          l.micro_batch, l.interleave, static_cast<int>(l.recompute)};
}

Layout layout_of(const int* c) {
  return {c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], static_cast<Recompute>(c[8])};
}

}  // namespace gpusel::workload::llm
