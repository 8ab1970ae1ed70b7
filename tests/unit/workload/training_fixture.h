// A small catalog of its own and the shipped models, for tests of workloads.
#pragma once

#include "gpusel/catalog/catalog.h"
#include "gpusel/data/data_set.h"
#include "gpusel/workload/model.h"
#include "gpusel/workload/workload.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gpusel::test {

struct Data {
  Data();
  Data(const Data&) = delete;
  Data& operator=(const Data&) = delete;
  diag::Buffer faults;
  data::DataSet set;
  catalog::Catalog catalog;
  workload::ModelSet models;
};
/// The shipped data, loaded once.
Data& data();

/// So many GPUs of a catalog GPU to a node, with a network of so many Gbit/s per GPU.
catalog::Hardware hardware(std::string_view gpu, int count, double gbps_per_gpu);

using Options = std::vector<std::pair<std::string, std::string>>;
/// Work of a kind from its options; the messages of faults in `why`.
std::unique_ptr<const workload::Workload> made(std::string_view kind, const Options& options,
                                               std::string* why = nullptr);

/// llm-train from `name=value` pairs; the messages of faults in `why`.
std::unique_ptr<const workload::Workload> training(
    std::initializer_list<std::pair<const char*, const char*>> options, std::string* why = nullptr);

}  // namespace gpusel::test
