// Published serving results, and what the model says of each.
#pragma once

#include "../../src/workload/serving/engine.h"

#include "gpusel/catalog/catalog.h"
#include "gpusel/workload/model.h"

#include <optional>
#include <string>
#include <vector>

namespace gpusel::validation {

/// One published run. Rates, times and sizes in SI units; a figure that was not published is empty.
struct ServingRow {
  std::string id;
  std::string kind;  // closed-loop, offline-max, static-batch, decode, prefill
  std::string model;
  std::string gpu;
  int tensor = 1;
  int pipeline = 1;
  int expert = 1;
  int data = 1;
  int replicas = 1;
  std::string weights;
  std::string kv;  // empty: the engine's choice
  std::string engine;
  std::string profile;
  double prompt = 0;
  double answer = 0;
  double load = 0;  // clients or sequences of all replicas; 0: as many as fit
  std::optional<double> ttft;
  std::optional<double> tpot;
  std::optional<double> whole;       // s, of a batch
  std::optional<double> throughput;  // output tokens/s
};

/// The rows of a file whose first line names the columns; throws std::runtime_error on a fault.
std::vector<ServingRow> read_serving_rows(const std::string& path);

struct ServingPrediction {
  double ttft = 0;
  double tpot = 0;
  double whole = 0;
  double throughput = 0;
  double fit = 0;  // sequences
};

struct ServingData {
  catalog::Catalog catalog;
  workload::ModelSet models;
  workload::serving::EngineSet engines;
};
/// The shipped data; throws std::runtime_error when it has a fault.
ServingData load_serving_data();

/// nullopt where a name is not known or the format cannot run.
std::optional<ServingPrediction> predict(const ServingRow& row, const ServingData& data);

}  // namespace gpusel::validation
