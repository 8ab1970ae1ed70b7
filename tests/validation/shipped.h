// The shipped data, and the rows of a file of this folder as `gpusel validate` predicts them.
#pragma once

#include "gpusel/base/io.h"
#include "gpusel/catalog/catalog.h"
#include "gpusel/workload/measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace gpusel::validation {

inline std::vector<workload::MeasuredRow> rows_of(const std::string& name) {
  diag::Buffer faults;
  const Files files = system_files();
  auto set = data::DataSet::open({{data::Root::Kind::builtin, ""}}, memory_files({}), faults);
  const catalog::Catalog catalog = catalog::load_catalog(set, faults);
  const auto text =
      files.read(std::string(GPUSEL_SOURCE_DIR) + "/tests/validation/" + name + ".csv");
  if (!text) throw std::runtime_error(text.error().message);
  const workload::Context context{&catalog, &set, &files};
  auto table =
      workload::MeasuredRows::open(diag::make_source(name + ".csv", *text), context, faults);
  std::vector<workload::MeasuredRow> rows;
  while (table) {
    auto row = table->next();
    if (!row) break;
    rows.push_back(*std::move(row));
  }
  for (const diag::Diagnostic& fault : faults.all())
    throw std::runtime_error(fmt::format("{}:{}: {}", name, fault.span.line, fault.message));
  return rows;
}

struct Score {
  double median = 0;
  double p90 = 0;
};
/// Prints a line of the table of errors.
inline Score print(std::string_view name, std::string_view metric,
                   const std::vector<double>& errors) {
  std::vector<double> sizes;
  for (const double e : errors) sizes.push_back(std::abs(e));
  const Score score{workload::quantile(sizes, 0.5), workload::quantile(sizes, 0.9)};
  fmt::print("{:38}{:18} n {:3}  median {:5.1f} %  p90 {:5.1f} %  bias {:+5.1f} %\n", name, metric,
             errors.size(), 100 * score.median, 100 * score.p90,
             100 * workload::quantile(errors, 0.5));
  return score;
}

}  // namespace gpusel::validation
