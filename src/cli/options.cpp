#include "options.h"

#include "gpusel/workload/workload.h"

#include <algorithm>
#include <array>

namespace gpusel::cli {
namespace {

using data::OptionKind;
using data::OptionSpec;

constexpr std::string_view kColourChoices[] = {"auto", "always", "never"};
constexpr std::string_view kObjectives[] = {"balanced", "cost", "time", "throughput-per-dollar"};

constexpr std::string_view kOutput = "Output";
constexpr std::string_view kCatalog = "Catalog and rules";
constexpr std::string_view kChoice = "The choice";
constexpr std::string_view kWork = "The work";

constexpr auto kOutputOptions = std::to_array<OptionSpec>({
    {"format",
     OptionKind::value,
     "FORMAT",
     "table, json, csv or markdown (default table)",
     {},
     kOutput},
    {"json", OptionKind::flag, "", "short for --format json", {}, kOutput},
    {"color", OptionKind::value, "WHEN", "auto, always or never (default auto)", kColourChoices,
     kOutput},
    {"output",
     OptionKind::value,
     "FILE",
     "write the answer to a file instead of standard output",
     {},
     kOutput},
    {"quiet", OptionKind::flag, "", "no warnings on standard error", {}, kOutput},
    {"verbose", OptionKind::flag, "", "say on standard error what is being done", {}, kOutput},
    {"as-of",
     OptionKind::value,
     "DATE",
     "what counts as today, such as 2026-11-20 (default today)",
     {},
     kOutput},
    {"config",
     OptionKind::value,
     "FILE",
     "read settings from this file instead of gpusel.yaml",
     {},
     kOutput},
    {"help", OptionKind::flag, "", "show this help", {}, kOutput},
});

constexpr auto kCatalogOptions = std::to_array<OptionSpec>({
    {"catalog",
     OptionKind::repeated,
     "PATH",
     "a data folder or file that overlays the built-in data; repeatable",
     {},
     kCatalog},
    {"no-builtin-catalog", OptionKind::flag, "", "leave the built-in data out", {}, kCatalog},
    {"rules",
     OptionKind::repeated,
     "PATH",
     "a folder or file of rules that overlays those in force; repeatable",
     {},
     kCatalog},
});

constexpr auto kCalibrationOption = std::to_array<OptionSpec>({
    {"calibration",
     OptionKind::repeated,
     "FILE",
     "factors on the estimates, as validate --write-calibration wrote them; repeatable",
     {},
     kCatalog},
});

constexpr auto kChoiceOptions = std::to_array<OptionSpec>({
    {"optimize", OptionKind::value, "WHAT",
     "balanced, cost, time or throughput-per-dollar (default balanced)", kObjectives, kChoice},
    {"weights",
     OptionKind::value,
     "LIST",
     "weights of balanced (default cost=0.6,time=0.3,risk=0.1)",
     {},
     kChoice},
    {"deadline",
     OptionKind::value,
     "TIME",
     "the job must end within this time, such as 7d",
     {},
     kChoice},
    {"budget",
     OptionKind::value,
     "MONEY",
     "the whole cost must not exceed this, such as $50000",
     {},
     kChoice},
    {"purchase",
     OptionKind::value,
     "LIST",
     "on-demand, spot, reserved-1m, reserved-1y, reserved-3y (default on-demand)",
     {},
     kChoice},
    {"provider", OptionKind::value, "LIST", "only these providers", {}, kChoice},
    {"exclude-provider", OptionKind::value, "LIST", "none of these providers", {}, kChoice},
    {"region", OptionKind::value, "LIST", "only these regions", {}, kChoice},
    {"country",
     OptionKind::value,
     "LIST",
     "only regions in these countries, such as DE,FR",
     {},
     kChoice},
    {"gpu",
     OptionKind::value,
     "LIST",
     "only these GPUs: ids, aliases or families such as h100",
     {},
     kChoice},
    {"gpu-memory",
     OptionKind::value,
     "RANGE",
     "memory of one GPU, such as 40GB.. or 24GB..80GB",
     {},
     kChoice},
    {"gpu-count",
     OptionKind::value,
     "RANGE",
     "GPUs of one instance, such as 8 or 1..4",
     {},
     kChoice},
    {"bare-metal", OptionKind::flag, "", "only bare-metal instances", {}, kChoice},
    {"compliance",
     OptionKind::value,
     "LIST",
     "documented marks: gdpr, hipaa, soc2, iso27001, …",
     {},
     kChoice},
    {"max-price", OptionKind::value, "PRICE", "per instance and hour, such as $40/h", {}, kChoice},
    {"max-age",
     OptionKind::value,
     "TIME",
     "reject prices older than this, such as 90d",
     {},
     kChoice},
    {"top", OptionKind::value, "N", "rows to show (default 10)", {}, kChoice},
    {"all",
     OptionKind::flag,
     "",
     "every region, way of buying and node count as a row of its own",
     {},
     kChoice},
    {"show-rejected",
     OptionKind::flag,
     "",
     "list every rejected offer with its reason",
     {},
     kChoice},
});

constexpr auto kWorkloadOption = std::to_array<OptionSpec>({
    {"workload",
     OptionKind::value,
     "NAME|FILE|-",
     "kind of work, a preset, a YAML file, or - for standard input",
     {},
     kWork},
});

template <std::size_t N>
std::vector<OptionSpec> vector_of(const std::array<OptionSpec, N>& table) {
  return {table.begin(), table.end()};
}

}  // namespace

std::vector<OptionSpec> output_options() { return vector_of(kOutputOptions); }
std::vector<OptionSpec> catalog_options() { return vector_of(kCatalogOptions); }
std::vector<OptionSpec> estimate_options() {
  return joined({vector_of(kCatalogOptions), vector_of(kCalibrationOption)});
}
std::vector<OptionSpec> choice_options() { return vector_of(kChoiceOptions); }

std::vector<OptionSpec> workload_options() {
  std::vector<OptionSpec> all = vector_of(kWorkloadOption);
  // The kind with the most options gives the order of those that others use too.
  const auto every = workload::kinds();
  std::vector<const workload::WorkloadKind*> kinds(every.begin(), every.end());
  std::stable_sort(kinds.begin(), kinds.end(), [](const auto* a, const auto* b) {
    return a->options.size() > b->options.size();
  });
  for (const workload::WorkloadKind* kind : kinds) {
    for (const OptionSpec& spec : kind->options) {
      const auto held = std::find_if(all.begin(), all.end(),
                                     [&](const OptionSpec& s) { return s.name == spec.name; });
      if (held != all.end()) {
        held->group = kWork;  // several kinds use it
        continue;
      }
      all.push_back(spec);
      all.back().group = kind->id;
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const OptionSpec& a, const OptionSpec& b) {
    return a.group == kWork && b.group != kWork;
  });
  return all;
}

std::vector<OptionSpec> joined(std::initializer_list<std::vector<OptionSpec>> tables) {
  std::vector<OptionSpec> all;
  for (const std::vector<OptionSpec>& table : tables)
    all.insert(all.end(), table.begin(), table.end());
  return all;
}

}  // namespace gpusel::cli
