// A training row: its cells as the options and the layout of llm-train.
#include "../llm/framework.h"
#include "../llm/layout.h"
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

struct Degrees {
  double gpus = 1;
  double tp = 1;
  double pp = 1;
  double cp = 1;
  double dp = 1;
  double ep = 1;
  double zero = 0;
  double micro_batch = 1;
  double interleave = 1;
  llm::Recompute recompute = llm::Recompute::none;
};

// Where a source is silent about the micro-batch, as such runs were usually set up.
double usual_micro_batch(const Degrees& d, const Cells& cells, const llm::Framework& framework) {
  constexpr double kLong = 4096;          // tokens
  constexpr double kShortTokens = 16384;  // of a micro-batch
  constexpr double kLongTokens = 8192;
  const double share = cells.number("global_batch", 1) / d.dp;
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
  const bool partly = framework.id == "megatron-lm" || framework.id == "megatron-deepspeed" ||
                      framework.id == "fsdp";
  return partly ? llm::Recompute::selective : llm::Recompute::none;
}

// What a source leaves open, resolved as such runs were usually set up.
OrSkip<Degrees> degrees_of(const Cells& cells, const llm::Framework& framework, bool moe) {
  Degrees d;
  d.gpus = cells.number("gpu_count", 0);
  if (d.gpus < 1) return Skip{"gpu_count is missing"};
  if (d.gpus > kMostGpus) return Skip{"gpu_count is above a million"};
  const bool settled = d.gpus == 1 || cells.number("zero_stage", 0) == 3;
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
  const double share = std::max(1.0, cells.number("global_batch", 1) / d.dp);
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

// What torch counts in its allocator is less than the process holds.
enum class Counted { process, reserved, allocated };
Counted counted_of(const Cells& cells) {
  const std::string unit = cells.text("memory_unit_reported");
  if (unit.find("reserved") != std::string::npos) return Counted::reserved;
  const bool allocated = unit.find("allocated") != std::string::npos ||
                         unit.find("max_memory_usage") != std::string::npos;
  return allocated ? Counted::allocated : Counted::process;
}

double predicted_memory(const estimate::Ledger& ledger, Counted counted) {
  double sum = ledger.total();
  for (const estimate::LedgerLine& line : ledger.lines) {
    const bool outside = line.id == "overhead" && counted != Counted::process;
    const bool unused = line.id == "fragmentation" && counted == Counted::allocated;
    if (outside || unused) sum -= line.value;
  }
  return sum;
}

std::vector<Comparison> compare(const Cells& cells, const estimate::Estimate& estimate) {
  std::vector<Comparison> all;
  for (const estimate::Ledger& ledger : estimate.ledgers) {
    if (ledger.id == "time") {
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
    // Offload is not modelled: such a run says nothing about the memory of one without.
    const bool offload = cells.text("notes").find("CPU offload") != std::string::npos;
    if (ledger.id == "memory" && memory && !offload) {
      all.push_back({Metric::peak_memory, *memory * units::kGiga,
                     predicted_memory(ledger, counted_of(cells))});
    }
  }
  return all;
}

// Full training of decoders is what llm-train models.
std::optional<Skip> unmodelled(const Cells& cells) {
  const std::string workload = cells.text("workload");
  if (workload.empty() || workload == "llm-pretrain" || workload == "llm-full-ft") return {};
  for (const std::string_view method : {"lora", "qlora", "adapter"}) {
    if (workload == "llm-" + std::string(method))
      return Skip{"method " + std::string(method) + " is not modelled yet"};
  }
  return Skip{"workload '" + workload + "' is not modelled yet"};
}

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
    if (const auto skip = unmodelled(cells)) return *skip;
    const auto gpu = gpu_of(cells, *context_.catalog);
    if (!gpu) return gpu.error();
    const std::string name = cells.text("framework");
    const llm::Framework* framework = frameworks_.matching(name);
    if (framework == nullptr) {
      return Skip{name.empty() ? "the framework is not stated"
                               : "framework '" + name + "' is not known"};
    }
    const auto model = model_of(cells, models_, 1);
    if (!model) return model.error();
    for (const std::string_view column : {"global_batch", "seq_len"}) {
      if (cells.number(column, 0) < 1) return Skip{std::string(column) + " is missing"};
    }
    const auto degrees = degrees_of(cells, *framework, model->moe);
    if (!degrees) return degrees.error();
    auto comparisons = run(cells, *gpu, *framework, *model, *degrees);
    if (!comparisons) return comparisons.error();
    const std::string dtype = cells.has("dtype") ? cells.text("dtype") : "bf16";
    return Predicted{framework->id, dtype, *std::move(comparisons)};
  }

 private:
  [[nodiscard]] OrSkip<std::vector<Comparison>> run(const Cells& cells, std::size_t gpu,
                                                    const llm::Framework& framework,
                                                    const ModelCell& model,
                                                    const Degrees& d) const {
    const Files files = memory_files(model.files);
    const Context context{context_.catalog, context_.data, &files, Purpose::compare};
    diag::Buffer faults;
    const auto work =
        find_kind("llm-train")->make(options_of(cells, framework, model).values(), context, faults);
    if (work == nullptr) return Skip{faults.all().front().message};
    catalog::Hardware hardware;
    hardware.gpu = static_cast<std::uint32_t>(gpu);
    const double per_node = std::min(d.gpus, cells.number("gpus_per_node", 8));
    hardware.count = std::max(1, whole(per_node));
    if (whole(d.gpus) % hardware.count != 0)
      return Skip{"gpu_count is no multiple of gpus_per_node"};
    const double network = cells.positive("inter_node_network_gbps_per_gpu")
                               .value_or(usual_network(context_.catalog->gpus[gpu]));
    hardware.network = units::gbps(network * hardware.count);
    const estimate::Machine machine =
        estimate::make_machine(*context_.catalog, hardware, whole(d.gpus) / hardware.count);
    if (work->bound(machine).time == units::Seconds{}) {
      SearchCount count;
      const auto verdict = work->search(machine, count);
      return Skip{verdict ? "the machine cannot be judged" : verdict.error().text};
    }
    return compare(cells, work->explain(plan_of(d), machine));
  }

  static RunOptions options_of(const Cells& cells, const llm::Framework& framework,
                               const ModelCell& model) {
    RunOptions options(cells);
    options.set("model", model.option, "model");
    options.set("framework", framework.id, "framework");
    options.set("seq-len", cells.number("seq_len", 0), "seq_len");
    options.set("global-batch", cells.number("global_batch", 0), "global_batch");
    options.set("dtype", cells.has("dtype") ? cells.text("dtype") : "auto", "dtype");
    options.set("tokens", std::string("1T"), "id");  // the length of the run is not compared
    if (cells.has("sequence_parallel")) {
      const std::string on = cells.text("sequence_parallel") == "yes" ? "on" : "off";
      options.set("sequence-parallel", on, "sequence_parallel");
    }
    constexpr std::size_t kMonth = 7;  // "2024-05"
    const std::string month = cells.text("date").substr(0, kMonth);
    if (month.size() == kMonth) options.set("software-date", month + "-15", "date");
    return options;
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
