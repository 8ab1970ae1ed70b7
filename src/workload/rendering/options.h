// The options of rendering.
#pragma once

#include "gpusel/data/option.h"

namespace gpusel::workload::rendering {

constexpr data::OptionSpec option(std::string_view name, std::string_view metavar,
                                  std::string_view help) {
  return {name, data::OptionKind::value, metavar, help, {}, "Workload"};
}
inline constexpr data::OptionSpec kOptions[] = {
    option("frames", "COUNT", "frames to draw"),
    option("frame-time", "TIME@GPU",
           "measured time of one frame, such as 12min@nvidia-rtx-a6000-48gb"),
    option("frame-fixed", "TIME",
           "part of it that no GPU speeds up: loading, BVH, compositing (default 0s)"),
    option("scene-memory", "SIZE", "GPU memory that the scene takes, as measured"),
    option("nodes", "N|auto", "nodes"),
    option("max-nodes", "N", "nodes at most (default 64)"),
    option("headroom", "SHARE", "share of each GPU's memory kept free (default 5%)")};

}  // namespace gpusel::workload::rendering
