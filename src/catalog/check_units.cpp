// Slips of units: bits for bytes, decimal for binary, one GPU for all.
#include "check.h"

#include "gpusel/units/format.h"

#include <fmt/format.h>

#include <map>
#include <tuple>

namespace gpusel::catalog {
namespace {

constexpr CodeInfo kBits{"catalog/bits-or-bytes", Severity::warning,
                         "a rate that is 8 times or an eighth of its neighbours'"};
constexpr CodeInfo kDecimal{"catalog/decimal-memory", Severity::warning,
                            "a GPU memory in GB where its family has GiB"};
constexpr CodeInfo kMemoryUnit{"catalog/memory-of-one-gpu", Severity::warning,
                               "a host memory that is the memory of one GPU"};
constexpr CodeInfo kCodes[] = {kBits, kDecimal, kMemoryUnit};

constexpr double kBitsPerByte = 8;

bool is_bit_slip(double value, double usual) {
  return near(value, usual * kBitsPerByte, kRounding) ||
         near(value * kBitsPerByte, usual, kRounding);
}

// Against GPUs of the same family; a sibling with another memory may differ, but not by 8.
void check_gpu_bandwidth(const Catalog& catalog, const Gpu& gpu, diag::Sink& sink) {
  if (!gpu.memory_bandwidth || gpu.family.empty() || gpu.is_slice()) return;
  std::vector<double> others;
  for (const Gpu& other : catalog.gpus) {
    if (&other == &gpu || other.family != gpu.family || other.vendor != gpu.vendor) continue;
    if (other.memory_bandwidth && !other.is_slice())
      others.push_back(in_bytes_per_second(*other.memory_bandwidth));
  }
  const double own = in_bytes_per_second(*gpu.memory_bandwidth);
  constexpr double kFar = 5;
  for (const double other : others) {
    if (own < other * kFar && other < own * kFar) return;
  }
  // Of two that disagree the smaller one is reported: bits were written as bytes.
  if (others.empty() || (others.size() == 1 && own > others.front())) return;
  sink.report(diag::finding(kBits, catalog.span_of(gpu.provenance, "memory_bandwidth"),
                            fmt::format("{} is far from the {} of its family",
                                        units::to_text(*gpu.memory_bandwidth),
                                        units::to_text(units::bytes_per_second(others.front()))))
                  .with_help("'Gbps' are bits, 'GB/s' are bytes"));
}

// Against the other sizes of its series with as many GPUs.
void check_network(const Catalog& catalog, diag::Sink& sink) {
  using Key = std::tuple<std::uint32_t, std::uint32_t, int, std::string>;
  std::map<Key, std::vector<const Instance*>> groups;
  for (const Instance& instance : catalog.instances) {
    const Hardware& h = catalog.hardware[instance.hardware];
    if (!h.gpu || !h.network) continue;
    groups[{instance.provider, *h.gpu, h.count, shape_of(instance.id.text())}].push_back(&instance);
  }
  const auto rate = [&](const Instance* i) {
    return in_gbps(*catalog.hardware[i->hardware].network);
  };
  constexpr std::size_t kEnough = 3;
  for (const auto& [key, group] : groups) {
    if (group.size() < kEnough) continue;
    std::vector<double> rates;
    for (const Instance* instance : group) rates.push_back(rate(instance));
    const double usual = median_of(rates);
    const auto alike = std::count_if(rates.begin(), rates.end(),
                                     [&](double r) { return near(r, usual, kRounding); });
    if (static_cast<std::size_t>(alike) + 1 < group.size()) continue;  // no common rate
    for (const Instance* instance : group) {
      if (!is_bit_slip(rate(instance), usual)) continue;
      sink.report(diag::finding(kBits, catalog.span_of(instance->provenance, "network"),
                                fmt::format("{:g} Gbps where its neighbours have {:g} Gbps",
                                            rate(instance), usual))
                      .with_help("'Gbps' are bits, 'GB/s' are bytes"));
    }
  }
}

bool is_whole(double value) { return std::abs(value - std::round(value)) < 1e-6; }

void check_labels(const Catalog& catalog, const Gpu& gpu, diag::Sink& sink) {
  if (gpu.family.empty() || gpu.is_slice()) return;
  const bool decimal = is_whole(in_gb(gpu.memory)) && !is_whole(in_gib(gpu.memory));
  if (!decimal) return;
  std::size_t binary = 0;
  for (const Gpu& other : catalog.gpus) {
    if (&other == &gpu || other.is_slice() || other.family != gpu.family) continue;
    if (!is_whole(in_gib(other.memory))) return;
    ++binary;
  }
  if (binary == 0) return;
  sink.report(diag::finding(kDecimal, catalog.span_of(gpu.provenance, "memory"),
                            fmt::format("{} is decimal, the rest of its family is binary",
                                        units::to_text(gpu.memory)))
                  .with_help(fmt::format("the label says GB and means GiB: write {:g} GiB",
                                         std::round(in_gb(gpu.memory)))));
}

// A column of GPU memory that was read as that of the host.
void check_host_memory(const Catalog& catalog, const Instance& instance, diag::Sink& sink) {
  const Hardware& h = catalog.hardware[instance.hardware];
  const Gpu* gpu = catalog.gpu_of(h);
  if (gpu == nullptr || !h.memory || h.count < 2 || gpu->is_slice()) return;
  const bool one = near(in_bytes(*h.memory), in_bytes(gpu->memory), 1e-3);
  if (!one || !is_data_centre(*gpu)) return;
  sink.report(diag::finding(kMemoryUnit, catalog.span_of(instance.provenance, "memory"),
                            fmt::format("{} of host memory is the memory of one of its {} GPUs",
                                        units::to_text(*h.memory), h.count))
                  .with_help("'memory' is that of the host; 'gpu_memory' that of all GPUs"));
}

void run(const CheckContext& context, diag::Sink& sink) {
  const Catalog& catalog = context.catalog;
  for (const Gpu& gpu : catalog.gpus) {
    check_gpu_bandwidth(catalog, gpu, sink);
    check_labels(catalog, gpu, sink);
  }
  check_network(catalog, sink);
  for (const Instance& instance : catalog.instances) check_host_memory(catalog, instance, sink);
}

}  // namespace

extern const Check check_units;
constinit const Check check_units{"units", "bits and bytes, GB and GiB, one GPU and all", kCodes,
                                  &run};

}  // namespace gpusel::catalog
