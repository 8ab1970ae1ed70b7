// What a machine can hold of a decoder model: in which formats of the weights, and how long a
// sequence.
//
//   Result<Holdings> holdings = Holdings::open(data, {"vllm", 8192}, sink);
//   for (const FormatHolding& f : holdings->of(card, machine)) …
#pragma once

#include "gpusel/estimate/fit.h"
#include "gpusel/estimate/machine.h"
#include "gpusel/estimate/plan.h"
#include "gpusel/workload/model.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpusel::workload {

struct HoldingRequest {
  std::string engine;
  double context = 0;  // tokens of the sequences that are counted
};

/// One model in one format on one machine. Memory is that of one GPU.
struct FormatHolding {
  std::string format;
  estimate::Judgement judgement;  // whether the weights and one sequence fit
  std::optional<estimate::DoesNotFit> misfit;
  units::Bytes weights;         // in the layout of the longest sequence; zero where none fits
  double context = 0;           // tokens of the sequence: as asked, or the model's most if shorter
  double longest = 0;           // tokens of one sequence at most; zero where nothing is left for it
  bool bound_by_model = false;  // `longest` is what the model reads at most
  double sequences = 0;         // of `context` tokens at once, all replicas; zero where none fits
  std::vector<int> degrees;     // tensor, pipeline, data, expert of the longest sequence
};

class Holdings {
 public:
  /// Fails where no engine has the name; faults of the data are reported.
  static Result<Holdings> open(data::DataSet& data, HoldingRequest request, diag::Sink& sink);
  Holdings(Holdings&&) noexcept;
  Holdings& operator=(Holdings&&) noexcept;
  ~Holdings();

  [[nodiscard]] std::string engine_name() const;
  [[nodiscard]] std::string engine_versions() const;
  /// Share of each GPU's memory that the engine fills.
  [[nodiscard]] double memory_share() const;
  /// In the formats that the engine serves the model in, widest first.
  [[nodiscard]] std::vector<FormatHolding> of(const ModelCard& card,
                                              const estimate::Machine& machine) const;

 private:
  struct Setup;
  explicit Holdings(std::unique_ptr<Setup> setup);
  std::unique_ptr<Setup> setup_;
};

}  // namespace gpusel::workload
