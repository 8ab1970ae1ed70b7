// The search over layouts of one machine, memory first.
#pragma once

#include "request.h"

#include <vector>

namespace gpusel::workload::serving {

/// A layout that fits in memory, on groups of `span` nodes.
struct Fitting {
  Layout layout;
  int span = 1;       // nodes of one replica
  units::Bytes pool;  // for the cache, on each GPU
  double most = 0;    // sequences of prompt and answer that the cache holds and the engine runs
};

/// One fitting layout at work.
struct Option {
  Fitting fitting;
  int replicas = 0;
  Operating at;          // with the load in hand
  double sequences = 0;  // most running sequences of a replica within the limits
  double capacity = 0;  // requests/s (clients, for a closed load) of all replicas within the limits
  double rate = 0;      // requests/s of all replicas with the load in hand
};

class Planner {
 public:
  /// `request` and `machine` must outlive it.
  Planner(const Request& request, const estimate::Machine& machine);

  [[nodiscard]] const Request& request() const { return request_; }
  /// What the engine and the weight format rule out on this GPU.
  [[nodiscard]] const std::optional<estimate::DoesNotFit>& blocked() const { return blocked_; }
  /// What is missing to say anything but memory.
  [[nodiscard]] const std::optional<estimate::DoesNotFit>& unknown() const { return unknown_; }
  /// The layouts that fit on the fewest nodes (at most `nodes`); empty where none does.
  [[nodiscard]] std::vector<Fitting> fitting(int nodes) const;
  /// The replica that a layout makes.
  [[nodiscard]] Replica replica(const Layout& layout, int span) const;
  /// What the engine may fill of each GPU.
  [[nodiscard]] units::Bytes capacity() const;
  [[nodiscard]] ServingMemory memory(const Replica& replica, double sequences) const;
  [[nodiscard]] const Weights& weights() const { return weights_; }
  [[nodiscard]] const Device& device() const { return device_; }
  [[nodiscard]] int replicas(const Fitting& fitting, int nodes) const;

  /// What the layout carries on so many nodes; capacity 0 where the limits are missed.
  [[nodiscard]] Option carry(const Fitting& fitting, int nodes) const;
  /// The same with the load in hand.
  [[nodiscard]] Option with_load(Option option) const;
  /// The fewest nodes on which one of the layouts carries the load; nullopt where none can.
  [[nodiscard]] std::optional<int> fewest_nodes(const std::vector<Fitting>& fitting) const;

  /// What the layout that needs the least needs, where none fits on so many nodes.
  [[nodiscard]] estimate::DoesNotFit memory_misfit(int nodes) const;

  [[nodiscard]] estimate::Verdict<Option> search(SearchCount& count) const;

 private:
  [[nodiscard]] bool splits(int tensor) const;
  [[nodiscard]] int most_tensor() const;
  [[nodiscard]] std::vector<Layout> layouts(int span) const;
  void add_expert_layouts(int tensor, std::vector<Layout>& all) const;
  [[nodiscard]] bool fits(const Replica& replica, units::Bytes pool) const;
  /// Never below the capacity that carry() finds.
  [[nodiscard]] double most_capacity(const Fitting& fitting, int nodes) const;
  [[nodiscard]] double nodes_for_load(const Fitting& fitting, int replicas, double capacity) const;
  [[nodiscard]] double within_limits(const Replica& replica, double most) const;
  [[nodiscard]] bool meets(const Operating& at) const;
  [[nodiscard]] estimate::DoesNotFit too_slow(const std::vector<Fitting>& fitting) const;
  [[nodiscard]] estimate::DoesNotFit too_small(const std::vector<Fitting>& fitting) const;

  const Request& request_;
  const estimate::Machine& machine_;
  std::optional<estimate::DoesNotFit> blocked_;
  std::optional<estimate::DoesNotFit> unknown_;  // of speed, not of memory
  Weights weights_;
  Device device_;
};

}  // namespace gpusel::workload::serving
