// Peak rates of GPUs: ratios between number formats, generations, and memory bandwidth.
#include "check.h"

#include "gpusel/base/text.h"
#include "gpusel/units/format.h"

#include <fmt/format.h>

#include <map>
#include <tuple>

namespace gpusel::catalog {
namespace {

using F = NumberFormat;

constexpr CodeInfo kRatio{"catalog/peak-ratio", Severity::warning,
                          "peak rates of two formats in an unusual ratio"};
constexpr CodeInfo kSparse{"catalog/sparse-peak", Severity::warning,
                           "a peak rate that looks like one with sparsity"};
constexpr CodeInfo kOlder{"catalog/slower-than-older", Severity::warning,
                          "a newer generation with less FP8 than an older one"};
constexpr CodeInfo kRoofline{"catalog/roofline", Severity::warning,
                             "an unusual ratio of peak rate to memory bandwidth"};
constexpr CodeInfo kNoFormat{"catalog/format-unsupported", Severity::error,
                             "a peak rate of a format that the architecture lacks"};
constexpr CodeInfo kCodes[] = {kRatio, kSparse, kOlder, kRoofline, kNoFormat};

void report(const CodeInfo& info, const Catalog& catalog, const Gpu& gpu, std::string_view key,
            std::string message, std::string help, diag::Sink& sink) {
  sink.report(diag::finding(info, catalog.span_of(gpu.provenance, key), std::move(message))
                  .with_help(std::move(help)));
}

// Matrix units double their rate with each halving of the format.
struct Usual {
  F format;
  F over;
  double times;
};
constexpr Usual kUsual[] = {{F::bf16, F::fp16, 1},
                            {F::bf16, F::tf32, 2},
                            {F::fp8, F::bf16, 2},
                            {F::int8, F::fp16, 2},
                            {F::fp4, F::fp8, 2}};
constexpr double kRatioTolerance = 0.05;  // tables print three digits

const PeakException* exception_of(const Catalog& catalog, const Gpu& gpu, const Usual& usual) {
  const auto found = std::find_if(
      catalog.peak_exceptions.begin(), catalog.peak_exceptions.end(), [&](const PeakException& e) {
        return e.format == usual.format && e.over == usual.over &&
               glob_match(e.gpu, gpu.slice_of ? gpu.slice_of->text() : gpu.id.text());
      });
  return found == catalog.peak_exceptions.end() ? nullptr : &*found;
}

void check_ratios(const Catalog& catalog, const Gpu& gpu, diag::Sink& sink) {
  for (const Usual& usual : kUsual) {
    const auto rate = gpu.peak[usual.format];
    const auto over = gpu.peak[usual.over];
    if (!rate || !over || *over <= units::tflops(0)) continue;
    const double ratio = *rate / *over;
    const PeakException* exception = exception_of(catalog, gpu, usual);
    const double wanted = exception == nullptr ? usual.times : exception->times;
    if (near(ratio, wanted, kRatioTolerance)) continue;
    const std::string text =
        fmt::format("{} is {:.3g} times {}, not {:g} times", data::name_of(usual.format), ratio,
                    data::name_of(usual.over), wanted);
    if (near(ratio, wanted * 2, kRatioTolerance)) {
      report(kSparse, catalog, gpu, "peak", text,
             "rates are dense: halve a figure that is meant for 2:4 sparsity", sink);
    } else {
      report(kRatio, catalog, gpu, "peak", text,
             "check both rates; where the part is built so, say it in a file of kind 'lint'", sink);
    }
  }
}

// A rate of twice that of a sibling with the same memory system is mostly its sparse figure.
void check_siblings(const Catalog& catalog, const Gpu& gpu, diag::Sink& sink) {
  if (gpu.family.empty() || gpu.is_slice()) return;
  for (const Gpu& sibling : catalog.gpus) {
    if (&sibling == &gpu || sibling.is_slice() || sibling.family != gpu.family) continue;
    if (sibling.vendor != gpu.vendor || sibling.form_factor != gpu.form_factor) continue;
    for (const F format : {F::bf16, F::fp16, F::fp8, F::int8}) {
      const auto own = gpu.peak[format];
      const auto other = sibling.peak[format];
      if (!own || !other || !near(*own / *other, 2, kRounding)) continue;
      return report(kSparse, catalog, gpu, "peak",
                    fmt::format("{} is twice that of its sibling '{}'", data::name_of(format),
                                sibling.id.text()),
                    "rates are dense: halve a figure that is meant for 2:4 sparsity", sink);
    }
  }
}

void check_roofline(const Catalog& catalog, const Gpu& gpu, diag::Sink& sink) {
  // 16-bit operations per byte of memory traffic: 26 (P50-class, MI50) to 560 (TPU v6e); parts for
  // inference alone reach 1,280.
  constexpr double kLeast = 15;
  constexpr double kMost = 1500;
  const auto rate = gpu.peak[F::fp16] ? gpu.peak[F::fp16] : gpu.peak[F::bf16];
  if (!rate || !gpu.memory_bandwidth || gpu.is_slice()) return;
  const double ratio = in_flops_per_second(*rate) / in_bytes_per_second(*gpu.memory_bandwidth);
  if (ratio >= kLeast && ratio <= kMost) return;
  report(kRoofline, catalog, gpu, "memory_bandwidth",
         fmt::format("{:.3g} operations per byte of memory bandwidth", ratio),
         fmt::format("GPUs have {:g} to {:g}; check the units of both", kLeast, kMost), sink);
}

// NVIDIA's compute capabilities: BF16 and TF32 from 8.0, FP8 from 8.9, FP4 from 10.0.
void check_formats(const Catalog& catalog, const Gpu& gpu, diag::Sink& sink) {
  const std::optional<double> capability = gpu.capability();
  if (!capability) return;
  struct Since {
    F format;
    double capability;
  };
  constexpr Since kSince[] = {{F::bf16, 8.0}, {F::tf32, 8.0}, {F::fp8, 8.9}, {F::fp4, 10.0}};
  for (const Since& since : kSince) {
    if (!gpu.peak[since.format] || *capability >= since.capability) continue;
    report(kNoFormat, catalog, gpu, "peak",
           fmt::format("{} on compute capability {}", data::name_of(since.format),
                       gpu.compute_capability),
           fmt::format("it needs {:.1f}; remove the rate, or correct the capability",
                       since.capability),
           sink);
  }
}

bool is_flagship(const Gpu& gpu) {
  return (gpu.form_factor == "sxm" || gpu.form_factor == "oam" || gpu.form_factor == "superchip") &&
         !gpu.is_slice();
}

struct Generation {
  int year = 0;  // of its first part
  const Gpu* best = nullptr;
};

// Boards of the newest generation that are slower in FP8 than the best of an older one.
void check_generations(const Catalog& catalog, diag::Sink& sink) {
  std::map<std::tuple<std::string, std::string, std::string>, Generation> generations;
  for (const Gpu& gpu : catalog.gpus) {
    if (!is_flagship(gpu) || !gpu.year) continue;
    Generation& g = generations[{gpu.vendor, gpu.form_factor, gpu.architecture}];
    if (g.year == 0 || *gpu.year < g.year) g.year = *gpu.year;
    const auto rate = gpu.peak[F::fp8];
    if (rate && (g.best == nullptr || *g.best->peak[F::fp8] < *rate)) g.best = &gpu;
  }
  for (const Gpu& gpu : catalog.gpus) {
    const auto rate = gpu.peak[F::fp8];
    const auto own = generations.find({gpu.vendor, gpu.form_factor, gpu.architecture});
    if (!is_flagship(gpu) || !rate || own == generations.end()) continue;
    for (const auto& [key, older] : generations) {
      if (std::get<0>(key) != gpu.vendor || std::get<1>(key) != gpu.form_factor) continue;
      if (older.best == nullptr || older.year >= own->second.year) continue;
      if (*older.best->peak[F::fp8] <= *rate) continue;
      report(kOlder, catalog, gpu, "peak",
             fmt::format("fp8 of {}, less than {} of the older '{}'", units::to_text(*rate),
                         units::to_text(*older.best->peak[F::fp8]), older.best->id.text()),
             "check the figure and its unit", sink);
      break;
    }
  }
}

void run(const CheckContext& context, diag::Sink& sink) {
  const Catalog& catalog = context.catalog;
  for (const Gpu& gpu : catalog.gpus) {
    check_ratios(catalog, gpu, sink);
    check_siblings(catalog, gpu, sink);
    check_roofline(catalog, gpu, sink);
    check_formats(catalog, gpu, sink);
  }
  check_generations(catalog, sink);
}

}  // namespace

extern const Check check_peaks;
constinit const Check check_peaks{
    "peaks", "peak rates are dense and fit their formats, generation and memory", kCodes, &run};

}  // namespace gpusel::catalog
