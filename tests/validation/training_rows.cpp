#include "training_rows.h"

#include "gpusel/base/text.h"
#include "gpusel/workload/software.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace gpusel::validation {
namespace {

using data::Origin;
using workload::Workload;

std::string cell(const Row& row, const std::string& key) {
  const auto at = row.find(key);
  return at == row.end() ? std::string() : at->second;
}
double number(const Row& row, const std::string& key, double otherwise = 0) {
  const std::string text = cell(row, key);
  return text.empty() ? otherwise : std::stod(text);
}

std::vector<std::string> split_line(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

// Families whose feed-forward part has two matrices.
bool is_plain(const std::string& model) {
  for (const char* name : {"gpt", "mpt", "bloom", "megatron", "mt-nlg", "nemotron4", "falcon",
                           "opt", "pythia", "starcoder", "neox"}) {
    if (model.find(name) != std::string::npos && model.rfind("gpt-oss", 0) != 0) return true;
  }
  return false;
}

std::string config_of(const Row& row) {
  const std::string model = cell(row, "model");
  std::string text =
      fmt::format(R"({{"model_type": "{}", "hidden_size": {}, "num_hidden_layers": {}, )"
                  R"("num_attention_heads": {}, "vocab_size": {}, "intermediate_size": {})",
                  is_plain(model) ? "opt" : "llama", cell(row, "hidden"), cell(row, "layers"),
                  cell(row, "heads"), cell(row, "vocab"), cell(row, "ffn"));
  if (!cell(row, "kv_heads").empty()) text += ", \"num_key_value_heads\": " + cell(row, "kv_heads");
  return text + ", \"tie_word_embeddings\": false}";
}

// Nominal rate per GPU where the source states none: usual in clusters of that time, Gbit/s.
double usual_network(const catalog::Gpu& gpu) {
  if (gpu.architecture == "hopper" || gpu.architecture == "blackwell") return 400;
  if (gpu.architecture == "ampere") return 200;
  return gpu.architecture == "volta" ? 25 : 100;
}

class Request {
 public:
  void set(std::string_view name, std::string value) {
    if (!value.empty()) values_.set(name, {std::move(value), {}, Origin::flag});
  }
  void set(std::string_view name, double value) { set(name, fmt::format("{:.0f}", value)); }
  [[nodiscard]] const data::OptionValues& values() const { return values_; }

 private:
  data::OptionValues values_;
};

struct Degrees {
  double gpus = 0, tp = 0, pp = 0, cp = 1, dp = 0, ep = 1, zero = 0, micro_batch = 1,
         interleave = 1;
  double global_batch = 0;
  std::string recompute;
};

// What a source leaves open, resolved as such runs were usually set up.
std::optional<Degrees> degrees_of(const Row& row, const std::string& framework, bool moe) {
  Degrees d;
  d.gpus = number(row, "gpu_count");
  const bool sharded = cell(row, "zero_stage") == "3";
  const double open = sharded || d.gpus == 1 ? 1 : 0;
  d.tp = number(row, "tp", open);
  d.pp = number(row, "pp", open);
  if (d.gpus < 1 || d.tp < 1 || d.pp < 1) return std::nullopt;
  d.cp = number(row, "cp", 1);
  d.dp = std::round(d.gpus / (d.tp * d.pp * d.cp));
  const double spread = std::min(number(row, "experts", 1), std::max(1.0, d.dp));
  d.ep = moe ? number(row, "ep", spread) : 1;
  const bool megatron = framework.rfind("megatron", 0) == 0;
  d.zero = number(row, "zero_stage", megatron && framework != "megatron-lm" ? 1 : 0);
  d.global_batch = number(row, "global_batch");
  const double share = d.global_batch / d.dp;
  const double s = number(row, "seq_len");
  double usual =
      d.pp > 1 ? (s >= 4096 || share < 16 * d.pp ? 1 : 2)
               : std::min({share, 4.0, std::max(1.0, std::floor((s > 4096 ? 8192 : 16384) / s))});
  if (framework == "megatron-lm" && d.pp == 1) usual = share;
  d.micro_batch = std::max(1.0, std::min(number(row, "micro_batch", usual), share));
  const bool core = framework == "megatron" || framework == "megatron-bridge";
  const double chunks = std::clamp(std::round(number(row, "layers") / (2 * d.pp)), 1.0, 8.0);
  d.interleave = std::max(1.0, number(row, "interleave", core && d.pp > 1 ? chunks : 1));
  d.recompute = cell(row, "activation_recompute");
  if (d.recompute.empty())
    d.recompute =
        framework == "megatron-lm" || framework == "megatron-deepspeed" || framework == "fsdp"
            ? "selective"
            : "none";
  return d;
}

catalog::Hardware hardware_of(const Row& row, const catalog::Catalog& catalog, std::size_t gpu) {
  catalog::Hardware hardware;
  hardware.gpu = static_cast<std::uint32_t>(gpu);
  const double gpus = number(row, "gpu_count");
  hardware.count = static_cast<int>(std::min(gpus, number(row, "gpus_per_node", 8)));
  const double network = number(row, "inter_node_network_gbps_per_gpu", 0);
  hardware.network =
      units::gbps((network > 0 ? network : usual_network(catalog.gpus[gpu])) * hardware.count);
  return hardware;
}

std::string slice_of(const Row& row, const catalog::Gpu& gpu, const std::string& framework,
                     bool moe) {
  const std::string family = cell(row, "id").substr(0, cell(row, "id").find('-'));
  if (moe) return "mixture of experts";
  if (family == "korthikanti" || family == "narayanan" || family == "megatron")
    return "Megatron papers, A100";
  if (family == "vtrain") return "vTrain, A100";
  if (family == "bigscience") return "BigScience, A100 and V100";
  if (gpu.architecture == "blackwell") return "recipes, Blackwell";
  if (framework == "llm-foundry") return "llm-foundry, A100 and H100";
  if (framework == "megatron-bridge") return "recipes, H100 and H200";
  if (framework == "megatron") return "independent Megatron, H800 and A800";
  return framework == "fsdp" ? "FSDP, A100 and H100" : "other software";
}

double measured_step(const Row& row) {
  const double step = number(row, "step_time_s");
  if (step > 0) return step;
  const double rate = number(row, "tokens_per_s_per_gpu") * number(row, "gpu_count");
  return rate > 0 ? number(row, "global_batch") * number(row, "seq_len") / rate : 0;
}

// Of the whole process, in bytes. BigScience printed GiB under the name GB; the others here say
// what they mean. Figures of the allocator alone (Korthikanti) are another quantity.
double measured_memory(const Row& row) {
  const std::string id = cell(row, "id");
  if (id.rfind("korthikanti", 0) == 0) return 0;
  const bool binary =
      id.rfind("bigscience", 0) == 0 && cell(row, "memory_unit_reported").rfind("G", 0) == 0;
  return number(row, "peak_memory_gb_per_gpu") * (binary ? units::kGibi : units::kGiga);
}

estimate::Plan plan_of(const Degrees& d, const Workload& work) {
  estimate::Plan plan;
  const std::map<std::string_view, double> values = {
      {"tp", d.tp},
      {"pp", d.pp},
      {"dp", d.dp},
      {"ep", d.ep},
      {"cp", d.cp},
      {"zero", d.zero},
      {"micro_batch", d.micro_batch},
      {"interleave", d.interleave},
      {"recompute", d.recompute == "full"        ? 2
                    : d.recompute == "selective" ? 1
                                                 : 0}};
  const auto names = work.choice_names();
  for (std::size_t i = 0; i < names.size(); ++i)
    plan.choices[i] = static_cast<int>(values.at(names[i]));
  return plan;
}

Request request_of(const Row& row, const Degrees& d, const std::string& framework,
                   const std::string& model) {
  Request request;
  request.set("model", model);
  request.set("framework", framework);
  request.set("seq-len", number(row, "seq_len"));
  request.set("global-batch", d.global_batch);
  const std::string dtype = cell(row, "dtype");
  request.set("dtype", dtype.empty() ? std::string("bf16") : dtype);
  request.set("tokens", std::string("1T"));
  const std::string sequence_parallel = cell(row, "sequence_parallel");
  if (!sequence_parallel.empty())
    request.set("sequence-parallel", std::string(sequence_parallel == "yes" ? "on" : "off"));
  const std::string date = cell(row, "date").substr(0, 7);
  if (date.size() == 7) request.set("software-date", date + "-15");
  return request;
}

}  // namespace

std::vector<Row> read_table(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  std::vector<std::string> header;
  std::vector<Row> rows;
  while (std::getline(lines, line)) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> cells = split_line(line);
    if (header.empty()) {
      header = cells;
      continue;
    }
    Row row;
    for (std::size_t i = 0; i < std::min(header.size(), cells.size()); ++i)
      row[header[i]] = cells[i];
    rows.push_back(std::move(row));
  }
  return rows;
}

