// A replica at work under a load as given: what a published run is compared with. Nothing is
// searched.
#pragma once

#include "planner.h"

#include <optional>
#include <string_view>

namespace gpusel::workload::serving {

/// How a run was driven; docs/validate.md describes each.
enum class Drive { decode, prefill, single_stream, static_batch, closed_loop, open_rate, offline };

struct GivenRun {
  Layout layout;
  double replicas = 1;
  Drive drive = Drive::closed_loop;
  double sequences = 0;     // clients, or the batch; 0: as many as fit
  double rate = 0;          // requests/s of all replicas, of an open loop
  bool may_spread = false;  // offline: experts on data parallel ranks where that is faster
};

/// Figures of all replicas; empty where the load says nothing about it.
struct RunFigures {
  std::optional<units::Seconds> ttft;
  std::optional<units::Seconds> tpot;
  std::optional<units::Seconds> whole;  // a request, or a static batch
  std::optional<double> requests;       // per second
  std::optional<double> answers;        // output tokens per second
  std::optional<double> prompts;        // prompt tokens per second
  std::optional<units::Bytes> memory;   // per GPU
};

/// The planner must not be blocked.
RunFigures run_as_given(const Planner& planner, const GivenRun& run);

}  // namespace gpusel::workload::serving

template <>
struct gpusel::data::EnumNames<gpusel::workload::serving::Drive> {
  using E = gpusel::workload::serving::Drive;
  static constexpr std::array<std::pair<std::string_view, E>, 8> kNames = {
      {{"decode", E::decode},
       {"prefill", E::prefill},
       {"single-stream", E::single_stream},
       {"static-batch", E::static_batch},
       {"closed-loop", E::closed_loop},
       {"online-rate", E::open_rate},
       {"offline-max", E::offline},
       {"online-inf", E::offline}}};
};
