#include "serving_rows.h"

#include "../../src/workload/serving/constants.h"
#include "../../src/workload/serving/load.h"

#include "gpusel/base/io.h"
#include "gpusel/base/number.h"
#include "gpusel/base/text.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <stdexcept>

namespace gpusel::validation {
namespace {

using workload::serving::Replica;
// A run that was published did fit, whatever the formulas say of the last few gigabytes.
constexpr double kLeastPool = 0.02;  // share of the memory
using Cells = std::map<std::string, std::string, std::less<>>;

double number(const Cells& cells, std::string_view key) {
  const Result<double> value = parse_number(cells.find(key)->second);
  if (!value) throw std::runtime_error(cells.find("id")->second + ": " + std::string(key));
  return *value;
}
int whole(const Cells& cells, std::string_view key) { return static_cast<int>(number(cells, key)); }
std::optional<double> maybe(const Cells& cells, std::string_view key, double scale) {
  if (cells.find(key)->second.empty()) return std::nullopt;
  return number(cells, key) * scale;
}

ServingRow row_of(const Cells& c) {
  const auto text = [&](std::string_view key) { return c.find(key)->second; };
  ServingRow row{text("id"),
                 text("kind"),
                 text("model"),
                 text("gpu"),
                 whole(c, "tp"),
                 whole(c, "pp"),
                 whole(c, "ep"),
                 whole(c, "dp"),
                 whole(c, "replicas"),
                 text("weights_dtype"),
                 text("kv_dtype"),
                 text("engine"),
                 text("profile"),
                 number(c, "input_tokens"),
                 number(c, "output_tokens"),
                 number(c, "load"),
                 {},
                 {},
                 {},
                 {}};
  row.ttft = maybe(c, "ttft_ms", 1e-3);
  row.tpot = maybe(c, "tpot_ms", 1e-3);
  row.whole = maybe(c, "e2e_ms", 1e-3);
  row.throughput = maybe(c, "output_tokens_per_s", 1);
  return row;
}

ServingPrediction static_batch(const Replica& r, double load, units::Bytes pool) {
  constexpr double kMeanAnswer = 0.75;  // share of the answers that the cache holds on average
  const double tokens = r.traffic.prompt + kMeanAnswer * r.traffic.answer;
  const double most = std::max(1.0, sequences_that_fit(r, pool, tokens));
  const double running = std::min(load, most);
  const double step = units::in_seconds(
      total(step_time(r, {running, r.traffic.prompt + r.traffic.answer / 2, 0, 0})));
  ServingPrediction p;
  p.ttft = units::in_seconds(prefill_time(r, load));
  p.tpot = step;
  p.whole = p.ttft + std::max(0.0, r.traffic.answer - 1) * step * load / running;
  p.throughput = load * r.traffic.answer / p.whole;
  return p;
}

// The better of the layout of the row and, for a mixture of experts on TensorRT-LLM, of attention
// as data parallel ranks over experts spread on all of them: published throughput tables choose it
// and rarely say so.
double best_offline_rate(const ServingRow& row, const Replica& r, units::Bytes pool) {
  constexpr double kMostWeights = 0.85;  // share of the memory
  const double rate = offline_rate(r, pool);
  const bool alone = row.pipeline == 1 && row.data == 1 && row.tensor > 1;
  if (r.shape->expert_layers == 0 || row.engine != "trt-llm" || !alone) return rate;
  Replica spread = r;
  spread.layout = {1, 1, row.tensor, row.tensor};
  const units::Bytes weights = weights_per_gpu(spread);
  if (weights > r.device->memory * kMostWeights) return rate;
  const units::Bytes left = cache_pool(spread, r.device->memory * r.profile->memory_share);
  return std::max(rate, offline_rate(spread, std::max(left, r.device->memory * kLeastPool)));
}

ServingPrediction run(const ServingRow& row, const Replica& r, units::Bytes pool) {
  ServingPrediction p;
  const double fit =
      std::max(1.0, sequences_that_fit(r, pool, r.traffic.prompt + r.traffic.answer));
  if (row.kind == "closed-loop") {
    const auto o = closed_loop(r, row.load / row.replicas, fit);
    p.ttft = units::in_seconds(o.ttft());
    p.tpot = units::in_seconds(o.token.mean());
    p.throughput = o.rate * row.replicas * row.answer;
  } else if (row.kind == "offline-max") {
    p.throughput = best_offline_rate(row, r, pool) * row.replicas * row.answer;
  } else if (row.kind == "static-batch") {
    p = static_batch(r, row.load, pool);
  } else if (row.kind == "prefill") {
    p.ttft = units::in_seconds(prefill_time(r, row.load));
  } else if (row.kind == "decode") {
    const double context = row.prompt + row.answer / 2;
    p.tpot = units::in_seconds(total(step_time(r, {row.load, context, 0, 0})));
    p.throughput = row.load / p.tpot;
  } else if (row.kind == "online-rate") {
    const auto o = open_loop_at(r, row.load / row.replicas, fit);
    p.ttft = units::in_seconds(o.ttft());
    p.tpot = units::in_seconds(o.token.mean());
    p.throughput = o.rate * row.replicas * row.answer;
  }
  p.fit = fit;
  return p;
}

}  // namespace

std::vector<ServingRow> read_serving_rows(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::string line;
  std::getline(file, line);
  std::vector<std::string> columns;
  for (const std::string_view c : split(trim(line), ',')) columns.emplace_back(c);
  std::vector<ServingRow> rows;
  while (std::getline(file, line)) {
    const std::vector<std::string_view> parts = split(trim(line), ',');
    if (parts.size() != columns.size()) throw std::runtime_error("columns of: " + line);
    Cells cells;
    for (std::size_t i = 0; i < parts.size(); ++i) cells[columns[i]] = std::string(parts[i]);
    rows.push_back(row_of(cells));
  }
  return rows;
}

ServingData load_serving_data() {
  diag::Buffer faults;
  auto set = data::DataSet::open({{data::Root::Kind::builtin, ""}}, memory_files({}), faults);
  ServingData data;
  data.catalog = catalog::load_catalog(set, faults);
  data.models = workload::load_models(set, faults);
  data.engines = workload::serving::load_engines(set, faults);
  for (const diag::Diagnostic& fault : faults.all()) {
    if (fault.severity == diag::Severity::error) throw std::runtime_error(fault.message);
  }
  return data;
}

std::optional<ServingPrediction> predict(const ServingRow& row, const ServingData& data) {
  namespace sv = workload::serving;
  const workload::ModelCard* card = data.models.find(row.model);
  const auto gpus = data.catalog.gpus_named(row.gpu);
  const sv::Engine* engine = data.engines.find(row.engine);
  const sv::Profile* profile = engine != nullptr ? engine->profile(row.profile) : nullptr;
  const sv::WeightFormat* format = sv::find_weight_format(row.weights);
  if (card == nullptr || gpus.size() != 1 || profile == nullptr || format == nullptr) return {};
  const catalog::Gpu& gpu = data.catalog.gpus[gpus[0]];
  const auto weights = sv::resolve_weights(*format, *card, gpu, *profile);
  if (!weights) return {};
  const auto device = sv::device_of(gpu, *weights, *profile);
  if (!device) return {};
  const sv::Shape shape = sv::shape_of(*card);
  Replica r;
  r.shape = &shape;
  r.device = &*device;
  r.profile = profile;
  r.weights = *weights;
  r.kv_value_bytes = sv::kv_value_bytes(row.kv).value_or(sv::default_kv_bytes(*weights, *profile));
  r.layout = {row.tensor, row.pipeline, row.data, row.expert};
  r.traffic = {row.prompt, row.answer};
  const units::Bytes pool =
      std::max(device->memory * kLeastPool, cache_pool(r, device->memory * profile->memory_share));
  return run(row, r, pool);
}

}  // namespace gpusel::validation
