#include "encoding_run.h"

#include "../encoding/request.h"
#include "../encoding/work.h"

#include "gpusel/base/number.h"

#include <cmath>

namespace gpusel::workload::measured {
namespace {

using encoding::PassModel;
using encoding::Request;

constexpr double kPerThousand = 1e-3;  // milliseconds

OrSkip<Request> request_of(const Cells& cells, const Context& context, const ModelCard& card) {
  if (!cells.positive("input_len")) return Skip{"input_len is not stated"};
  if (encoding::find_software(cells.text("engine")) == nullptr)
    return Skip{"engine '" + cells.text("engine") + "' is not known for encoders"};
  const Context compare{context.catalog, context.data, context.files, Purpose::compare};
  RunOptions options(cells);
  options.set("model", card.id.text(), "model");
  options.set("engine", cells.text("engine"), "engine");
  options.set("weights-dtype", cells.text("weights_dtype"), "weights_dtype");
  options.set("seq-len", std::round(*cells.positive("input_len")), "input_len");
  if (parse_number(cells.text("concurrency_or_batch")))
    options.set("batch", cells.text("concurrency_or_batch"), "concurrency_or_batch");
  diag::Buffer faults;
  auto request = encoding::resolve(options.values(), compare, faults);
  if (!request) return Skip{faults.all().front().message};
  return *std::move(request);
}

}  // namespace

bool is_encoding_run(const Cells& cells) { return cells.text("kind") == "encode"; }

OrSkip<Predicted> predict_encoding(const Cells& cells, const Context& context,
                                   const ModelNames& models) {
  const auto gpu = gpu_of(cells, *context.catalog);
  if (!gpu) return gpu.error();
  const ModelCard* card = models.find(cells.text("model"));
  if (card == nullptr) return Skip{"model '" + cells.text("model") + "' is not known"};
  const double gpus = cells.number("gpu_count", 0);
  if (gpus < 1 || gpus > kMostGpus) return Skip{"gpu_count is missing"};
  const auto request = request_of(cells, context, *card);
  if (!request) return request.error();
  catalog::Hardware hardware;
  hardware.gpu = static_cast<std::uint32_t>(*gpu);
  hardware.count = 1;
  const estimate::Machine machine = estimate::make_machine(*context.catalog, hardware, 1);
  if (const auto why = PassModel::refusal(request->job, machine)) return Skip{why->text};
  const PassModel model(request->job, machine);
  const double batch = request->batch ? *request->batch : encoding::usual_batch(request->job);
  const double seconds =
      units::in_seconds(estimate::total(model.time(batch), encoding::kTimeTerms));
  Predicted predicted{
      std::string(request->job.software.id), std::string(data::name_of(model.format())), {}};
  if (const auto e2e = cells.positive("e2e_ms"))
    predicted.comparisons.push_back({Metric::whole_time, *e2e * kPerThousand, seconds});
  if (const auto rate = cells.positive("requests_per_s"))
    predicted.comparisons.push_back({Metric::request_rate, *rate, gpus * batch / seconds});
  return predicted;
}

}  // namespace gpusel::workload::measured
