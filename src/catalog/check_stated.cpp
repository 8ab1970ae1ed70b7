// Figures that a page states although they follow from others: they must agree.
#include "check.h"

#include "gpusel/base/text.h"
#include "gpusel/units/format.h"

#include <fmt/format.h>

#include <array>

namespace gpusel::catalog {
namespace {

constexpr CodeInfo kMemory{"catalog/gpu-memory", Severity::error,
                           "a stated GPU memory that is not that of the GPUs"};
constexpr CodeInfo kBandwidth{"catalog/gpu-bandwidth", Severity::error,
                              "a stated memory bandwidth that is not that of the GPU"};
constexpr CodeInfo kPeak{"catalog/gpu-peak", Severity::error,
                         "a stated peak rate that is not that of the GPU"};
constexpr CodeInfo kPorts{"catalog/network-ports", Severity::error,
                          "ports that do not add up to the network rate"};
constexpr CodeInfo kGeneration{"catalog/infiniband-generation", Severity::error,
                               "an InfiniBand generation with the rate of another"};
constexpr CodeInfo kPower{"catalog/power", Severity::error,
                          "a server with less power than its GPUs take"};
constexpr CodeInfo kPowerFloor{"catalog/power-floor", Severity::warning,
                               "a server with little power beside that of its GPUs"};
constexpr CodeInfo kCodes[] = {kMemory,     kBandwidth, kPeak,      kPorts,
                               kGeneration, kPower,     kPowerFloor};

// What a wrong figure mostly is: of one GPU instead of all, or the reverse.
std::string likely_slip(double stated, double right, int count) {
  if (count > 1 && near(stated * count, right, kRounding)) return "this is the figure of one GPU";
  if (count > 1 && near(stated, right * count, kRounding)) return "this is the sum of all GPUs";
  if (near(stated, right * 8, kRounding)) return "bits were taken for bytes";
  if (near(stated * 8, right, kRounding)) return "bytes were taken for bits";
  if (near(stated, right * 2, kRounding)) return "this is twice the figure: sparse or both ways";
  return "correct the figure, the GPU or the count";
}

void check_memory(const Subject& s, const Gpu& gpu) {
  const auto& stated = s.instance.stated.gpu_memory;
  if (!stated) return;
  constexpr double kBinary = units::kGibi / units::kGiga;  // pages write GB for GiB
  const double all = in_bytes(gpu.memory) * s.hardware.count;
  const double value = in_bytes(*stated);
  if (near(value, all, kRounding) || near(value * kBinary, all, kRounding)) return;
  s.report(
      kMemory, "gpu_memory",
      fmt::format("{} of GPU memory, but {} x {} have {}", units::to_text(*stated),
                  s.hardware.count, gpu.id.text(), units::to_text(units::bytes(all))),
      likely_slip(value * (near(value * kBinary * s.hardware.count, all, kRounding) ? kBinary : 1),
                  all, s.hardware.count));
}

void check_bandwidth(const Subject& s, const Gpu& gpu) {
  const auto& stated = s.instance.stated.gpu_memory_bandwidth;
  if (!stated || !gpu.memory_bandwidth) return;
  const double value = in_bytes_per_second(*stated);
  const double right = in_bytes_per_second(*gpu.memory_bandwidth);
  if (near(value, right, kRounding)) return;
  s.report(kBandwidth, "gpu_memory_bandwidth",
           fmt::format("{} of memory bandwidth, but '{}' has {}", units::to_text(*stated),
                       gpu.id.text(), units::to_text(*gpu.memory_bandwidth)),
           near(value, right * s.hardware.count, kRounding) && s.hardware.count > 1
               ? "this is the sum of all GPUs; write that of one"
               : likely_slip(value, right, 1));
}

void check_peaks(const Subject& s, const Gpu& gpu) {
  for (const auto& [name, format] : data::EnumNames<NumberFormat>::kNames) {
    const auto stated = s.instance.stated.gpu_peak[format];
    const auto right = gpu.peak[format];
    if (!stated || (right && near(in_tflops(*stated), in_tflops(*right), kRounding))) continue;
    s.report(kPeak, "gpu_peak",
             fmt::format("{} {} of peak rate, but '{}' has {}", units::to_text(*stated), name,
                         gpu.id.text(), right ? units::to_text(*right) : "none"),
             right ? likely_slip(in_tflops(*stated), in_tflops(*right), s.hardware.count)
                   : "the GPU table has no rate of this format");
  }
}

// Per port: IBTA roadmap, 4x links.
double rate_of(InfinibandGeneration generation) {
  constexpr std::array<double, 4> kGbps = {100, 200, 400, 800};
  return kGbps[static_cast<std::size_t>(generation)];
}

void check_network(const Subject& s) {
  const auto& ports = s.instance.stated.network_ports;
  if (!ports) return;
  const double gbps = in_gbps(ports->rate);
  if (s.hardware.network && !near(gbps * ports->count, in_gbps(*s.hardware.network), kRounding)) {
    s.report(kPorts, "network_ports",
             fmt::format("{} x {:g} Gbps are {:g} Gbps, but the network has {:g} Gbps",
                         ports->count, gbps, gbps * ports->count, in_gbps(*s.hardware.network)),
             "'network' is the rate of all ports together");
  }
  if (!ports->generation || near(gbps, rate_of(*ports->generation), kRounding)) return;
  s.report(kGeneration, "network_ports",
           fmt::format("{} InfiniBand has {:g} Gbps per port, not {:g}",
                       data::name_of(*ports->generation), rate_of(*ports->generation), gbps),
           "EDR is 100, HDR 200, NDR 400 and XDR 800 Gbps");
}

void check_power(const Subject& s, const Gpu& gpu) {
  const auto& stated = s.instance.stated.power;
  if (!stated || !gpu.tdp) return;
  // Fans, processors, memory and NICs: no 8-GPU server of 2020 to 2026 is below 1.4 times its GPUs
  // (user guides of DGX A100 6.5 kW, DGX H100 10.2 kW, DGX B200 14.3 kW).
  constexpr double kServer = 1.4;
  constexpr int kBoard = 8;
  const double gpus = in_watts(*gpu.tdp) * s.hardware.count;
  const std::string message = fmt::format("{} for {} GPUs of {}", units::to_text(*stated),
                                          s.hardware.count, units::to_text(*gpu.tdp));
  if (in_watts(*stated) < gpus) {
    s.report(kPower, "power", message, fmt::format("the GPUs alone take up to {:g} W", gpus));
  } else if (s.hardware.count >= kBoard && gpu.form_factor == "sxm" &&
             in_watts(*stated) < kServer * gpus) {
    s.report(kPowerFloor, "power", message,
             fmt::format("servers of this kind take {:g} W and more", kServer * gpus));
  }
}

void run(const CheckContext& context, diag::Sink& sink) {
  const Catalog& catalog = context.catalog;
  for (const Instance& instance : catalog.instances) {
    const Hardware& hardware = catalog.hardware[instance.hardware];
    const Subject subject{catalog, instance, hardware, sink};
    check_network(subject);
    const Gpu* gpu = catalog.gpu_of(hardware);
    if (gpu == nullptr) continue;
    check_memory(subject, *gpu);
    check_bandwidth(subject, *gpu);
    check_peaks(subject, *gpu);
    check_power(subject, *gpu);
  }
}

}  // namespace

extern const Check check_stated;
constinit const Check check_stated{
    "stated", "figures of a page agree with the GPU table and with each other", kCodes, &run};

}  // namespace gpusel::catalog
