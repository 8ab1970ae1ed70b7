#include "gpusel/workload/measured.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace gpusel::workload {
namespace {

struct Sums {
  double size = 0;
  double error = 0;
  double n = 0;
};
/// The errors of one metric, by series; rows without one stand alone.
using Errors = std::map<std::string, Sums>;

std::string_view name_in(const MeasuredRow& row, By by) {
  switch (by) {
    case By::source:
      return row.source;
    case By::series:
      return row.series;
    case By::gpu:
      return row.gpu;
    case By::dtype:
      return row.dtype;
    case By::framework:
    case By::engine:
      return row.software;
    case By::workload:
      return row.workload;
    case By::kind:
      return row.kind;
    case By::model:
      return row.model;
  }
  return {};
}

void add(const MeasuredRow& row, double error, Errors& errors) {
  // A line number cannot be a series: those begin with another sign.
  Sums& sums = errors[row.series.empty() ? "#" + std::to_string(row.line) : "s" + row.series];
  sums.size += std::abs(error);
  sums.error += error;
  ++sums.n;
}

Slice slice_of(std::string name, std::optional<Metric> metric, const Errors& errors) {
  Slice slice;
  slice.name = std::move(name);
  slice.metric = metric;
  slice.series = errors.size();
  std::vector<double> sizes;
  std::vector<double> signed_errors;
  for (const auto& entry : errors) {
    const Sums& sums = entry.second;
    slice.rows += static_cast<std::size_t>(sums.n);
    sizes.push_back(sums.size / sums.n);
    signed_errors.push_back(sums.error / sums.n);
  }
  if (sizes.empty()) return slice;
  constexpr double kMiddle = 0.5;
  constexpr double kHigh = 0.9;
  slice.median = quantile(sizes, kMiddle);
  slice.p90 = quantile(sizes, kHigh);
  slice.bias = quantile(signed_errors, kMiddle);
  return slice;
}

struct Group {
  std::map<Metric, Errors> metrics;
  std::size_t skipped = 0;
};

/// Means of the logarithms of measured and predicted, over the rows of one GPU.
struct Logs {
  double measured = 0;
  double predicted = 0;
  double n = 0;
};

PairCount count_pairs(std::span<const MeasuredRow> rows) {
  constexpr double kApart = 0.05;  // closer than this is within the noise of a measurement
  std::map<std::pair<std::string, Metric>, std::map<std::string, Logs>> alike;
  for (const MeasuredRow& row : rows) {
    if (!row.primary) continue;
    const Comparison& c = row.comparisons[*row.primary];
    Logs& logs = alike[{row.alike, c.metric}][row.gpu];
    logs.measured += std::log(c.measured);
    logs.predicted += std::log(c.predicted);
    ++logs.n;
  }
  PairCount count;
  for (const auto& group : alike) {
    for (auto a = group.second.begin(); a != group.second.end(); ++a) {
      for (auto b = std::next(a); b != group.second.end(); ++b) {
        const double measured = a->second.measured / a->second.n - b->second.measured / b->second.n;
        const double predicted =
            a->second.predicted / a->second.n - b->second.predicted / b->second.n;
        if (std::abs(measured) < kApart) continue;
        ++count.pairs;
        if (measured * predicted > 0) ++count.right;
      }
    }
  }
  return count;
}

std::vector<SkipCount> skips_of(std::span<const MeasuredRow> rows) {
  std::map<std::string, std::size_t> counts;
  for (const MeasuredRow& row : rows) {
    if (!row.skipped.empty()) ++counts[row.skipped];
  }
  std::vector<SkipCount> skips;
  for (const auto& [reason, n] : counts) skips.push_back({reason, n});
  std::stable_sort(skips.begin(), skips.end(),
                   [](const SkipCount& a, const SkipCount& b) { return a.rows > b.rows; });
  return skips;
}

}  // namespace

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double at = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

Summary summarize(std::span<const MeasuredRow> rows, By by) {
  std::map<std::string, Group> groups;
  Errors primaries;
  std::optional<Metric> one;
  bool mixed = false;
  std::size_t skipped = 0;
  for (const MeasuredRow& row : rows) {
    Group& group = groups[std::string(name_in(row, by))];
    if (!row.skipped.empty()) ++group.skipped, ++skipped;
    for (const Comparison& c : row.comparisons) add(row, c.error(), group.metrics[c.metric]);
    if (!row.primary) continue;
    const Comparison& c = row.comparisons[*row.primary];
    add(row, c.error(), primaries);
    mixed = mixed || (one && *one != c.metric);
    one = c.metric;
  }
  Summary summary;
  for (const auto& [name, group] : groups) {
    if (group.metrics.empty()) summary.slices.push_back(slice_of(name, std::nullopt, {}));
    for (const auto& [metric, errors] : group.metrics)
      summary.slices.push_back(slice_of(name, metric, errors));
    const std::size_t added = std::max<std::size_t>(1, group.metrics.size());
    for (auto s = summary.slices.end() - static_cast<std::ptrdiff_t>(added);
         s != summary.slices.end(); ++s)
      s->skipped = group.skipped;
  }
  summary.overall = slice_of("overall", mixed ? std::nullopt : one, primaries);
  summary.overall.skipped = skipped;
  summary.skipped = skips_of(rows);
  summary.pairs = count_pairs(rows);
  return summary;
}

}  // namespace gpusel::workload
