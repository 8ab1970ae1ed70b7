// A training row: its cells as the options and the layout of llm-train.
#include "../llm/framework.h"
#include "../llm/layout.h"
#include "encoder_run.h"
#include "notes.h"
#include "run.h"

#include <fmt/format.h>

#include <cmath>

namespace gpusel::workload::measured {
namespace {

// Nominal rate per GPU where the source states none: usual in clusters of that time, Gbit/s.
double usual_network(const catalog::Gpu& gpu) {
  if (gpu.architecture == "hopper" || gpu.architecture == "blackwell") return 400;
  if (gpu.architecture == "ampere") return 200;
  return gpu.architecture == "volta" ? 25 : 100;
}

// Number format where the source states none: NVIDIA's recipes use FP8 where a GPU has it.
std::string format_of(const Cells& cells, const llm::Framework& framework,
                      const catalog::Gpu& gpu) {
  if (cells.has("dtype")) return cells.text("dtype");
  const bool tuned = framework.id == "megatron-bridge" && gpu.peak[catalog::NumberFormat::fp8];
  return tuned ? "fp8" : "auto";
}

struct Degrees {
  double gpus = 1;
  double tp = 1;
  double pp = 1;
  double cp = 1;
  double dp = 1;
  double ep = 1;
  double zero = 0;
  double micro_batch = 1;
  double global_batch = 1;
  double interleave = 1;
  llm::Recompute recompute = llm::Recompute::none;
};

// Where a source is silent about the micro-batch, as such runs were usually set up.
double usual_micro_batch(const Degrees& d, const Cells& cells, const llm::Framework& framework) {
  constexpr double kLong = 4096;          // tokens
  constexpr double kShortTokens = 16384;  // of a micro-batch
  constexpr double kLongTokens = 8192;
  const double share = d.global_batch / d.dp;
  const double s = cells.number("seq_len", 1);
  if (d.pp > 1) return s >= kLong || share < 16 * d.pp ? 1 : 2;
  if (framework.id == "megatron-lm") return share;
  const double most = std::floor((s > kLong ? kLongTokens : kShortTokens) / s);
  return std::min({share, 4.0, std::max(1.0, most)});
}

OrSkip<llm::Recompute> recompute_of(const Cells& cells, const llm::Framework& framework) {
  const std::string text = cells.text("activation_recompute");
  if (const auto kind = data::enum_of<llm::Recompute>(text)) return *kind;
  if (!text.empty()) return Skip{"activation_recompute '" + text + "' is not known"};
  const bool small =
      cells.number("params_total", framework.recompute_from) < framework.recompute_from;
  return small ? llm::Recompute::none : framework.recompute;
}

// What a source leaves open, resolved as such runs were usually set up.
OrSkip<Degrees> degrees_of(const Cells& cells, const llm::Framework& framework, bool moe) {
  Degrees d;
  d.gpus = cells.number("gpu_count", 0);
  if (d.gpus < 1) return Skip{"gpu_count is missing"};
  if (d.gpus > kMostGpus) return Skip{"gpu_count is above a million"};
  const bool settled = d.gpus == 1 || cells.number("zero_stage", 0) == 3 || is_encoder_run(cells);
  for (const auto& [column, value] : {std::pair{"tp", &d.tp}, {"pp", &d.pp}}) {
    *value = cells.number(column, settled ? 1 : 0);
    if (*value < 1) return Skip{fmt::format("the layout is not stated ({})", column)};
  }
  d.cp = std::max(1.0, cells.number("cp", 1));
  d.dp = std::round(d.gpus / (d.tp * d.pp * d.cp));
  if (d.dp < 1 || d.tp * d.pp * d.cp * d.dp != d.gpus)
    return Skip{"tp x pp x cp does not divide gpu_count"};
  const double spread = std::min(cells.number("experts", 1), d.dp);
  d.ep = moe ? std::max(1.0, cells.number("ep", spread)) : 1;
  const bool megatron = framework.id.starts_with("megatron");
  d.zero = cells.number("zero_stage", megatron && framework.id != "megatron-lm" ? 1 : 0);
  // One micro-batch per step where a source only states memory.
  d.global_batch = cells.number("global_batch", cells.number("micro_batch", 1) * d.dp);
  const double share = std::max(1.0, d.global_batch / d.dp);
  const double batch = cells.number("micro_batch", usual_micro_batch(d, cells, framework));
  d.micro_batch = std::clamp(batch, 1.0, share);
  const bool chunked = framework.id == "megatron" || framework.id == "megatron-bridge";
  const double chunks = std::clamp(std::round(cells.number("layers", 0) / (2 * d.pp)), 1.0, 8.0);
  d.interleave = std::max(1.0, cells.number("interleave", chunked && d.pp > 1 ? chunks : 1));
  constexpr double kMostChunks = 1024;
  constexpr double kMostStage = 3;
  if (d.interleave > kMostChunks) return Skip{"interleave is above 1024"};
  if (d.zero > kMostStage) return Skip{"zero_stage is none of 0 to 3"};
  const auto recompute = recompute_of(cells, framework);
  if (!recompute) return recompute.error();
  d.recompute = *recompute;
  return d;
}

estimate::Plan plan_of(const Degrees& d) {
  const llm::Layout layout{whole(d.tp),          whole(d.pp),         whole(d.dp),
                           whole(d.ep),          whole(d.cp),         whole(d.zero),
                           whole(d.micro_batch), whole(d.interleave), d.recompute};
  estimate::Plan plan;
  const auto choices = llm::choices_of(layout);
  for (std::size_t i = 0; i < choices.size(); ++i) plan.choices[i] = choices[i];
  return plan;
}

llm::MemoryReport reported(const Cells& cells, const llm::Framework& framework) {
  const std::string unit = cells.text("memory_unit_reported");
  if (unit.find("reserved") != std::string::npos) return llm::MemoryReport::reserved;
  const bool allocated = unit.find("allocated") != std::string::npos ||
                         unit.find("max_memory_usage") != std::string::npos;
  return allocated ? llm::MemoryReport::allocated : framework.memory_report;
}

// What torch counts in its allocator is less than the process holds. What a process holds is read
// from nvidia-smi, which prints MiB: a source that calls them GB means GiB.
double predicted_memory(const estimate::Ledger& ledger, llm::MemoryReport report,
                        std::string_view unit) {
  double sum = ledger.total();
  for (const estimate::LedgerLine& line : ledger.lines) {
    const bool outside = line.id == "overhead" && report != llm::MemoryReport::process;
    const bool unused = line.id == "fragmentation" && report == llm::MemoryReport::allocated;
    if (outside || unused) sum -= line.value;
  }
  const bool gigabytes = unit.starts_with("G") && !unit.starts_with("GiB");
  const bool mixed = gigabytes && report == llm::MemoryReport::process;
  return mixed ? sum * units::kGiga / units::kGibi : sum;
}

std::vector<Comparison> compare(const Cells& cells, const llm::Framework& framework,
                                const estimate::Estimate& estimate, double card) {
  std::vector<Comparison> all;
  for (const estimate::Ledger& ledger : estimate.ledgers) {
    // A step of an unknown batch says nothing.
    if (ledger.id == "time" && cells.positive("global_batch")) {
      const double step = ledger.total();
      const double tokens = cells.number("global_batch", 0) * cells.number("seq_len", 0);
      const auto per_gpu = cells.positive("tokens_per_s_per_gpu");
      const auto samples = cells.positive("samples_per_s");
      if (const auto measured = cells.positive("step_time_s")) {
        all.push_back({Metric::step_time, *measured, step});
      } else if (per_gpu) {
        all.push_back({Metric::throughput, *per_gpu * cells.number("gpu_count", 1), tokens / step});
      } else if (samples) {
        all.push_back({Metric::throughput, *samples * cells.number("seq_len", 1), tokens / step});
      }
    }
    const auto memory = cells.positive("peak_memory_gb_per_gpu");
    // No column says what was kept in the host's memory.
    if (ledger.id == "memory" && memory && !notes_of(cells.text("notes")).offloads) {
      const llm::MemoryReport report = reported(cells, framework);
      const double measured = *memory * units::kGiga;
      const double predicted = predicted_memory(ledger, report, cells.text("memory_unit_reported"));
      // Reserved memory near the card's is what the allocator took, an upper bound of the need.
      constexpr double kSaturated = 0.85;
      const bool bound = report == llm::MemoryReport::reserved && measured > kSaturated * card;
      if (!bound || predicted > measured) all.push_back({Metric::peak_memory, measured, predicted});
    }
  }
  return all;
}

// The kind of work of a row, and how it trains.
struct Work {
  std::string_view kind = "llm-train";
  std::string_view method;  // of fine-tuning
};
OrSkip<Work> work_of(const Cells& cells) {
  const std::string workload = cells.text("workload");
  if (workload.empty() || workload == "llm-pretrain" || workload == "llm-full-ft") return Work{};
  if (workload == "llm-lora") return Work{"llm-finetune", "lora"};
  if (workload == "llm-qlora") return Work{"llm-finetune", "qlora"};
  if (workload == "llm-adapter") return Skip{"adapters other than LoRA are not modelled"};
  if (is_encoder_run(cells)) return Work{"encoder-train", ""};
  return Skip{"workload '" + workload + "' is not modelled yet"};
}

// A row as it was read.
struct Row {
  const Cells& cells;
  const Work& kind;
  std::size_t gpu_index;
  const catalog::Gpu& gpu;
  const llm::Framework& framework;
  const ModelCell& model;
  const Degrees& degrees;
};

class TrainingPredictor final : public Predictor {
 public:
  TrainingPredictor(const Context& context, const ModelNames& models, diag::Sink& sink)
      : context_(context),
        models_(models),
        frameworks_(llm::load_frameworks(*context.data, sink)) {}

