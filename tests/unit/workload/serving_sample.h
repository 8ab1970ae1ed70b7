// Shipped data and machines of it, for tests of the serving and rendering kinds.
#pragma once

#include "gpusel/base/io.h"
#include "gpusel/base/text.h"
#include "gpusel/workload/workload.h"

#include <deque>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace gpusel::workload::test {

inline std::string data_folder() {
  const std::filesystem::path here(__FILE__);
  return (here.parent_path() / "../../../data").lexically_normal().string();
}

/// The data folder with machines made on demand.
struct Shipped {
  Files files = system_files();
  diag::Buffer faults;
  data::DataSet set;
  catalog::Catalog catalog;
  std::deque<catalog::Hardware> hardware;

  Shipped()
      : set(data::DataSet::open({{data::Root::Kind::path, data_folder()}}, files, faults)),
        catalog(catalog::load_catalog(set, faults)) {}

  const catalog::Gpu& gpu(std::string_view name) const {
    const auto found = catalog.gpus_named(name);
    if (found.size() != 1) throw std::invalid_argument("GPU " + std::string(name));
    return catalog.gpus[found[0]];
  }
  const catalog::Hardware& node(std::string_view gpu_name, int count) {
    catalog::Hardware h;
    h.gpu = catalog.gpus_named(gpu_name).at(0);
    h.count = count;
    h.network = units::gbps(400.0 * count);
    hardware.push_back(h);
    return hardware.back();
  }
  estimate::Machine machine(std::string_view gpu_name, int count, int nodes = 1) {
    return estimate::make_machine(catalog, node(gpu_name, count), nodes);
  }
};

inline Shipped& shipped() {
  static Shipped data;
  return data;
}

using Options = std::vector<std::pair<std::string, std::string>>;

inline Options with(Options options, const Options& extra) {
  options.insert(options.end(), extra.begin(), extra.end());
  return options;
}

struct Made {
  std::unique_ptr<const Workload> work;
  std::vector<diag::Diagnostic> faults;
};

inline Made make(std::string_view kind, const Options& options) {
  data::OptionValues values;
  for (const auto& [name, text] : options) values.set(name, {text, {}, data::Origin::flag});
  Shipped& s = shipped();
  const Context context{&s.catalog, &s.set, &s.files};
  diag::Buffer faults;
  Made made;
  made.work = find_kind(kind)->make(values, context, faults);
  made.faults = faults.all();
  return made;
}

inline std::unique_ptr<const Workload> work(std::string_view kind, const Options& options) {
  Made made = make(kind, options);
  if (!made.work) throw std::invalid_argument(made.faults.empty() ? "?" : made.faults[0].message);
  return std::move(made.work);
}

inline double total_of(const estimate::Estimate& estimate, std::string_view id) {
  for (const estimate::Ledger& ledger : estimate.ledgers) {
    if (ledger.id == id) return ledger.total();
  }
  throw std::invalid_argument("no ledger " + std::string(id));
}

}  // namespace gpusel::workload::test
