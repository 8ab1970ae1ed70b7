// The facts that the shipped rules speak of, and values for them by name.
#pragma once

#include "gpusel/rules/fact.h"

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gpusel::rules::test {

inline constexpr std::string_view kPurchases[] = {"on-demand", "spot", "reserved-1m", "reserved-1y",
                                                  "reserved-3y"};
inline constexpr std::string_view kVirtualizations[] = {"vm", "bare-metal", "vgpu", "container"};
inline constexpr std::string_view kConfidences[] = {
    "verified", "derived", "mixed", "secondary", "recalled", "estimated", "unverified"};
inline constexpr std::string_view kWorkloads[] = {"llm-train", "llm-inference", "rendering"};
inline constexpr std::string_view kDtypes[] = {"auto", "fp32",  "tf32", "fp16", "bf16",
                                               "fp8",  "nvfp4", "int8", "int4"};

inline constexpr FactSpec kFacts[] = {
    {"offer.id", FactType::text, Stage::offer, "the offer"},
    {"offer.provider", FactType::text, Stage::offer, "the provider"},
    {"offer.instance", FactType::text, Stage::offer, "the instance"},
    {"offer.region", FactType::text, Stage::offer, "the provider's name of the region"},
    {"offer.country", FactType::text, Stage::offer, "ISO 3166 alpha-2"},
    {"offer.purchase", FactType::text, Stage::offer, "the way of buying", kPurchases},
    {"offer.virtualization", FactType::text, Stage::offer, "what the instance is",
     kVirtualizations},
    {"offer.gpu.id", FactType::text, Stage::offer, "the GPU"},
    {"offer.gpu.family", FactType::text, Stage::offer, "h100, …"},
    {"offer.gpu.vendor", FactType::text, Stage::offer, "nvidia, amd, …"},
    {"offer.gpu.count", FactType::number, Stage::offer, "GPUs of one instance"},
    {"offer.gpu.memory", FactType::size, Stage::offer, "memory of one GPU"},
    {"offer.gpu.compute_capability", FactType::number, Stage::offer, "8.0, 9.0; NVIDIA only"},
    {"offer.gpu.bf16", FactType::boolean, Stage::offer, "has a dense BF16 rate"},
    {"offer.gpu.fp8", FactType::boolean, Stage::offer, "has a dense FP8 rate"},
    {"offer.gpu.slice", FactType::boolean, Stage::offer, "is a slice of a GPU"},
    {"offer.gpu.rt_cores", FactType::boolean, Stage::offer, "has ray tracing hardware"},
    {"offer.gpu.architecture", FactType::text, Stage::offer, "ampere, hopper, cdna3, …"},
    {"offer.gpu.link", FactType::boolean, Stage::offer, "joined by more than PCIe"},
    {"offer.network.bandwidth", FactType::bandwidth, Stage::offer, "of the whole instance"},
    {"offer.network.fabric", FactType::text, Stage::offer, "the fabric"},
    {"offer.network.gpu_direct", FactType::boolean, Stage::offer,
     "moves GPU memory without the host"},
    {"offer.price.age", FactType::duration, Stage::offer, "age of the price"},
    {"offer.price.confidence", FactType::text, Stage::offer, "how sure the price is", kConfidences},
    {"offer.interruption", FactType::share, Stage::offer, "monthly share reclaimed, upper end"},
    {"offer.interruption_low", FactType::share, Stage::offer, "monthly share reclaimed, lower end"},
    {"workload.kind", FactType::text, Stage::offer, "the kind of workload", kWorkloads},
    {"workload.trains", FactType::boolean, Stage::offer, "is a training run"},
    {"workload.service", FactType::boolean, Stage::offer, "runs on without an end"},
    {"workload.dtype", FactType::text, Stage::offer, "as asked", kDtypes},
    {"workload.checkpointing", FactType::boolean, Stage::offer, "writes checkpoints"},
    {"workload.scene_memory", FactType::size, Stage::offer, "memory of a scene"},
    {"cluster.nodes", FactType::number, Stage::machine, "nodes"},
    {"cluster.gpus", FactType::number, Stage::machine, "GPUs of all nodes"},
    {"cluster.replicas", FactType::number, Stage::plan, "copies of the model"},
    {"cluster.tp", FactType::number, Stage::plan, "tensor parallel degree"},
    {"cluster.pp", FactType::number, Stage::plan, "pipeline parallel degree"},
    {"cluster.dp", FactType::number, Stage::plan, "data parallel degree"},
    {"estimate.memory_per_gpu", FactType::size, Stage::plan, "memory needed on a GPU"},
    {"estimate.memory_share", FactType::share, Stage::plan, "of the usable memory"},
    {"estimate.duration", FactType::duration, Stage::plan, "wall time"},
    {"estimate.mfu", FactType::share, Stage::plan, "model FLOPs utilisation"},
    {"cost.total", FactType::money, Stage::cost, "cost of the whole job"},
    {"cost.per_hour", FactType::price, Stage::cost, "of all nodes"},
};

/// Values by name; a fact without one is unknown.
class Values {
 public:
  Values() = default;
  explicit Values(std::map<std::string, FactValue, std::less<>> values)
      : values_(std::move(values)) {
    for (const auto& [name, value] : values_) {
      bool known = false;
      for (const FactSpec& fact : kFacts) known = known || fact.name == name;
      if (!known) throw std::invalid_argument("no fact " + name);
    }
  }
  [[nodiscard]] Facts facts() const { return {this, &get}; }

 private:
  static FactValue get(const void* subject, std::size_t fact) {
    const auto& values = static_cast<const Values*>(subject)->values_;
    const auto found = values.find(kFacts[fact].name);
    return found == values.end() ? FactValue() : found->second;
  }

  std::map<std::string, FactValue, std::less<>> values_;
};

}  // namespace gpusel::rules::test