  [[nodiscard]] std::vector<Metric> primaries(const Cells&) const override {
    return {Metric::step_time, Metric::throughput};
  }

  [[nodiscard]] OrSkip<Predicted> predict(const Cells& cells) const override {
    const auto work = work_of(cells);
    if (!work) return work.error();
    const auto gpu = gpu_of(cells, *context_.catalog);
    if (!gpu) return gpu.error();
    const std::string name = cells.text("framework");
    const llm::Framework* framework = framework_of(cells);
    if (framework == nullptr) {
      return Skip{name.empty() ? "the framework is not stated"
                               : "framework '" + name + "' is not known"};
    }
    const auto model = model_of(cells, models_, 1);
    if (!model) return model.error();
    if (cells.number("seq_len", 0) < 1) return Skip{"seq_len is missing"};
    const bool batch = cells.number("global_batch", 0) >= 1;
    if (!batch && cells.number("micro_batch", 0) < 1) return Skip{"global_batch is missing"};
    const auto degrees = degrees_of(cells, *framework, model->moe);
    if (!degrees) return degrees.error();
    const Row row{cells, *work, *gpu, context_.catalog->gpus[*gpu], *framework, *model, *degrees};
    auto comparisons = run(row);
    if (!comparisons) return comparisons.error();
    return Predicted{framework->id, format_of(cells, *framework, row.gpu), *std::move(comparisons)};
  }

