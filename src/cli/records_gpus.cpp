#include "options.h"
#include "records.h"
#include "view.h"

#include "gpusel/base/suggest.h"
#include "gpusel/base/text.h"
#include "gpusel/units/format.h"

#include <algorithm>
#include <cmath>

namespace gpusel::cli {
namespace {

using report::Align;
using report::Value;

constexpr ListColumn kColumns[] = {
    {"id", "GPU"},
    {"family", "family", Align::left, 4},
    {"architecture", "architecture", Align::left, 3},
    {"memory_bytes", "memory", Align::right},
    {"memory_bandwidth_bytes_per_s", "bandwidth", Align::right},
    {"peak_flops_per_s.bf16", "bf16", Align::right},
    {"peak_flops_per_s.fp8", "fp8", Align::right, 1},
    {"peak_flops_per_s.fp64", "fp64", Align::right, 3},
    {"link.bandwidth_bytes_per_s", "link", Align::right, 2},
    {"tdp_w", "W", Align::right, 2},
    {"source.confidence", "confidence", Align::left, 2},
};

constexpr const char* kNotInCatalog = "not in the catalog";

template <class Q>
Value quantity(const std::optional<Q>& value) {
  if (!value) return report::unknown(kNotInCatalog);
  return report::number(value->canonical(), units::to_text(*value));
}

Value text_or_unknown(const std::string& text) {
  return text.empty() ? report::unknown(kNotInCatalog) : report::text(text);
}

Value texts(const std::vector<std::string>& list) {
  Value v = report::list();
  for (const std::string& t : list) v.add(report::text(t));
  return v;
}

// "1979 TFLOPS"; of whole numbers TOPS.
std::string rate_text(units::FlopsPerSecond rate, catalog::NumberFormat format) {
  std::string text = units::to_text(rate);
  const std::size_t at = text.find("FLOPS");
  if (format == catalog::NumberFormat::int8 && at != std::string::npos) text.erase(at, 2);
  return text;
}

Value peaks_record(const catalog::Gpu& gpu) {
  Value v = report::object();
  for (const auto& [name, format] : data::EnumNames<catalog::NumberFormat>::kNames) {
    const auto rate = gpu.peak[format];
    v.set(std::string(name),
          rate ? report::number(in_flops_per_second(*rate), rate_text(*rate, format))
               : report::null());
  }
  return v;
}

Value link_record(const std::optional<catalog::GpuLink>& link) {
  if (!link) return report::null();
  Value v = report::object();
  v.set("kind", report::text(link->kind));
  v.set("bandwidth_bytes_per_s", quantity(std::optional(link->bandwidth)));
  v.set("domain", report::whole(link->domain));
  return v;
}

Value gpu_record(const catalog::Catalog& catalog, const catalog::Gpu& gpu) {
  Value v = report::object();
  v.set("id", report::text(gpu.id.text()));
  v.set("name", report::text(gpu.name));
  v.set("vendor", report::text(gpu.vendor));
  v.set("family", text_or_unknown(gpu.family));
  v.set("aliases", texts(gpu.aliases));
  v.set("architecture", report::text(gpu.architecture));
  v.set("form_factor", text_or_unknown(gpu.form_factor));
  v.set("year", gpu.year ? report::whole(*gpu.year) : report::unknown(kNotInCatalog));
  v.set("memory_bytes", report::whole_of(in_bytes(gpu.memory), units::to_text(gpu.memory)));
  const units::Bytes usable = gpu.available_memory();
  v.set("usable_memory_bytes",
        report::whole_of(std::round(in_bytes(usable)), units::show_gib(usable)));
  v.set("usable_memory_basis",
        report::text(gpu.usable_memory ? "as the driver reports"
                                       : "a usual share of the nominal memory"));
  v.set("memory_kind", text_or_unknown(gpu.memory_kind));
  v.set("memory_bandwidth_bytes_per_s", quantity(gpu.memory_bandwidth));
  v.set("peak_flops_per_s", peaks_record(gpu));
  v.set("link", link_record(gpu.link));
  v.set("bridge", link_record(gpu.bridge));
  v.set("pcie_generation",
        gpu.pcie ? report::whole(gpu.pcie->generation) : report::unknown(kNotInCatalog));
  v.set("tdp_w", quantity(gpu.tdp));
  v.set("compute_capability", text_or_unknown(gpu.compute_capability));
  v.set("rt_cores", gpu.rt_cores ? report::boolean(*gpu.rt_cores) : report::unknown(kNotInCatalog));
  v.set("video_encoders",
        gpu.video_encoders ? report::whole(*gpu.video_encoders) : report::unknown(kNotInCatalog));
  v.set("mig_slices", gpu.mig_slices ? report::whole(*gpu.mig_slices) : report::null());
  v.set("slice_of", gpu.slice_of ? report::text(gpu.slice_of->text()) : report::null());
  v.set("efficiency_class",
        gpu.curves.empty() ? report::unknown("no class fits") : report::text(gpu.curves));
  v.set("note", gpu.note.empty() ? report::null() : report::text(gpu.note));
  v.set("source", citation_value(catalog, gpu.provenance));
  v.set("patched", patched_value(catalog.patches_of(gpu), catalog));
  add_unknown(v);
  return v;
}

ListAnswer read_gpus(Session& session, Invocation& invocation) {
  const catalog::Catalog& catalog = session.catalog;
  ListAnswer answer{{}, "gpus", "GPUs", catalog_value(catalog), {}, kColumns};
  const std::optional<recommend::Request> request = read_request(catalog, invocation);
  if (!request) return answer;
  const recommend::Constraints& c = request->constraints;
  for (std::uint32_t i = 0; i < catalog.gpus.size(); ++i) {
    const catalog::Gpu& gpu = catalog.gpus[i];
    const bool named = c.gpus.empty() || std::find(c.gpus.begin(), c.gpus.end(), i) != c.gpus.end();
    const bool low = c.gpu_memory && c.gpu_memory->low && gpu.memory < *c.gpu_memory->low;
    const bool high = c.gpu_memory && c.gpu_memory->high && *c.gpu_memory->high < gpu.memory;
    if (named && !low && !high) answer.records.push_back(gpu_record(catalog, gpu));
  }
  return answer;
}

std::vector<std::string> known_names(const Session& session, const ListAnswer&) {
  return session.catalog.gpu_names();
}

// By id, alias or family.
bool is_named(const Value& record, std::string_view name) {
  return record.find("family")->shown() == to_lower(name) || has_id_or_alias(record, name);
}

}  // namespace

std::vector<data::OptionSpec> plain_list_options() {
  const data::OptionSpec sort{
      "sort",
      data::OptionKind::value,
      "COLUMN",
      "sort by this column of the JSON, such as price.usd_per_hour; -COLUMN turns it round",
      {},
      "Output"};
  return joined({{sort}, catalog_options(), output_options()});
}

std::vector<data::OptionSpec> gpu_list_options() {
  std::vector<data::OptionSpec> filters = choice_options();
  std::erase_if(
      filters, [](const data::OptionSpec& s) { return s.name != "gpu" && s.name != "gpu-memory"; });
  for (data::OptionSpec& s : filters) s.group = "Filters";
  return joined({filters, plain_list_options()});
}

constinit const RecordKind kGpuRecords{"gpus list", "gpus show", &read_gpus, &known_names,
                                       &is_named};

}  // namespace gpusel::cli
