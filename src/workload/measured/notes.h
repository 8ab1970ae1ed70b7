// What the prose of a row says that has no column of its own.
#pragma once

#include <optional>
#include <string_view>

namespace gpusel::workload::measured {

struct Notes {
  std::optional<double> rank;         // of adapters
  std::optional<double> mean_tokens;  // of samples that are not packed
  bool compiled = false;              // by torch.compile
  bool pure = false;                  // weights and states in 16 bits
  bool gptq = false;                  // frozen weights in 4 bits are GPTQ's
  bool offloads = false;              // states or activations to the host
};

/// `rank 16`, `mean about 210 tokens`, `longest Alpaca example`, `compile`, `pure bf16`, `GPTQ`,
/// `offload`.
Notes notes_of(std::string_view text);

}  // namespace gpusel::workload::measured