 private:
  [[nodiscard]] const llm::Framework* framework_of(const Cells& cells) const {
    const llm::Framework* framework = frameworks_.matching(cells.text("framework"));
    if (framework == nullptr) return framework;
    const Notes notes = notes_of(cells.text("notes"));
    const std::string id = notes.compiled ? framework->compiled
                           : notes.pure   ? framework->pure
                                          : std::string();
    const llm::Framework* variant = frameworks_.find(id);
    return variant == nullptr ? framework : variant;
  }
  [[nodiscard]] OrSkip<std::vector<Comparison>> run(const Row& row) const {
    const Files files = memory_files(row.model.files);
    const Context context{context_.catalog, context_.data, &files, Purpose::compare};
    diag::Buffer faults;
    const auto work = find_kind(row.kind.kind)->make(options_of(row).values(), context, faults);
    if (work == nullptr) return Skip{faults.all().front().message};
    const double gpus = row.degrees.gpus;
    catalog::Hardware hardware;
    hardware.gpu = static_cast<std::uint32_t>(row.gpu_index);
    hardware.count = std::max(1, whole(std::min(gpus, row.cells.number("gpus_per_node", 8))));
    if (whole(gpus) % hardware.count != 0) return Skip{"gpu_count is no multiple of gpus_per_node"};
    const double network =
        row.cells.positive("inter_node_network_gbps_per_gpu").value_or(usual_network(row.gpu));
    hardware.network = units::gbps(network * hardware.count);
    const estimate::Machine machine =
        estimate::make_machine(*context_.catalog, hardware, whole(gpus) / hardware.count);
    if (work->bound(machine).time == units::Seconds{}) {
      SearchCount count;
      const auto verdict = work->search(machine, count);
      return Skip{verdict ? "the machine cannot be judged" : verdict.error().text};
    }
    return compare(row.cells, row.framework, work->explain(plan_of(row.degrees), machine),
                   units::in_bytes(row.gpu.memory));
  }

