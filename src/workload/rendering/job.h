// Rendering: frames of one scene, each on one GPU, scaled from a measured frame by render scores.
#pragma once

#include "scores.h"

#include "gpusel/estimate/ledger.h"
#include "gpusel/workload/workload.h"

#include <memory>
#include <optional>
#include <vector>

namespace gpusel::workload::rendering {

/// What is to be drawn, resolved.
struct Job {
  double frames = 0;
  units::Seconds frame;  // measured on the reference GPU
  units::Seconds fixed;  // of it, what does not depend on the GPU
  GpuId reference;
  units::Bytes scene;
  double headroom = 0;  // share of each GPU kept free
  std::optional<int> nodes;
  int max_nodes = 64;
  ScoreTable scores;
  std::vector<Field> fields;
  std::vector<estimate::Assumption> assumptions;
  Traits traits;
};

/// Time of the whole job on a machine.
struct RenderTime {
  units::Seconds fixed;
  units::Seconds drawing;
};
inline constexpr estimate::Term<RenderTime, units::Seconds> kTimeTerms[] = {
    {"fixed", "loading and preparing frames", &RenderTime::fixed, "ceil(F / G) t_fix"},
    {"drawing", "drawing frames", &RenderTime::drawing,
     "ceil(F / G) (t_ref - t_fix) score_ref / score"}};

struct RenderMemory {
  units::Bytes scene;
};
inline constexpr estimate::Term<RenderMemory, units::Bytes> kMemoryTerms[] = {
    {"scene", "scene", &RenderMemory::scene, "as measured: geometry, textures, BVH"}};

/// Reports every fault; nullopt after one.
std::optional<Job> resolve(const data::OptionValues& values, const Context& context,
                           diag::Sink& sink);

std::unique_ptr<const Workload> make_rendering(Job job);

}  // namespace gpusel::workload::rendering
