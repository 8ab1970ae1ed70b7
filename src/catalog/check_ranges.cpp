// Figures that no machine has: wrong units show here.
#include "check.h"

#include "gpusel/units/format.h"

#include <fmt/format.h>

namespace gpusel::catalog {
namespace {

using units::Bytes;

constexpr CodeInfo kOutOfRange{"catalog/out-of-range", Severity::error,
                               "a figure that no machine of our time has"};
constexpr CodeInfo kCodes[] = {kOutOfRange};

template <class Q>
struct Bounds {
  Q low;
  Q high;
};

// Generous limits around everything sold since 2014; a figure outside is a slip of unit or of
// digits.
constexpr Bounds<Bytes> kGpuMemory{units::gb(1), units::gb(1000)};
constexpr Bounds<units::BytesPerSecond> kMemoryBandwidth{units::gb_per_second(50),
                                                         units::gb_per_second(30000)};
constexpr Bounds<units::Watts> kTdp{units::watts(20), units::watts(3000)};
constexpr Bounds<Bytes> kHostMemory{units::gb(1), units::gb(64000)};
constexpr Bounds<units::BytesPerSecond> kNetwork{units::gbps(0.1), units::gbps(28800)};
constexpr int kMostGpus = 72;

template <class Q>
void expect(std::string_view what, const std::optional<Q>& value, const Bounds<Q>& bounds,
            const diag::Span& span, diag::Sink& sink) {
  if (!value || (*value >= bounds.low && *value <= bounds.high)) return;
  sink.report(diag::finding(kOutOfRange, span,
                            fmt::format("{} of {} is out of range", what, units::to_text(*value)))
                  .with_help(fmt::format("expected {} to {}; check the unit",
                                         units::to_text(bounds.low), units::to_text(bounds.high))));
}

void check_gpu(const Gpu& gpu, const Catalog& catalog, diag::Sink& sink) {
  const auto at = [&](std::string_view key) { return catalog.span_of(gpu.provenance, key); };
  expect("memory", std::optional(gpu.memory), kGpuMemory, at("memory"), sink);
  // A slice may have any small share of its GPU's bandwidth and power.
  if (!gpu.is_slice()) {
    expect("memory_bandwidth", gpu.memory_bandwidth, kMemoryBandwidth, at("memory_bandwidth"),
           sink);
    expect("tdp", gpu.tdp, kTdp, at("tdp"), sink);
  }
  constexpr double kLeastShare = 0.85;
  constexpr double kMostShare = 1.08;  // labels that mean GiB although they say GB
  if (!gpu.usable_memory) return;
  const double share = *gpu.usable_memory / gpu.memory;
  if (share >= kLeastShare && share <= kMostShare) return;
  sink.report(diag::finding(kOutOfRange, at("usable_memory"),
                            fmt::format("usable_memory is {:.0f} % of memory", share * 100))
                  .with_help("expected 85 to 108 %; check GB against GiB"));
}

void run(const CheckContext& context, diag::Sink& sink) {
  const Catalog& catalog = context.catalog;
  for (const Gpu& gpu : catalog.gpus) check_gpu(gpu, catalog, sink);
  for (const Instance& instance : catalog.instances) {
    const Hardware& h = catalog.hardware[instance.hardware];
    // Places are looked up for the few that are reported: instances are many.
    const auto expect_at = [&](std::string_view key, const auto& value, const auto& bounds) {
      if (!value || (*value >= bounds.low && *value <= bounds.high)) return;
      expect(key, value, bounds, catalog.span_of(instance.provenance, key), sink);
    };
    expect_at("memory", h.memory, kHostMemory);
    expect_at("network", h.network, kNetwork);
    if (h.count <= kMostGpus) continue;
    sink.report(diag::finding(kOutOfRange, catalog.span_of(instance.provenance, "count"),
                              fmt::format("count of {} GPUs is out of range", h.count))
                    .with_help("expected at most 72 GPUs in one instance"));
  }
}

}  // namespace

extern const Check check_ranges;
constinit const Check check_ranges{"ranges", "figures lie where machines of our time lie", kCodes,
                                   &run};

}  // namespace gpusel::catalog
