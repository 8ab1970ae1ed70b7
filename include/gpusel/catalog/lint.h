// What `catalog check` knows beyond the catalog itself, from files of kind `lint`: how providers
// name their instances, how early they warn of an interruption, and which GPUs have unusual ratios
// of peak rates.
#pragma once

#include "gpusel/catalog/gpu.h"
#include "gpusel/catalog/provenance.h"
#include "gpusel/units/units.h"

#include <string>
#include <vector>

namespace gpusel::catalog {

/// A series of a provider's instances: what their ids look like and which GPUs they have.
struct Family {
  std::string provider;
  std::string family;             // as it stands in the id between other signs: gn7i
  std::string pattern;            // glob of the whole id: ecs.gn7i-*
  std::vector<std::string> also;  // other globs
  std::vector<GpuId> gpus;        // any of them
  std::vector<std::string> source;
  Provenance provenance;
};

/// The documented warning of a provider before it takes a spot instance back.
struct KnownNotice {
  std::string provider;
  units::Seconds notice;
  std::vector<std::string> source;
  Provenance provenance;
};

/// GPUs whose peak rates of two number formats have another ratio than usual, and why.
struct PeakException {
  std::string gpu;  // glob of ids
  NumberFormat format = NumberFormat::bf16;
  NumberFormat over = NumberFormat::fp16;
  double times = 1;
  std::string reason;
  Provenance provenance;
};

}  // namespace gpusel::catalog
