#include "loader.h"
#include "patches.h"

#include "gpusel/base/text.h"
#include "gpusel/catalog/sources.h"

#include <algorithm>

namespace gpusel::catalog {
namespace {

using data::field;
using data::Field;
using data::optional_field;

constexpr Field<GpuLink> kLink[] = {
    field<&GpuLink::kind>("kind", "nvlink4, infinity-fabric, …"),
    field<&GpuLink::bandwidth>("bandwidth", "per GPU, both directions summed"),
    optional_field<&GpuLink::domain>("domain", "GPUs that the link joins")};

constexpr Field<Pcie> kPcie[] = {field<&Pcie::generation>("generation", "PCIe generation"),
                                 optional_field<&Pcie::lanes>("lanes", "PCIe lanes")};

constexpr Field<GemmCurve> kGemm[] = {
    field<&GemmCurve::format>("format", "number format"),
    field<&GemmCurve::peak_fraction>("peak_fraction", "share of the dense peak on large products"),
    field<&GemmCurve::size_penalty>("size_penalty", "elements"),
    field<&GemmCurve::sustained>("sustained", "long runs against short benchmarks")};

constexpr Field<AttentionCurve> kAttention[] = {
    field<&AttentionCurve::peak_fraction>("peak_fraction",
                                          "share of the 16-bit peak on long sequences"),
    field<&AttentionCurve::half_length>("half_length", "tokens at which half of it is reached"),
    field<&AttentionCurve::sustained>("sustained", "vendor kernels"),
    field<&AttentionCurve::sustained_sdpa>("sustained_sdpa", "PyTorch's attention"),
    field<&AttentionCurve::head_exponent>("head_exponent", "loss of narrow heads")};

}  // namespace
}  // namespace gpusel::catalog

// Nested records are read by their tables.
template <>
struct gpusel::data::ValueReader<gpusel::catalog::GpuLink> {
  static constexpr ValueShape kShape{
      "record", "", {}, ValueType::record, &key_shapes<gpusel::catalog::kLink>};
  static std::optional<gpusel::catalog::GpuLink> read(NodeRef node, const Reader& reader) {
    return read_record<gpusel::catalog::GpuLink>(node, gpusel::catalog::kLink, reader);
  }
};
template <>
struct gpusel::data::ValueReader<gpusel::catalog::Pcie> {
  static constexpr ValueShape kShape{
      "record", "", {}, ValueType::record, &key_shapes<gpusel::catalog::kPcie>};
  static std::optional<gpusel::catalog::Pcie> read(NodeRef node, const Reader& reader) {
    return read_record<gpusel::catalog::Pcie>(node, gpusel::catalog::kPcie, reader);
  }
};
template <>
struct gpusel::data::ValueReader<gpusel::catalog::GemmCurve> {
  static constexpr ValueShape kShape{
      "record", "", {}, ValueType::record, &key_shapes<gpusel::catalog::kGemm>};
  static std::optional<gpusel::catalog::GemmCurve> read(NodeRef node, const Reader& reader) {
    return read_record<gpusel::catalog::GemmCurve>(node, gpusel::catalog::kGemm, reader);
  }
};
template <>
struct gpusel::data::ValueReader<gpusel::catalog::AttentionCurve> {
  static constexpr ValueShape kShape{
      "record", "", {}, ValueType::record, &key_shapes<gpusel::catalog::kAttention>};
  static std::optional<gpusel::catalog::AttentionCurve> read(NodeRef node, const Reader& reader) {
    return read_record<gpusel::catalog::AttentionCurve>(node, gpusel::catalog::kAttention, reader);
  }
};

std::optional<gpusel::catalog::Peaks> gpusel::data::ValueReader<gpusel::catalog::Peaks>::read(
    NodeRef node, const Reader& reader) {
  using gpusel::catalog::NumberFormat;
  if (!node.is_map()) {
    reader.error("data/wrong-kind", node.span(),
                 "expected a map of peak rates, found " + node.describe(),
                 "write '{fp16: 312 TFLOPS, …}' with dense rates");
    return std::nullopt;
  }
  gpusel::catalog::Peaks peaks;
  bool good = true;
  for (auto it = node.begin(); it != node.end(); ++it) {
    const auto format = enum_of<NumberFormat>(it.key().text());
    if (!format) {
      std::vector<std::string> names;
      for (const auto& [name, value] : EnumNames<NumberFormat>::kNames) names.emplace_back(name);
      report_unknown_key(it.key(), names, reader);
      good = false;
      continue;
    }
    const auto rate = ValueReader<units::FlopsPerSecond>::read(*it, reader.at(it.key().text()));
    good = good && rate.has_value();
    peaks.rate[static_cast<std::size_t>(*format)] = rate;
  }
  if (!good) return std::nullopt;
  return peaks;
}

