// What a service of a language model costs over a month: always on, scaled to zero, and against a
// metered API.
//
//   std::optional<ServiceCost> cost = service_cost(row, offer, *work.traits().tokens);
#pragma once

#include "gpusel/recommend/recommend.h"

#include <optional>

namespace gpusel::recommend {

/// One way of running the service for a month. A price per token is that of all tokens of its kind
/// in the month; the cost is split by the time of the GPUs.
struct RunningCost {
  units::Usd month;
  units::UsdPerItem input;
  units::UsdPerItem output;
};

/// The same load at a metered API.
struct ApiCost {
  units::Usd month;
  /// The load from which on the service costs less, in the cheaper way of running: requests per
  /// second while it is on, and prompt and answer tokens of a month.
  double break_even_requests = 0;
  double break_even_tokens = 0;
  bool within_capacity = false;  // the plan carries that load
  bool cheaper = false;          // the API, at the load in hand
};

struct ServiceCost {
  double requests = 0;      // per second, while the load is there
  double utilisation = 0;   // of what the plan carries, over the month
  double input_tokens = 0;  // of a month
  double output_tokens = 0;
  RunningCost always_on;
  /// Nothing runs outside the hours of the load; none under a commitment, which is paid anyway.
  std::optional<RunningCost> scale_to_zero;
  std::optional<ApiCost> api;
  [[nodiscard]] const RunningCost& cheapest() const {
    const bool scaled = scale_to_zero && scale_to_zero->month < always_on.month;
    return scaled ? *scale_to_zero : always_on;
  }
};

/// None where the estimate says nothing about the load.
std::optional<ServiceCost> service_cost(const Row& row, const catalog::Offer& offer,
                                        const workload::TokenService& service);

}  // namespace gpusel::recommend