  static RunOptions options_of(const Row& row) {
    const Cells& cells = row.cells;
    RunOptions options(cells);
    options.set("model", row.model.option, "model");
    options.set("framework", row.framework.id, "framework");
    options.set("seq-len", cells.number("seq_len", 0), "seq_len");
    options.set("global-batch", row.degrees.global_batch, "global_batch");
    options.set("dtype", format_of(cells, row.framework, row.gpu), "dtype");
    options.set("tokens", std::string("1T"), "id");  // the length of the run is not compared
    if (is_encoder_run(cells)) set_encoder_options(cells, options);
    if (cells.has("sequence_parallel")) {
      const std::string on = cells.text("sequence_parallel") == "yes" ? "on" : "off";
      options.set("sequence-parallel", on, "sequence_parallel");
    }
    if (!row.kind.method.empty()) set_adapters(cells, row.kind, options);
    constexpr std::size_t kMonth = 7;  // "2024-05"
    const std::string month = cells.text("date").substr(0, kMonth);
    if (month.size() == kMonth) options.set("software-date", month + "-15", "date");
    return options;
  }

  static void set_adapters(const Cells& cells, const Work& kind, RunOptions& options) {
    options.set("method", std::string(kind.method), "workload");
    const Notes notes = notes_of(cells.text("notes"));
    if (kind.method == "qlora") {
      const std::string quant = cells.text("quant");
      const bool prose = quant.empty() && notes.gptq;
      options.set("quant", prose ? "gptq" : quant, prose ? "notes" : "quant");
    }
    const auto rank = cells.positive("lora_rank");
    if (rank || notes.rank)
      options.set("lora-rank", rank.value_or(notes.rank.value_or(0)), rank ? "lora_rank" : "notes");
    options.set("lora-targets", cells.text("lora_targets"), "lora_targets");
    const auto mean = cells.positive("mean_seq_len");
    const double most = cells.number("seq_len", 0);
    if (mean) {
      options.set("mean-seq-len", *mean, "mean_seq_len");
    } else if (notes.mean_tokens) {
      options.set("mean-seq-len", std::min(most, *notes.mean_tokens), "notes");
    }
  }

  const Context& context_;
  const ModelNames& models_;
  llm::FrameworkSet frameworks_;
};

}  // namespace

std::unique_ptr<Predictor> training_predictor(const Context& context, const ModelNames& models,
                                              diag::Sink& sink) {
  return std::make_unique<TrainingPredictor>(context, models, sink);
}

}  // namespace gpusel::workload::measured
