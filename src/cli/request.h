// The choice options as a recommend::Request, and names of GPUs and instances on the command line.
#pragma once

#include "command.h"

#include "gpusel/catalog/catalog.h"
#include "gpusel/recommend/recommend.h"

#include <optional>
#include <string>

namespace gpusel::cli {

/// Every fault is reported; nullopt after one.
std::optional<recommend::Request> read_request(const catalog::Catalog& catalog,
                                               Invocation& invocation);

/// `[COUNTx]GPU|INSTANCE`, the value of an option such as `--on`: a hardware, and what it is
/// called.
struct Target {
  catalog::Hardware hardware;
  std::string name;  // "8 x nvidia-h100-sxm5-80gb", "aws/p5.48xlarge"
  bool bare_gpu = false;
};
std::optional<Target> read_target(const catalog::Catalog& catalog, std::string_view option,
                                  Invocation& invocation);

}  // namespace gpusel::cli
