// The most that a plan carries, and what stands in the way of more.
#pragma once

#include "planner.h"

namespace gpusel::workload::serving {

/// What keeps a replica from carrying more.
enum class Binding { memory, engine, ttft, tpot, compute };
std::string_view name_of(Binding binding);

/// What binds a replica at its largest load within the limits.
Binding binding_of(const Request& request, const Replica& replica, const Option& most);

/// Requests per second of all replicas at that load.
double requests_at_most(const Request& request, const Replica& replica, const Option& most);

/// `most` is what Planner::carry says of the replica's layout.
estimate::ServiceCapacity capacity_of(const Request& request, const Replica& replica,
                                      const Option& most);

}  // namespace gpusel::workload::serving
