// Published training runs: a row of a table becomes option values and a machine, and takes the way
// of every request.
#pragma once

#include "gpusel/catalog/catalog.h"
#include "gpusel/data/data_set.h"
#include "gpusel/workload/model.h"
#include "gpusel/workload/workload.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpusel::validation {

using Row = std::map<std::string, std::string>;

/// Comma-separated text with a header; cells may be quoted. Lines that begin with '#' are left out.
std::vector<Row> read_table(const std::string& text);

/// The shipped data.
struct Shipped {
  explicit Shipped(const std::string& folder);
  Shipped(const Shipped&) = delete;
  Shipped& operator=(const Shipped&) = delete;
  diag::Buffer faults;
  data::DataSet set;
  catalog::Catalog catalog;
  workload::ModelSet models;
};

struct Prediction {
  std::string id;
  std::string slice;
  double measured_step = 0;  // s; 0 where not stated
  double step = 0;
  double measured_memory = 0;  // bytes; 0 where not stated
  double memory = 0;
};
/// Empty where the row lacks something; `why` says what.
std::optional<Prediction> predict(Shipped& shipped, const Row& row, std::string& why);

}  // namespace gpusel::validation
