// The machine around the GPUs: enough memory and processors to feed them, and evidence where it is
// sold as bare metal.
#include "check.h"

#include "gpusel/base/text.h"
#include "gpusel/units/format.h"

#include <fmt/format.h>

namespace gpusel::catalog {
namespace {

constexpr CodeInfo kMemoryFloor{"catalog/host-memory-floor", Severity::warning,
                                "little host memory for many GPUs"};
constexpr CodeInfo kVcpuFloor{"catalog/vcpu-floor", Severity::warning,
                              "few virtual CPUs for many GPUs"};
constexpr CodeInfo kBareMetal{"catalog/bare-metal-evidence", Severity::warning,
                              "bare metal without evidence"};
constexpr CodeInfo kSliceMetal{"catalog/sliced-bare-metal", Severity::error,
                               "bare metal with a slice of a GPU"};
constexpr CodeInfo kCodes[] = {kMemoryFloor, kVcpuFloor, kBareMetal, kSliceMetal};

constexpr int kManyGpus = 4;

void check_floors(const Catalog& catalog, const Instance& instance, const Hardware& h,
                  const Gpu& gpu, diag::Sink& sink) {
  if (!is_data_centre(gpu) || gpu.is_slice()) return;
  constexpr double kLeastMemory = 0.5;  // of the GPUs' memory: checkpoints pass through the host
  constexpr int kLeastVcpus = 4;        // per GPU: loading of data, launching of kernels
  const units::Bytes all = gpu.memory * static_cast<double>(h.count);
  if (h.memory && h.count >= kManyGpus && *h.memory < all * kLeastMemory) {
    sink.report(diag::finding(kMemoryFloor, catalog.span_of(instance.provenance, "memory"),
                              fmt::format("{} of host memory for {} of GPU memory",
                                          units::to_text(*h.memory), units::to_text(all)))
                    .with_help("machines have at least half of the GPUs' memory; check the unit "
                               "and whether it is that of one GPU"));
  }
  if (h.vcpus && *h.vcpus < h.count * kLeastVcpus) {
    sink.report(diag::finding(kVcpuFloor, catalog.span_of(instance.provenance, "vcpus"),
                              fmt::format("{} vCPUs for {} GPUs", *h.vcpus, h.count))
                    .with_help("machines have at least 4 per GPU; check whether it is the count of "
                               "one GPU"));
  }
}

// Ids that providers give to bare metal alone.
bool looks_like_metal(std::string_view id) {
  constexpr std::string_view kGlobs[] = {"*.metal*", "*-metal*", "metal*", "BM.*",   "vbm-*",
                                         "bm*",      "*.bm.*",   "*.ebm*", "*.scc*", "physical.*"};
  return std::any_of(std::begin(kGlobs), std::end(kGlobs),
                     [&](std::string_view glob) { return glob_match(glob, id); });
}

bool says_metal(std::string_view text) {
  const std::string lower = to_lower(text);
  return lower.find("bare metal") != std::string::npos ||
         lower.find("bare-metal") != std::string::npos ||
         lower.find("dedicated server") != std::string::npos;
}

void check_metal(const Catalog& catalog, const Instance& instance, const Hardware& h,
                 const Gpu* gpu, diag::Sink& sink) {
  if (h.virtualization != Virtualization::bare_metal) return;
  const diag::Span span = catalog.span_of(instance.provenance, "virtualization");
  if (gpu != nullptr && gpu->is_slice()) {
    sink.report(diag::finding(kSliceMetal, span, "bare metal with a slice of a GPU")
                    .with_help("a slice is made by a driver on the machine: name the whole GPU"));
  }
  const Citation& citation = catalog.citations[instance.provenance.citation];
  if (looks_like_metal(instance.id.text()) || !instance.stated.evidence.empty() ||
      says_metal(citation.note)) {
    return;
  }
  sink.report(diag::finding(kBareMetal, span,
                            "nothing shows that '" + instance.id.text() + "' is bare metal")
                  .with_help("say in 'evidence:' where the provider calls it so, or write 'vm'"));
}

void run(const CheckContext& context, diag::Sink& sink) {
  const Catalog& catalog = context.catalog;
  for (const Instance& instance : catalog.instances) {
    const Hardware& h = catalog.hardware[instance.hardware];
    const Gpu* gpu = catalog.gpu_of(h);
    if (gpu != nullptr) check_floors(catalog, instance, h, *gpu, sink);
    check_metal(catalog, instance, h, gpu, sink);
  }
}

}  // namespace

extern const Check check_hosts;
constinit const Check check_hosts{"hosts", "hosts feed their GPUs, and bare metal is shown to be",
                                  kCodes, &run};

}  // namespace gpusel::catalog
