// Sizes of one series against each other: more GPUs never have less around them.
#include "check.h"

#include <fmt/format.h>

#include <map>
#include <tuple>

namespace gpusel::catalog {
namespace {

constexpr CodeInfo kShrinks{"catalog/shrinks-with-count", Severity::warning,
                            "a size with more GPUs and less around them"};
constexpr CodeInfo kGrows{"catalog/grows-per-gpu", Severity::warning,
                          "host resources per GPU that double with each size"};
constexpr CodeInfo kCodes[] = {kShrinks, kGrows};

using Group = std::vector<const Instance*>;

struct Figure {
  std::string_view key;
  std::optional<double> (*value)(const Hardware&);
};
constexpr Figure kFigures[] = {
    {"vcpus",
     [](const Hardware& h) { return h.vcpus ? std::optional<double>(*h.vcpus) : std::nullopt; }},
    {"memory",
     [](const Hardware& h) { return h.memory ? std::optional(in_gib(*h.memory)) : std::nullopt; }},
    {"network", [](const Hardware& h) {
       return h.network ? std::optional(in_gbps(*h.network)) : std::nullopt;
     }}};

// The smallest figure of each number of GPUs.
std::map<int, std::pair<double, const Instance*>> least_of(const Catalog& catalog,
                                                           const Group& group,
                                                           const Figure& figure) {
  std::map<int, std::pair<double, const Instance*>> least;
  for (const Instance* instance : group) {
    const Hardware& h = catalog.hardware[instance->hardware];
    const auto value = figure.value(h);
    if (!value) continue;
    const auto [at, fresh] = least.emplace(h.count, std::pair{*value, instance});
    if (!fresh && *value < at->second.first) at->second = {*value, instance};
  }
  return least;
}

void check_shrinking(const Catalog& catalog, const Group& group, diag::Sink& sink) {
  for (const Figure& figure : kFigures) {
    const auto least = least_of(catalog, group, figure);
    for (auto big = least.begin(); big != least.end(); ++big) {
      if (big == least.begin()) continue;
      const auto small = std::prev(big);
      if (big->second.first >= small->second.first) continue;
      sink.report(diag::finding(
                      kShrinks, catalog.span_of(big->second.second->provenance, figure.key),
                      fmt::format("{} of {:g} with {} GPUs, {:g} with {}", figure.key,
                                  big->second.first, big->first, small->second.first, small->first))
                      .with_help("'" + small->second.second->id.text() + "' has more; check both"));
    }
  }
}

// 12, 64, 256 and 1,024 processors for 1, 2, 4 and 8 GPUs: a figure was multiplied twice.
void check_growth(const Catalog& catalog, const Group& group, diag::Sink& sink) {
  constexpr std::size_t kSizes = 3;
  constexpr double kStep = 1.8;
  for (const Figure& figure : {kFigures[0], kFigures[1]}) {
    const auto least = least_of(catalog, group, figure);
    if (least.size() < kSizes || least.size() != group.size()) continue;
    bool grows = true;
    double last = 0;
    for (const auto& [count, entry] : least) {
      const double per_gpu = entry.first / count;
      grows = grows && (last == 0 || per_gpu >= last * kStep);
      last = per_gpu;
    }
    if (!grows) continue;
    const Instance& largest = *least.rbegin()->second.second;
    sink.report(
        diag::finding(kGrows, catalog.span_of(largest.provenance, figure.key),
                      fmt::format("{} per GPU doubles with each size of the series", figure.key))
            .with_help("the figure may have been multiplied by the count twice"));
  }
}

void run(const CheckContext& context, diag::Sink& sink) {
  const Catalog& catalog = context.catalog;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::string>, Group> series;
  for (const Instance& instance : catalog.instances) {
    const Hardware& h = catalog.hardware[instance.hardware];
    if (h.gpu)
      series[{instance.provider, *h.gpu, shape_of(instance.id.text())}].push_back(&instance);
  }
  for (const auto& [key, group] : series) {
    if (group.size() < 2) continue;
    check_shrinking(catalog, group, sink);
    check_growth(catalog, group, sink);
  }
}

}  // namespace

extern const Check check_neighbours;
constinit const Check check_neighbours{
    "neighbours", "sizes of one series grow with their number of GPUs", kCodes, &run};

}  // namespace gpusel::catalog
