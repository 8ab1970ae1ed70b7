#include "request.h"

#include "gpusel/base/suggest.h"
#include "gpusel/base/text.h"

#include <fmt/format.h>

#include <algorithm>

template <>
struct gpusel::data::EnumNames<gpusel::recommend::Objective> {
  using O = gpusel::recommend::Objective;
  static constexpr std::array<std::pair<std::string_view, O>, 4> kNames = {
      {{"balanced", O::balanced},
       {"cost", O::cost},
       {"time", O::time},
       {"throughput-per-dollar", O::throughput_per_dollar}}};
};

namespace gpusel::cli {
namespace {

using catalog::Catalog;
using data::OptionReader;

// Each part of a list must be one of the known names.
std::vector<std::string> known_list(const OptionReader& read, std::string_view option,
                                    const std::vector<std::string>& known, std::string_view what) {
  std::vector<std::string> parts = read.list(option);
  for (const std::string& part : parts) {
    if (std::find(known.begin(), known.end(), part) != known.end()) continue;
    std::string help = did_you_mean(part, known);
    if (help.empty() && known.size() <= 20) help = "known: " + quoted_list(known, "and");
    read.report(option, Error{fmt::format("there is no {} '{}'", what, part), help, 0, 0});
  }
  return parts;
}

template <class T, class F>
std::vector<std::string> names_of(const std::vector<T>& records, F&& name) {
  std::vector<std::string> names;
  for (const T& r : records) {
    std::string n = name(r);
    if (!n.empty() && std::find(names.begin(), names.end(), n) == names.end())
      names.push_back(std::move(n));
  }
  return names;
}

void read_gpus(const Catalog& catalog, const OptionReader& read, recommend::Constraints& c) {
  for (const std::string& name : read.list("gpu")) {
    const std::vector<std::uint32_t> found = catalog.gpus_named(name);
    if (found.empty()) {
      read.report("gpu", Error{"there is no GPU '" + name + "'",
                               did_you_mean(name, catalog.gpu_names()), 0, 0});
    }
    c.gpus.insert(c.gpus.end(), found.begin(), found.end());
  }
}

void read_purchases(const OptionReader& read, recommend::Constraints& c) {
  if (!read.given("purchase")) return;
  c.purchases.clear();
  std::vector<std::string> known;
  for (const auto& [name, value] : data::EnumNames<catalog::Purchase>::kNames)
    known.emplace_back(name);
  for (const std::string& name : known_list(read, "purchase", known, "way of buying")) {
    if (const auto purchase = data::enum_of<catalog::Purchase>(name))
      c.purchases.push_back(*purchase);
  }
}

// `cost=0.6,time=0.3,risk=0.1`; weights that are not named are zero, and the sum is scaled to 1.
void read_weights(const OptionReader& read, recommend::Weights& weights) {
  if (!read.given("weights")) return;
  weights = {0, 0, 0};
  double sum = 0;
  for (const std::string& part : read.list("weights")) {
    const std::size_t equals = part.find('=');
    const std::string name = part.substr(0, equals);
    const Result<double> value =
        parse_number(equals == std::string::npos ? "" : part.substr(equals + 1));
    double* weight = name == "cost"   ? &weights.cost
                     : name == "time" ? &weights.time
                     : name == "risk" ? &weights.risk
                                      : nullptr;
    if (weight == nullptr || !value || *value < 0) {
      read.report("weights", Error{"'" + part + "' is not a weight",
                                   "write cost=0.6,time=0.3,risk=0.1", 0, 0});
      continue;
    }
    *weight = *value;
    sum += *value;
  }
  if (sum <= 0) {
    read.report("weights",
                Error{"the weights sum to zero", "give at least one a value above zero", 0, 0});
    return;
  }
  weights = {weights.cost / sum, weights.time / sum, weights.risk / sum};
}

void read_places(const Catalog& catalog, const OptionReader& read, recommend::Constraints& c) {
  const auto provider = [](const catalog::Provider& p) { return p.id.text(); };
  const std::vector<std::string> providers = names_of(catalog.providers, provider);
  c.providers = known_list(read, "provider", providers, "provider");
  c.excluded_providers = known_list(read, "exclude-provider", providers, "provider");
  c.regions = known_list(
      read, "region",
      names_of(catalog.regions, [](const catalog::Region& r) { return r.id.text(); }), "region");
  c.countries = known_list(
      read, "country",
      names_of(catalog.regions, [](const catalog::Region& r) { return r.country; }), "country");
  std::vector<std::string> marks;
  for (const catalog::Provider& p : catalog.providers)
    marks.insert(marks.end(), p.compliance.begin(), p.compliance.end());
  for (const catalog::Region& r : catalog.regions)
    marks.insert(marks.end(), r.compliance.begin(), r.compliance.end());
  std::sort(marks.begin(), marks.end());
  marks.erase(std::unique(marks.begin(), marks.end()), marks.end());
  c.compliance = known_list(read, "compliance", marks, "compliance mark");
}

}  // namespace

std::optional<recommend::Request> read_request(const Catalog& catalog, Invocation& invocation) {
  const std::size_t faults = invocation.diagnostics.count(diag::Severity::error);
  const OptionReader read(invocation.options, invocation.diagnostics);
  recommend::Request request;
  recommend::Constraints& c = request.constraints;
  read_places(catalog, read, c);
  read_gpus(catalog, read, c);
  read_purchases(read, c);
  read_weights(read, request.weights);
  c.gpu_memory = read.interval<units::Bytes>("gpu-memory");
  c.gpu_count = read.interval<units::Count>("gpu-count");
  c.bare_metal = read.flag("bare-metal");
  c.max_price = read.quantity<units::UsdPerHour>("max-price");
  if (const auto age = read.quantity<units::Seconds>("max-age")) {
    c.max_age_days = static_cast<int>(units::in_days(*age));
  }
  c.deadline = read.quantity<units::Seconds>("deadline");
  c.budget = read.quantity<units::Usd>("budget");
  request.objective =
      read.choice<recommend::Objective>("optimize").value_or(recommend::Objective::balanced);
  request.weights = recommend::weights_of(request.objective, request.weights);
  constexpr int kMostRows = 10000;
  request.top = static_cast<std::size_t>(read.whole("top", 1, kMostRows).value_or(10));
  request.detail =
      read.flag("all") ? recommend::Detail::every_row : recommend::Detail::best_per_instance;
  request.as_of = invocation.io.today;
  if (invocation.diagnostics.count(diag::Severity::error) > faults) return std::nullopt;
  return request;
}

namespace {

struct CountedName {
  int count = 0;  // zero where none is stated
  std::string name;
};

// `8xl40s`, `8x l40s`, `8 x l40s`, or a name alone.
Result<CountedName> counted_name(const std::string& text) {
  constexpr int kMostGpus = 72;
  const NumberPrefix prefix = number_prefix(text);
  const std::size_t x = text.find_first_not_of(' ', prefix.length);
  if (prefix.length == 0 || x == std::string::npos || text[x] != 'x') return CountedName{0, text};
  const std::size_t name = text.find_first_not_of(' ', x + 1);
  if (name == std::string::npos) return CountedName{0, text};
  const auto whole = parse_integer(std::string_view(text).substr(0, prefix.length), 1, kMostGpus);
  if (!whole) return whole.error();
  return CountedName{static_cast<int>(*whole), text.substr(name)};
}

std::string instance_name(const Catalog& catalog, const catalog::Instance& instance) {
  return catalog.providers[instance.provider].id.text() + "/" + instance.id.text();
}

// Why a text names no machine: nothing, or more than one thing.
Error target_fault(const Catalog& catalog, std::string_view option, const CountedName& asked) {
  const std::vector<std::uint32_t> instances = catalog.instances_named(asked.name);
  if (instances.size() == 1) {
    const std::string alone = fmt::format("write --{} {}", option, asked.name);
    return {"a count stands before a GPU, not before an instance",
            option == "on" ? alone + " --nodes " + std::to_string(asked.count) : alone, 0, 0};
  }
  std::vector<std::string> candidates;
  for (const std::uint32_t g : catalog.gpus_named(asked.name))
    candidates.push_back(catalog.gpus[g].id.text());
  for (const std::uint32_t i : instances)
    candidates.push_back(instance_name(catalog, catalog.instances[i]));
  if (!candidates.empty()) {
    return {"'" + asked.name + "' means more than one thing",
            "choose one of " + quoted_list(candidates), 0, 0};
  }
  std::vector<std::string> names = catalog.gpu_names();
  for (const catalog::Instance& i : catalog.instances) names.push_back(i.id.text());
  return {"there is no GPU or instance '" + asked.name + "'", did_you_mean(asked.name, names), 0,
          0};
}

}  // namespace

std::optional<Target> read_target(const Catalog& catalog, std::string_view option,
                                  Invocation& invocation) {
  const OptionReader read(invocation.options, invocation.diagnostics);
  const std::optional<std::string> on = read.text(option);
  if (!on) {
    invocation.diagnostics.report(
        diag::error("usage/missing-option", {}, fmt::format("say which machine with --{}", option))
            .with_help(fmt::format("a GPU (--{0} nvidia-h100-sxm5-80gb, --{0} 8xl40s) or an "
                                   "instance (--{0} aws/p5.48xlarge)",
                                   option)));
    return std::nullopt;
  }
  const Result<CountedName> asked = counted_name(*on);
  if (!asked) {
    read.report(option, asked.error());
    return std::nullopt;
  }
  const std::vector<std::uint32_t> instances = catalog.instances_named(asked->name);
  if (instances.size() == 1 && asked->count == 0) {
    const catalog::Instance& instance = catalog.instances[instances[0]];
    return Target{catalog.hardware[instance.hardware], instance_name(catalog, instance), false};
  }
  const std::vector<std::uint32_t> gpus = catalog.gpus_named(asked->name);
  if (gpus.size() != 1) {
    read.report(option, target_fault(catalog, option, *asked));
    return std::nullopt;
  }
  Target target;
  target.hardware.gpu = gpus[0];
  target.hardware.count = std::max(asked->count, 1);
  target.name = fmt::format("{} x {}", target.hardware.count, catalog.gpus[gpus[0]].id.text());
  target.bare_gpu = true;
  return target;
}

}  // namespace gpusel::cli
