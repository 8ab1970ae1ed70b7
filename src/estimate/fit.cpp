#include "gpusel/estimate/fit.h"

#include "gpusel/units/format.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpusel::estimate {
namespace {

const LedgerLine* cache_of(const Estimate& estimate) {
  for (const Ledger& ledger : estimate.ledgers) {
    if (ledger.id != "memory") continue;
    const auto line = std::find_if(ledger.lines.begin(), ledger.lines.end(),
                                   [](const LedgerLine& l) { return l.id == "kv_cache"; });
    if (line != ledger.lines.end()) return &*line;
  }
  return nullptr;
}

}  // namespace

std::string_view name_of(Fit fit) {
  switch (fit) {
    case Fit::fits:
      return "fits";
    case Fit::borderline:
      return "borderline";
    case Fit::does_not_fit:
      break;
  }
  return "does_not_fit";
}

Judgement judge_fit(const Plan& plan, const Estimate& estimate, const Machine& machine) {
  if (machine.gpu == nullptr) return {};
  const Figures& f = plan.figures;
  const units::Bytes card = machine.gpu_memory();
  if (const LedgerLine* cache = cache_of(estimate)) {
    const units::Bytes left = f.capacity - (f.memory - units::bytes(cache->value));
    if (left >= card * kTightCache) return {};
    return {Fit::borderline,
            fmt::format("only {} of {} are left for the cache: a small error of the weights and "
                        "activations decides",
                        units::show_gib(left), units::show_gib(card))};
  }
  const units::Bytes high = f.memory * estimate.memory_high;
  if (high <= card) return {};
  return {Fit::borderline, fmt::format("memory may reach {} at the high end of its class, the GPU "
                                       "has {}",
                                       units::show_gib(high), units::show_gib(card))};
}

Judgement judge_misfit(const DoesNotFit& why) {
  if (why.least <= 0 || why.least > why.available) return {Fit::does_not_fit, ""};
  return {Fit::borderline, fmt::format("at the low end of its class it needs {}, which would fit: "
                                       "measure before you rule it out",
                                       units::show_gib(units::bytes(why.least)))};
}

}  // namespace gpusel::estimate