namespace gpusel::catalog {
namespace {

constexpr Field<Curves> kCurves[] = {
    field<&Curves::gemm>("gemm", "matrix products by number format"),
    field<&Curves::attention>("attention", "fused attention"),
    field<&Curves::memory_fraction>("memory_fraction", "achieved share of the memory bandwidth"),
    field<&Curves::basis>("basis", "measured, fitted or derived"),
    optional_field<&Curves::full_power>("full_power",
                                        "watts per 16-bit TFLOPS of the boards that it was "
                                        "measured on; a board with less runs slower "
                                        "by the square root"),
    optional_field<&Curves::watts_fraction>(
        "peak_fraction_per_watt_per_tflops",
        "peak fraction of a power-limited card, per watt and 16-bit TFLOPS"),
    field<&Curves::source>("source", "keys of 'sources'")};

constexpr Field<Gpu> kGpu[] = {
    field<&Gpu::id>("id", "vendor-model-form-memory"),
    field<&Gpu::name>("name", "the vendor's name"),
    field<&Gpu::vendor>("vendor", "nvidia, amd, …"),
    optional_field<&Gpu::family>("family", "what people say: h100"),
    field<&Gpu::aliases>("aliases", "other names, unique over all GPUs"),
    field<&Gpu::architecture>("architecture", "ampere, hopper, cdna3, …"),
    optional_field<&Gpu::form_factor>("form_factor", "sxm, pcie, oam, …"),
    field<&Gpu::year>("year", "of release"),
    field<&Gpu::memory>("memory", "nominal memory"),
    field<&Gpu::usable_memory>("usable_memory", "what the driver reports"),
    optional_field<&Gpu::memory_kind>("memory_kind", "HBM3, GDDR6, …"),
    field<&Gpu::memory_bandwidth>("memory_bandwidth", "of the GPU's own memory"),
    optional_field<&Gpu::peak>("peak", "dense peak rates by number format"),
    field<&Gpu::link>("link", "link between the GPUs of every machine with this GPU"),
    field<&Gpu::bridge>("bridge", "link that is sold apart"),
    field<&Gpu::pcie>("pcie", "PCIe generation and lanes"),
    field<&Gpu::tdp>("tdp", "power limit"),
    optional_field<&Gpu::compute_capability>("compute_capability", "8.0, or gfx942"),
    field<&Gpu::rt_cores>("rt_cores", "has ray-tracing units"),
    field<&Gpu::video_encoders>("video_encoders", "hardware encoders"),
    field<&Gpu::mig_slices>("mig_slices", "most MIG instances"),
    field<&Gpu::slice_of>("slice_of", "the GPU that this is a slice of"),
    optional_field<&Gpu::curves>("curves", "efficiency class, a file of kind 'curves'"),
    field<&Gpu::source>("source", "keys of 'sources'"),
    optional_field<&Gpu::note>("note", "what a reader needs to know")};

constexpr data::FilePart kCurvesParts[] = {kSourcesPart};
constexpr data::FilePart kGpusParts[] = {kSourcesPart,
                                         {"entries", "one record per GPU or slice of one",
                                          data::FilePart::Form::list, &data::key_shapes<kGpu>}};

}  // namespace

constinit const data::FileShape kCurvesShape{"curves",
                                             "how far a class of GPUs gets towards its peak rates",
                                             &data::key_shapes<kCurves>, kCurvesParts};
constinit const data::FileShape kGpusShape{"gpus", "GPUs, and slices of GPUs", nullptr, kGpusParts};

namespace {

void load_curves(Catalog& catalog, data::DataSet& set, diag::Sink& sink) {
  const std::vector<std::string_view> other = data::other_keys(kCurvesShape);
  for (const data::DataFile* file : set.files("curves")) {
    FileLoader loader(catalog, *file, sink);
    auto curves = data::read_record<Curves>(loader.root(), kCurves, loader.reader(), other);
    if (!curves) continue;
    curves->id = file->id;
    curves->provenance = loader.provenance(loader.root(), curves->source);
    catalog.curves.push_back(std::move(*curves));
  }
}

void report_alias_clashes(const Catalog& catalog, diag::Sink& sink) {
  std::map<std::string, const Gpu*> owners;
  for (const Gpu& gpu : catalog.gpus) {
    std::vector<std::string> names = gpu.aliases;
    names.push_back(gpu.id.text());
    for (const std::string& name : names) {
      const auto [it, fresh] = owners.emplace(to_lower(name), &gpu);
      if (fresh || it->second == &gpu) continue;
      sink.report(diag::error("catalog/duplicate-name", catalog.span_of(gpu.provenance),
                              "GPU name '" + name + "' is taken by '" + it->second->id.text() + "'")
                      .with_help("give each GPU its own ids and aliases"));
    }
  }
}

}  // namespace

std::vector<data::KeyShape> peak_keys() {
  std::vector<data::KeyShape> keys;
  for (const auto& [name, format] : data::EnumNames<NumberFormat>::kNames) {
    keys.push_back({name, "dense peak rate", data::Presence::optional,
                    data::ValueReader<units::FlopsPerSecond>::kShape});
  }
  return keys;
}

std::vector<data::KeyShape> gpu_keys() { return data::key_shapes<kGpu>(); }

void load_gpus(Catalog& catalog, data::DataSet& set, Patches& patches, diag::Sink& sink) {
  load_curves(catalog, set, sink);
  for (const data::DataFile* file : set.files("gpus")) {
    FileLoader loader(catalog, *file, sink);
    data::check_keys(loader.root(), kGpusShape, loader.reader());
    loader.for_each("entries", [&](data::NodeRef node, const data::Reader& reader) {
      auto gpu = data::read_record<Gpu>(node, kGpu, reader);
      if (!gpu) return;
      gpu->provenance = loader.provenance(node, gpu->source);
      if (patches.any(PatchOn::gpu)) {
        patches.apply(PatchOn::gpu, {.gpu = gpu->id.text()}, gpu->id.text(), *gpu, kGpu,
                      [&](std::string_view key) { return text_at(node, key); });
      }
      catalog.gpus.push_back(std::move(*gpu));
    });
  }
  std::stable_sort(catalog.gpus.begin(), catalog.gpus.end(),
                   [](const Gpu& a, const Gpu& b) { return a.id < b.id; });
  report_alias_clashes(catalog, sink);
}

}  // namespace gpusel::catalog
