// What the kinds share that run batches of items through a copy of a model on each GPU.
#pragma once

#include "gpusel/data/option.h"
#include "gpusel/workload/workload.h"

#include <optional>
#include <string>
#include <vector>

namespace gpusel::workload {

struct BatchRequest {
  std::optional<int> batch;
  std::optional<int> nodes;
  int max_nodes = 64;
  std::vector<Field> fields;
  std::vector<estimate::Assumption> assumptions;
  Traits traits;
};

/// The options that they share, as fields and assumptions of a request. Both must outlive it.
class BatchOptions {
 public:
  BatchOptions(const data::OptionReader& read, BatchRequest& request)
      : read_(read), request_(request) {}

  void assume(std::string id, std::string text, std::string value, std::string source = "default");
  void field(std::string_view option, double number, std::string text,
             Field::Type type = Field::Type::whole);
  /// `job` and `service` are the options that state the load, at most one of them.
  void resolve_load(std::string_view job, std::string_view service, std::string_view ranked_by,
                    double utilisation);
  /// --batch, --nodes and --max-nodes; `automatic` says how the batch is chosen.
  void resolve_layout(std::string automatic);
  /// Share of each GPU's memory kept free.
  double resolve_headroom();

 private:
  std::optional<int> number_or_auto(std::string_view option, int most);

  const data::OptionReader& read_;
  BatchRequest& request_;
};

/// Node counts that are tried up to `most`: doubled from `first`, and `most`.
std::vector<int> doubled(int first, int most);

class BatchWork : public Workload {
 public:
  [[nodiscard]] const Traits& traits() const override { return request().traits; }
  [[nodiscard]] std::span<const std::string_view> choice_names() const override;
  [[nodiscard]] std::string choice_text(std::size_t choice, int value) const override;
  [[nodiscard]] const std::vector<Field>& fields() const override { return request().fields; }
  [[nodiscard]] const std::vector<estimate::Assumption>& assumptions() const override {
    return request().assumptions;
  }

 private:
  [[nodiscard]] virtual const BatchRequest& request() const = 0;
};

}  // namespace gpusel::workload
