// What the step-time and memory formulas see of a model, of a GPU, and of one replica.
#pragma once

#include "engine.h"
#include "format.h"

#include "gpusel/catalog/gpu.h"
#include "gpusel/estimate/machine.h"
#include "gpusel/units/units.h"
#include "gpusel/workload/model.h"

namespace gpusel::workload::serving {

/// A model. Parameters of a part are those of all its layers, unless they are called one's.
struct Shape {
  double layers = 0;
  double hidden = 0;
  double heads = 0;
  double ffn = 0;          // width of a dense feed-forward layer, or of the experts of one token
  double projections = 0;  // parameters of attention and recurrent layers
  double dense = 0;        // parameters of dense feed-forward layers
  double experts = 0;      // per layer
  double top_k = 0;
  double expert_layers = 0;
  double one_expert = 0;    // parameters
  double expert_fixed = 0;  // parameters of routers and shared experts
  double table = 0;         // parameters of one vocabulary table
  double tables = 2;        // copies held: one where input and output are tied
  double other = 0;         // norms, positions, parts outside the decoder
  double prompt_width = 0;  // key and value width of a head in prompt attention
  double latent_width =
      0;  // multiply-adds per head and cached token in latent decoding; 0: no latent attention
  double kv_heads = 1;
  double global_kv_heads = 1;
  KvShape kv;  // of 1 byte per value
};
Shape shape_of(const ModelCard& card);

/// How the GPUs of a replica are joined.
enum class Wiring { pcie, bridge, switched };

/// Rates of one GPU under one engine and format.
struct Device {
  units::Bytes memory;
  units::BytesPerSecond weight_read;
  units::BytesPerSecond plain_read;
  units::BytesPerSecond kv_read;
  units::FlopsPerSecond products;       // of the packed weights
  units::FlopsPerSecond wide_products;  // of weights left at 16 bits
  units::FlopsPerSecond table_products;
  units::FlopsPerSecond prompt_attention;
  units::FlopsPerSecond latent_attention;
  units::FlopsPerSecond scalar;
  units::FlopsPerSecond peak;  // dense, of the products' format
  Wiring wiring = Wiring::pcie;
  units::BytesPerSecond link;  // both directions
  int domain = 1;              // GPUs that the link joins
  double pcie_generation = 4;
  bool reduces_in_switch = false;
  bool fused_experts = false;
};
/// Nothing can be said where bandwidth or peak is not known (resource `curves`).
estimate::Verdict<Device> device_of(const catalog::Gpu& gpu, const Weights& weights,
                                    const Profile& profile);

/// How one replica is laid out over its GPUs.
struct Layout {
  int tensor = 1;
  int pipeline = 1;
  int data = 1;    // ranks of attention, each with its own sequences
  int expert = 1;  // groups of experts; divides tensor x data
  [[nodiscard]] int gpus() const { return tensor * pipeline * data; }
  friend bool operator==(const Layout&, const Layout&) = default;
};

/// The mean request.
struct Traffic {
  double prompt = 0;  // tokens
  double answer = 0;  // tokens
  double cached = 0;  // tokens of the prompt that a prefix cache holds
  /// Prompt tokens that are computed.
  [[nodiscard]] double fresh() const { return prompt - cached; }
  /// What a computed prompt token attends to on average.
  [[nodiscard]] double prompt_context() const { return cached + fresh() / 2; }
};

/// Speculative decoding by a draft head of one layer (as of EAGLE and of multi-token prediction).
struct Speculation {
  double drafted = 0;   // tokens per step and sequence; 0: none
  double accepted = 0;  // probability that a draft token is right, its forerunners given
  /// Tokens of a step: (1 - a^(k+1)) / (1 - a), Leviathan 2023 (arXiv 2211.17192), equation 1.
  [[nodiscard]] double tokens_per_step() const;
  /// What weights and cache grow by.
  [[nodiscard]] double memory_factor(double layers) const {
    return drafted > 0 ? (layers + 1) / layers : 1;
  }
};

/// The network between the nodes of one replica.
struct Hop {
  units::Seconds latency;
  units::BytesPerSecond bandwidth;
  int count = 0;  // boundaries between nodes that every token crosses
};

struct Replica {
  const Shape* shape = nullptr;
  const Device* device = nullptr;
  const Profile* profile = nullptr;
  Weights weights;
  double kv_value_bytes = 2;
  Layout layout;
  Traffic traffic;
  Speculation speculation;
  Hop hop;

  [[nodiscard]] double expert_group() const { return layout.tensor * layout.data; }
  /// Pieces that one expert is cut into.
  [[nodiscard]] double expert_shards() const;
};

/// Bytes of cache that one sequence of so many tokens takes, or reads per step, on one GPU of one
/// stage-less replica (all layers); key and value heads are replicated where there are fewer than
/// tensor ranks.
units::Bytes cache_bytes(const Replica& replica, double tokens);

}  // namespace gpusel::workload::serving
