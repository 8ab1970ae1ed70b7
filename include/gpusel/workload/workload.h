// Workload: a piece of work, resolved; it alone knows how it can be laid out on a machine.
//
//   const WorkloadKind* kind = find_kind("llm-train");
//   std::unique_ptr<const Workload> work = kind->make(options, context, sink);
//   Verdict<Plan> plan = work->search(machine, counter);
#pragma once

#include "gpusel/base/io.h"
#include "gpusel/catalog/catalog.h"
#include "gpusel/data/data_set.h"
#include "gpusel/data/option.h"
#include "gpusel/estimate/machine.h"
#include "gpusel/estimate/plan.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpusel::workload {

/// A job ends; a service runs on and is costed per month.
enum class Nature { job, service };

/// One resolved field: what the work is, with its origin.
struct Field {
  std::string key;    // snake_case
  double number = 0;  // where `is_number`
  std::string text;   // as shown
  enum class Type { text, number, whole, boolean } type = Type::text;
  bool defaulted = false;
  bool headline = false;  // belongs into the one line that says what the work is, default or not
};

/// What the work is resolved for. A run that took place is compared with its estimate: what only
/// advises, such as the context that a model was made for, does not bind it.
enum class Purpose { plan, compare };

/// Everything that a kind may read beside its options.
struct Context {
  const catalog::Catalog* catalog = nullptr;
  data::DataSet* data = nullptr;
  const Files* files = nullptr;
  Purpose purpose = Purpose::plan;
};

/// Counts the layouts that a search evaluated.
struct SearchCount {
  std::uint64_t evaluated = 0;
};

/// A price of a list: `provider/model`, and where it is read.
struct ApiListing {
  std::string name;
  catalog::Citation citation;
};

/// Prices of a metered API, per token.
struct ApiPrice {
  units::UsdPerItem input;
  units::UsdPerItem output;
  std::optional<ApiListing> listing;  // none where the user says the prices
};

/// What the cost of a service that is counted in tokens depends on.
struct TokenService {
  double prompt = 0;  // tokens of the mean request
  double answer = 0;
  double duty = 1;  // share of the month at the load
  std::optional<ApiPrice> api;
};

/// What rules may ask about the work.
struct Traits {
  bool trains = false;
  std::string dtype = "auto";  // as asked
  bool checkpointing = false;
  bool open_load = false;  // a service without a stated load: ranked by the price of a unit of work
  std::optional<units::Bytes> scene_memory;
  bool sees_host_memory = false;  // plans differ with the memory of hosts
  std::optional<TokenService> tokens;
};

class Workload {
 public:
  Workload() = default;
  Workload(const Workload&) = delete;
  Workload& operator=(const Workload&) = delete;
  virtual ~Workload() = default;

  [[nodiscard]] virtual std::string_view kind() const = 0;
  [[nodiscard]] virtual Nature nature() const = 0;
  [[nodiscard]] virtual const Traits& traits() const = 0;
  /// The unit of throughput: "tokens/s", "requests/s", "frames/s"; and of a unit price: "1M
  /// tokens", "frame".
  [[nodiscard]] virtual std::string_view throughput_unit() const = 0;
  /// Names of Plan::choices in their order (tp, pp, dp, …).
  [[nodiscard]] virtual std::span<const std::string_view> choice_names() const = 0;
  /// The text of one choice: "8", or "selective" for recompute.
  [[nodiscard]] virtual std::string choice_text(std::size_t index, int value) const = 0;

  [[nodiscard]] virtual const std::vector<Field>& fields() const = 0;
  [[nodiscard]] virtual const std::vector<estimate::Assumption>& assumptions() const = 0;

  /// Node counts worth a look, rising.
  [[nodiscard]] virtual std::vector<int> node_counts(const catalog::Catalog& catalog,
                                                     const catalog::Hardware& hardware) const = 0;
  [[nodiscard]] virtual estimate::Bound bound(const estimate::Machine& machine) const = 0;
  /// The fastest layout that fits, within the user's fixed choices; for one machine it is the
  /// cheapest too.
  [[nodiscard]] virtual estimate::Verdict<estimate::Plan> search(const estimate::Machine& machine,
                                                                 SearchCount& count) const = 0;
  [[nodiscard]] virtual estimate::Estimate explain(const estimate::Plan& plan,
                                                   const estimate::Machine& machine) const = 0;
};

/// One constant per file `kind_<id>.cpp`, found by the registry.
struct WorkloadKind {
  std::string_view id;
  std::string_view summary;
  std::span<const data::OptionSpec> options;
  /// Reports every fault; nullptr after one.
  std::unique_ptr<const Workload> (*make)(const data::OptionValues&, const Context&, diag::Sink&);
};

std::span<const WorkloadKind* const> kinds();
/// By id, or by a short name (`training`, `inference`).
const WorkloadKind* find_kind(std::string_view name);

/// The kinds of data files that workloads read.
std::span<const data::FileShape* const> file_shapes();

/// Reads every data file that workloads use (models, frameworks, engines, scores, presets) and
/// reports its faults.
void check_data(data::DataSet& data, const catalog::Catalog& catalog, diag::Sink& sink);

}  // namespace gpusel::workload
