// References between files, and records that nothing refers to.
#include "check.h"

#include <fmt/format.h>

namespace gpusel::catalog {
namespace {

constexpr CodeInfo kUnknownCurves{"catalog/unknown-curves", Severity::error,
                                  "efficiency curves that are not in the catalog"};
constexpr CodeInfo kUnknownParent{"catalog/unknown-parent", Severity::error,
                                  "a slice of a GPU that is not in the catalog"};
constexpr CodeInfo kSliceOfSlice{"catalog/slice-of-slice", Severity::error,
                                 "a slice of a GPU that is a slice itself"};
constexpr CodeInfo kSliceTooLarge{"catalog/slice-too-large", Severity::error,
                                  "a slice with more than its GPU has"};
constexpr CodeInfo kNoPeak{"catalog/no-peak", Severity::warning,
                           "an offered GPU without a peak rate or memory bandwidth"};
constexpr CodeInfo kNoInstances{"catalog/no-instances", Severity::warning,
                                "a provider that sells nothing"};
constexpr CodeInfo kUnusedRegion{"catalog/unused-region", Severity::warning,
                                 "a region without an offer"};
constexpr CodeInfo kUnknownProvider{"catalog/unknown-provider", Severity::error,
                                    "instances of a provider that is not in the catalog"};
constexpr CodeInfo kCodes[] = {kUnknownCurves, kUnknownParent, kSliceOfSlice, kSliceTooLarge,
                               kNoPeak,        kNoInstances,   kUnusedRegion, kUnknownProvider};

const Gpu* gpu_named(const Catalog& catalog, const GpuId& id) {
  const auto found = std::find_if(catalog.gpus.begin(), catalog.gpus.end(),
                                  [&](const Gpu& gpu) { return gpu.id == id; });
  return found == catalog.gpus.end() ? nullptr : &*found;
}

void check_slice(const Catalog& catalog, const Gpu& gpu, diag::Sink& sink) {
  const diag::Span span = catalog.span_of(gpu.provenance, "slice_of");
  const Gpu* parent = gpu_named(catalog, *gpu.slice_of);
  if (parent == nullptr) {
    sink.report(diag::finding(kUnknownParent, span,
                              "there is no GPU '" + gpu.slice_of->text() + "' to be a slice of")
                    .with_help("add the whole GPU, or correct its id"));
    return;
  }
  if (parent->is_slice()) {
    sink.report(diag::finding(kSliceOfSlice, span, "'" + parent->id.text() + "' is a slice itself")
                    .with_help("name the whole GPU: '" + parent->slice_of->text() + "'"));
  }
  if (gpu.memory >= parent->memory) {
    sink.report(diag::finding(kSliceTooLarge, catalog.span_of(gpu.provenance, "memory"),
                              "a slice with as much memory as the whole GPU")
                    .with_help("write what the slice has, or leave 'slice_of' out"));
  }
  const auto& rate = gpu.memory_bandwidth;
  if (rate && parent->memory_bandwidth && *rate > *parent->memory_bandwidth) {
    sink.report(diag::finding(kSliceTooLarge, catalog.span_of(gpu.provenance, "memory_bandwidth"),
                              "a slice with more bandwidth than the whole GPU")
                    .with_help("write the share of the slice"));
  }
}

void check_gpus(const Catalog& catalog, diag::Sink& sink) {
  for (const Gpu& gpu : catalog.gpus) {
    if (gpu.slice_of) check_slice(catalog, gpu, sink);
    if (gpu.curves.empty() || catalog.curves_of(gpu) != nullptr) continue;
    sink.report(diag::finding(kUnknownCurves, catalog.span_of(gpu.provenance, "curves"),
                              "there are no curves '" + gpu.curves + "'")
                    .with_help("correct the name, or leave it out where no class fits"));
  }
}

// A GPU that is on offer and cannot be estimated: reported at the GPU, once.
void check_offered(const Catalog& catalog, diag::Sink& sink) {
  std::vector<bool> offered(catalog.gpus.size(), false);
  for (const Instance& instance : catalog.instances) {
    const Hardware& h = catalog.hardware[instance.hardware];
    if (h.gpu) offered[*h.gpu] = true;
  }
  for (std::size_t i = 0; i < offered.size(); ++i) {
    const Gpu& gpu = catalog.gpus[i];
    const bool any = std::any_of(gpu.peak.rate.begin(), gpu.peak.rate.end(),
                                 [](const auto& rate) { return rate.has_value(); });
    if (!offered[i] || (any && gpu.memory_bandwidth)) continue;
    sink.report(diag::finding(kNoPeak, catalog.span_of(gpu.provenance),
                              fmt::format("'{}' is offered and has no {}", gpu.id.text(),
                                          any ? "memory bandwidth" : "peak rate"))
                    .with_help("add it: without it nothing can be estimated"));
  }
}

void check_providers(const Catalog& catalog, diag::Sink& sink) {
  std::vector<bool> sells(catalog.providers.size(), false);
  std::vector<bool> used(catalog.regions.size(), false);
  for (const Instance& instance : catalog.instances) sells[instance.provider] = true;
  for (const Offer& offer : catalog.offers) {
    if (offer.region) used[*offer.region] = true;
  }
  for (std::size_t i = 0; i < sells.size(); ++i) {
    const Provider& provider = catalog.providers[i];
    const std::string& other = provider.instances_of;
    if (!other.empty() && provider_named(catalog, other) == nullptr) {
      sink.report(diag::finding(kUnknownProvider,
                                catalog.span_of(provider.provenance, "instances_of"),
                                "there is no provider '" + other + "'")
                      .with_help("name a provider of the catalog"));
    }
    if (sells[i]) continue;
    sink.report(diag::finding(kNoInstances, catalog.span_of(provider.provenance),
                              "provider '" + provider.id.text() + "' has no instance")
                    .with_help("add its instances, or remove the file"));
  }
  for (std::size_t i = 0; i < used.size(); ++i) {
    const Region& region = catalog.regions[i];
    if (used[i]) continue;
    sink.report(diag::finding(kUnusedRegion, catalog.span_of(region.provenance),
                              "nothing is offered in region '" + region.id.text() + "'")
                    .with_help("add price rows ('unknown' where no price is known), or remove it"));
  }
}

void run(const CheckContext& context, diag::Sink& sink) {
  check_gpus(context.catalog, sink);
  check_offered(context.catalog, sink);
  check_providers(context.catalog, sink);
}

}  // namespace

extern const Check check_references;
constinit const Check check_references{"references", "what is named exists and what exists is used",
                                       kCodes, &run};

}  // namespace gpusel::catalog
