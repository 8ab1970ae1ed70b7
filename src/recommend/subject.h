// What a fact is read from: one offer, and what is known about it so far.
#pragma once

#include "gpusel/base/date.h"
#include "gpusel/catalog/catalog.h"
#include "gpusel/estimate/plan.h"
#include "gpusel/rules/fact.h"
#include "gpusel/units/units.h"
#include "gpusel/workload/workload.h"

#include <string>

namespace gpusel::recommend {

struct Subject {
  const catalog::Catalog* catalog = nullptr;
  const workload::Workload* work = nullptr;
  const catalog::Offer* offer = nullptr;
  Date as_of;
  int nodes = 0;                         // machine stage
  const estimate::Plan* plan = nullptr;  // plan stage
  units::Usd total;                      // cost stage
  units::UsdPerHour per_hour;
  mutable std::string id;  // built when a rule asks for it

  [[nodiscard]] const catalog::Hardware& hardware() const { return catalog->hardware_of(*offer); }
  [[nodiscard]] const catalog::Gpu* gpu() const { return catalog->gpu_of(hardware()); }
  [[nodiscard]] const catalog::Region* region() const {
    return offer->region ? &catalog->regions[*offer->region] : nullptr;
  }
};

/// The subject as facts for the rules.
rules::Facts facts_of(const Subject& subject);

/// Days since the price held; nullopt without a price or a date.
std::optional<int> price_age_days(const catalog::Offer& offer, Date as_of);

}  // namespace gpusel::recommend
