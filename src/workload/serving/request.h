// A serving request of the user, resolved: every option has a value, every default is an
// assumption.
#pragma once

#include "load.h"

#include "gpusel/workload/workload.h"

#include <optional>
#include <vector>

namespace gpusel::workload::serving {

struct Request {
  ModelCard card;
  double nominal_params = 0;  // as asked, else of the card
  Shape shape;
  Engine engine;
  Profile profile;
  WeightFormat format;
  std::vector<WeightFormat> formats;  // to choose from, widest first; one unless left to the search
  std::optional<double> kv_value_bytes;  // none: the engine's choice
  Traffic traffic;
  Speculation speculation;
  double max_context = 0;  // tokens; one such sequence must fit
  Limits limits{};
  std::optional<double> rate;     // requests per second, of all replicas
  std::optional<double> clients;  // of all replicas
  int min_replicas = 1;
  std::optional<int> tensor;
  std::optional<int> pipeline;
  std::optional<int> nodes;
  int max_nodes = 64;
  std::optional<double> headroom;  // share of each GPU kept free
  bool document = false;           // the source documents' formulas are asked for
  std::vector<Field> fields;
  std::vector<estimate::Assumption> assumptions;
  Traits traits;
};

/// Reports every fault; nullopt after one.
std::optional<Request> resolve(const data::OptionValues& values, const Context& context,
                               diag::Sink& sink);

}  // namespace gpusel::workload::serving
