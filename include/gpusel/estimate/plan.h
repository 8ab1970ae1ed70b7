// Plan: how work is laid out on a machine, and the figures that follow.
#pragma once

#include "gpusel/base/expected.h"
#include "gpusel/catalog/gpu.h"
#include "gpusel/estimate/ledger.h"
#include "gpusel/units/units.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpusel::estimate {

/// Headline figures of a plan. Members that a kind has no use for stay zero; whether the work is a
/// job or a service says which of duration and throughput counts.
struct Figures {
  units::Bytes memory;               // per GPU, the peak
  units::Bytes capacity;             // per GPU, what may be used
  units::Bytes checkpoint;           // of the whole job
  units::Flops flops;                // of the whole job, or of one request
  units::Seconds step;               // training step, or one frame
  units::Seconds ttft;               // serving: time to first token
  units::Seconds tpot;               // serving: time per output token
  units::ItemsPerSecond throughput;  // tokens/s, requests/s or frames/s of the whole cluster
  units::ItemsPerSecond most;        // service: the same at the largest load within the limits
  units::Seconds duration;           // job: all of it; service: zero
  double mfu = 0;  // model FLOPs utilisation of the dense peak; 0 where it has no meaning
  int replicas = 1;
  catalog::NumberFormat format = catalog::NumberFormat::bf16;
};

/// The choices of a layout as small whole numbers; their names come from the kind's table.
inline constexpr std::size_t kMaxChoices = 12;
struct Plan {
  Figures figures;
  std::array<int, kMaxChoices> choices{};
};

/// Never above (below, for throughput-like figures) what the search finds on the same machine.
struct Bound {
  units::Bytes memory;  // per GPU, the least that any layout needs
  units::Seconds time;  // job: least duration; service: least time per unit of work
};

/// Why nothing fits: the resource, the figures and what would help.
struct DoesNotFit {
  std::string resource;  // gpu_memory, scene_memory, latency, throughput, network, dtype, curves
  double needed = 0;     // canonical units of the resource; 0 where it has none
  double available = 0;
  std::string text;  // "needs 18.3 GiB per GPU, has 14.7 GiB"
  std::string what_would_help;
  double least = 0;  // needed at the low end of the estimate's error; 0 where it has none
};

template <class T>
using Verdict = Expected<T, DoesNotFit>;

struct Assumption {
  std::string id;      // the field or constant: tokens, seq_len
  std::string text;    // for people: "20 tokens per parameter"
  std::string value;   // "200B"
  std::string source;  // "default", "arXiv 2203.15556"
};

template <class Q>
struct Range {
  Q low;
  Q value;
  Q high;
};

/// The two parts of a service's time to the first token, and how far each may be off.
struct FirstToken {
  Range<units::Seconds> prompt;   // handling and reading of the prompt alone
  Range<units::Seconds> waiting;  // for other requests
};

/// The most that the plan of a service carries within its limits, all replicas together.
struct ServiceCapacity {
  double requests = 0;               // per second
  units::ItemsPerSecond throughput;  // in the kind's unit of work
  double concurrency = 0;            // requests that are worked on at once
  std::string limit;                 // what keeps it from more: memory, engine, ttft, tpot, compute
  std::string text;                  // the same with its figures
};

/// A plan explained: the ledgers whose sums are the plan's figures, and what they rest on.
struct Estimate {
  std::vector<Ledger> ledgers;  // memory, time, flops
  double time_low = 1;          // factors on the time: the interval of its class
  double time_high = 1;
  double memory_low = 1;
  double memory_high = 1;
  std::string basis;  // measured, fitted or derived, and of what
  std::vector<Assumption> assumptions;
  std::optional<ServiceCapacity> capacity;  // of a service; none where nothing is known
  std::optional<FirstToken> first_token;    // the same
  double prompt_share = 0;  // of a service: share of the GPUs' time that prompts take
  /// The source documents' formulas, for comparison; zero where they say nothing.
  units::Bytes rule_of_thumb_memory;
  units::Flops rule_of_thumb_flops;
  std::string rule_of_thumb_note;  // one sentence: why ours differs
};

}  // namespace gpusel::estimate