Shipped::Shipped(const std::string& folder)
    : set(data::DataSet::open({{data::Root::Kind::path, folder}}, system_files(), faults)),
      catalog(catalog::load_catalog(set, faults)),
      models(workload::load_models(set, faults)) {}

std::optional<Prediction> predict(Shipped& shipped, const Row& row, std::string& why) {
  const auto refuse = [&](std::string text) {
    why = std::move(text);
    return std::nullopt;
  };
  const auto gpu =
      std::find_if(shipped.catalog.gpus.begin(), shipped.catalog.gpus.end(),
                   [&](const catalog::Gpu& g) { return g.id.text() == cell(row, "gpu_id"); });
  if (gpu == shipped.catalog.gpus.end()) return refuse("gpu");
  diag::Buffer faults;
  const auto framework = workload::framework_named(shipped.set, cell(row, "framework"), faults);
  if (!framework) return refuse("framework");
  const workload::ModelCard* card = shipped.models.find(cell(row, "model"));
  const bool moe = number(row, "experts") > 1;
  const bool same = card != nullptr &&
                    card->layers == static_cast<int>(number(row, "layers", card->layers)) &&
                    card->hidden == static_cast<int>(number(row, "hidden", card->hidden));
  if (!same &&
      (moe || cell(row, "ffn").empty() || cell(row, "vocab").empty() || cell(row, "heads").empty()))
    return refuse("model");
  const auto d = degrees_of(row, *framework, moe);
  if (!d || number(row, "global_batch") <= 0 || number(row, "seq_len") <= 0)
    return refuse("layout");

  const Request request =
      request_of(row, *d, *framework, same ? card->id.text() : std::string("row.json"));
  const Files files = memory_files({{"row.json", config_of(row)}});
  const workload::Context context{&shipped.catalog, &shipped.set, &files};
  const std::unique_ptr<const Workload> work =
      workload::find_kind("llm-train")->make(request.values(), context, faults);
  if (work == nullptr) return refuse(faults.all().front().message);

  const catalog::Hardware hardware = hardware_of(
      row, shipped.catalog, static_cast<std::size_t>(gpu - shipped.catalog.gpus.begin()));
  const estimate::Machine machine = estimate::make_machine(
      shipped.catalog, hardware, std::max(1, static_cast<int>(d->gpus) / hardware.count));
  if (machine.curves == nullptr || work->bound(machine).time == units::Seconds{})
    return refuse("refused");
  const estimate::Estimate estimate = work->explain(plan_of(*d, *work), machine);
  Prediction p{cell(row, "id"), slice_of(row, *gpu, *framework, moe), measured_step(row), 0, 0, 0};
  for (const estimate::Ledger& ledger : estimate.ledgers) {
    if (ledger.id == "time") p.step = ledger.total();
    if (ledger.id == "memory") p.memory = ledger.total();
  }
  p.measured_memory = measured_memory(row);
  return p;
}

}  // namespace gpusel::validation
