// What stands behind the figures of a serving plan.
#pragma once

#include "planner.h"

namespace gpusel::workload::serving {

/// Floating-point operations of one request.
struct RequestFlops {
  units::Flops prompt;
  units::Flops prompt_attention;
  units::Flops answer;
  units::Flops answer_attention;
};
inline constexpr estimate::Term<RequestFlops, units::Flops> kFlopsTerms[] = {
    {"prompt", "products of the prompt", &RequestFlops::prompt, "2 N_active T_in"},
    {"prompt_attention", "attention within the prompt", &RequestFlops::prompt_attention,
     "2 T_in (T_in / 2) L H d_kv"},
    {"answer", "products of the answer", &RequestFlops::answer, "2 N_active T_out"},
    {"answer_attention", "attention over the cache", &RequestFlops::answer_attention,
     "2 T_out (T_in + T_out / 2) L H d_kv"}};
RequestFlops request_flops(const Request& request);

struct Explained {
  const Request& request;
  const estimate::Machine& machine;
  const Replica& replica;
  const Option& most;    // at the largest load within the limits
  const Option& option;  // at the load in hand
  const ServingMemory& memory;
  units::Bytes capacity;
  units::Bytes pool;
};
estimate::Estimate explain_serving(const Explained& e);

}  // namespace gpusel::workload::serving
