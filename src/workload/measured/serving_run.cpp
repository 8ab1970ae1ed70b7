// A serving row: its cells as the options of llm-inference, its layout and its load.
#include "../serving/given_run.h"
#include "encoding_run.h"
#include "run.h"
#include "speech_run.h"

#include "gpusel/base/number.h"
#include "gpusel/base/text.h"
#include "gpusel/workload/calibration.h"

#include <fmt/format.h>

#include <cmath>

namespace gpusel::workload::measured {
namespace {

using serving::Drive;
using serving::GivenRun;
using serving::RunFigures;

constexpr double kBillion = 1e9;
constexpr double kPerThousand = 1e-3;  // milliseconds
// Decode runs begin with an empty prompt and write this many tokens where the source states none.
constexpr double kDecodeAnswer = 128;

OrSkip<Drive> drive_of(const Cells& cells) {
  const std::string kind = cells.text("kind");
  if (const auto drive = data::enum_of<Drive>(kind)) return *drive;
  if (kind.empty()) return Skip{"the kind of load is not stated"};
  return Skip{kind.starts_with("mlperf") ? "kind '" + kind + "': the layout is not published"
                                         : "kind '" + kind + "' is not known"};
}

struct Lengths {
  double prompt = 0;
  double answer = 0;
};
OrSkip<Lengths> lengths_of(const Cells& cells, Drive drive) {
  const auto prompt = cells.number("input_len");
  const auto answer = cells.number("output_len");
  const bool decode = drive == Drive::decode;
  if (!prompt && !decode) return Skip{"input_len is not stated"};
  if (!answer && !decode && drive != Drive::prefill) return Skip{"output_len is not stated"};
  return Lengths{std::max(1.0, prompt.value_or(1)),
                 std::max(1.0, answer.value_or(decode ? kDecodeAnswer : 1))};
}

// The year that the notes give the software ("vLLM of late 2023"), else that of the row.
std::optional<int> software_year(const Cells& cells, const serving::Engine& engine) {
  const std::string notes = to_lower(cells.text("notes"));
  const std::string words = to_lower(engine.name) + " of ";
  const std::size_t at = notes.find(words);
  if (at == std::string::npos) return year_of(cells.text("date"));
  std::string rest = notes.substr(at + words.size());
  for (const std::string_view part : {"early ", "mid ", "late "}) {
    if (rest.starts_with(part)) rest = rest.substr(part.size());
  }
  const std::optional<int> year = year_of(rest);
  return year ? year : year_of(cells.text("date"));
}

// Clients or batch; 0 for as many as the engine admits.
OrSkip<double> sequences_of(const Cells& cells, Drive drive) {
  const std::string text = cells.text("concurrency_or_batch");
  const Result<double> number = parse_number(text);
  if (number && *number > 0) return *number;
  if (drive == Drive::offline || drive == Drive::open_rate) return 0.0;
  const bool alone =
      drive == Drive::decode || drive == Drive::prefill || drive == Drive::single_stream;
  if (text.empty() && alone) return 1.0;
  return Skip{"concurrency_or_batch '" + text + "' is no number"};
}

// Rows where tp x pp is below gpu_count and dp is empty are that many replicas.
OrSkip<GivenRun> layout_of(const Cells& cells, const serving::Profile& profile) {
  GivenRun run;
  const double gpus = cells.number("gpu_count", 0);
  if (gpus < 1) return Skip{"gpu_count is missing"};
  if (gpus > kMostGpus) return Skip{"gpu_count is above a million"};
  if (profile.layer_split) {
    run.layout.pipeline = whole(gpus);
    return run;
  }
  if (!cells.positive("tp") && gpus > 1) return Skip{"the layout is not stated (tp)"};
  run.layout.tensor = std::max(1, whole(cells.number("tp", 1)));
  run.layout.pipeline = std::max(1, whole(cells.number("pp", 1)));
  run.layout.data = std::max(1, whole(cells.number("dp", 1)));
  run.layout.expert = std::max(1, whole(cells.number("ep", 1)));
  const double group =
      static_cast<double>(run.layout.tensor) * run.layout.pipeline * run.layout.data;
  const double replicas = gpus / group;
  if (replicas < 1 || replicas != std::floor(replicas))
    return Skip{"tp x pp x dp does not divide gpu_count"};
  run.replicas = replicas;
  return run;
}

// Experts over more GPUs than a replica has, and copies too large for their GPUs, say that the
// GPUs are attention ranks of one replica.
void join_ranks(const serving::Planner& planner, bool moe, GivenRun& run) {
  constexpr double kMostWeights = 0.92;  // share of the memory
  if (!moe || run.replicas <= 1) return;
  const serving::Replica alone = planner.replica(run.layout, 1);
  const bool spread = run.layout.expert > run.layout.tensor;
  const bool large = serving::weights_per_gpu(alone) > planner.device().memory * kMostWeights;
  if (!spread && !large) return;
  run.layout.data *= whole(run.replicas);
  run.layout.expert = run.layout.tensor * run.layout.data;
  run.replicas = 1;
}

std::vector<Comparison> compare(const Cells& cells, const RunFigures& f) {
  std::vector<Comparison> all;
  const auto add = [&](Metric metric, std::string_view column, double scale,
                       const std::optional<double>& predicted) {
    const auto measured = cells.positive(column);
    if (measured && predicted && *predicted > 0)
      all.push_back({metric, *measured * scale, *predicted});
  };
  const auto seconds = [](const std::optional<units::Seconds>& time) {
    return time ? std::optional(units::in_seconds(*time)) : std::nullopt;
  };
  add(Metric::tpot, "tpot_ms", kPerThousand, seconds(f.tpot));
  add(Metric::ttft, "ttft_ms", kPerThousand, seconds(f.ttft));
  add(Metric::whole_time, "e2e_ms", kPerThousand, seconds(f.whole));
  add(Metric::throughput, "output_tokens_per_s_total", 1, f.answers);
  const std::optional<double> all_tokens =
      f.prompts ? std::optional(*f.prompts + f.answers.value_or(0)) : std::nullopt;
  add(Metric::total_throughput, "total_tokens_per_s", 1, all_tokens);
  add(Metric::request_rate, "requests_per_s", 1, f.requests);
  const auto bytes = f.memory ? std::optional(units::in_bytes(*f.memory)) : std::nullopt;
  add(Metric::peak_memory, "peak_memory_gb", units::kGiga, bytes);
  return all;
}

class ServingPredictor final : public Predictor {
 public:
  ServingPredictor(const Context& context, const ModelNames& models, diag::Sink& sink)
      : context_(context),
        models_(models),
        engines_(serving::load_engines(*context.data, sink)),
        calibrations_(load_calibrations(*context.data, sink)) {}

  [[nodiscard]] std::vector<Metric> primaries(const Cells& cells) const override {
    if (is_encoding_run(cells)) return {Metric::whole_time, Metric::request_rate};
    if (is_speech_run(cells)) return {Metric::throughput, Metric::request_rate};
    const auto drive = data::enum_of<Drive>(cells.text("kind"));
    if (drive == Drive::prefill) return {Metric::ttft, Metric::total_throughput};
    if (drive == Drive::static_batch) return {Metric::whole_time, Metric::throughput, Metric::tpot};
    if (drive == Drive::offline || drive == Drive::single_stream)
      return {Metric::throughput, Metric::request_rate, Metric::total_throughput};
    return {Metric::tpot, Metric::throughput, Metric::request_rate, Metric::ttft};
  }

  [[nodiscard]] OrSkip<Predicted> predict(const Cells& cells) const override {
    if (is_encoding_run(cells)) return predict_encoding(cells, context_, models_);
    if (is_speech_run(cells)) return predict_speech(cells, context_, models_);
    const auto drive = drive_of(cells);
    if (!drive) return drive.error();
    const auto gpu = gpu_of(cells, *context_.catalog);
    if (!gpu) return gpu.error();
    const std::string name = cells.text("engine");
    const serving::Engine* engine = engines_.find(name);
    if (engine == nullptr)
      return Skip{name.empty() ? "the engine is not stated" : "engine '" + name + "' is not known"};
    const auto model = model_of(cells, models_, kBillion);
    if (!model) return model.error();
    const auto lengths = lengths_of(cells, *drive);
    if (!lengths) return lengths.error();
    const serving::Profile& profile = profile_of(cells, *engine, *gpu);
    auto run = layout_of(cells, profile);
    if (!run) return run.error();
    const auto sequences = sequences_of(cells, *drive);
    if (!sequences) return sequences.error();
    run->drive = *drive;
    run->sequences = *sequences;
    run->rate = cells.number("request_rate", 0);
    if (*drive == Drive::open_rate && run->rate <= 0) return Skip{"request_rate is missing"};
    return run_on(cells, *gpu, *model, *lengths, {engine->id, profile.id}, *run);
  }

 private:
  // What the calibrations in force make of the figures, as for any other request.
  [[nodiscard]] RunFigures multiplied(RunFigures f, const CalibrationKey& key, Drive drive,
                                      double answer) const {
    const auto factor = [&](Figure figure) {
      return calibrations_.factor(MeasuredKind::serving, key, figure);
    };
    const double slower = factor(Figure::time);
    const units::Seconds prompt = f.ttft.value_or(units::Seconds{});
    if (f.whole) f.whole = prompt + (*f.whole - prompt) * slower;
    double rate = drive == Drive::offline ? factor(Figure::throughput) : 1;
    if (f.tpot && drive != Drive::open_rate) {
      const units::Seconds rest = *f.tpot * std::max(1.0, answer - 1);
      const units::Seconds before = drive == Drive::decode ? units::Seconds{} : prompt;
      rate = (before + rest) / (before + rest * slower);
    }
    if (f.tpot) f.tpot = *f.tpot * slower;
    for (auto* figure : {&f.requests, &f.answers, &f.prompts}) {
      if (*figure && drive != Drive::prefill) *figure = **figure * rate;
    }
    if (f.memory) f.memory = *f.memory * factor(Figure::memory);
    return f;
  }

  struct Software {
    std::string engine;
    std::string profile;
  };

  [[nodiscard]] const serving::Profile& profile_of(const Cells& cells,
                                                   const serving::Engine& engine,
                                                   std::size_t gpu) const {
    const serving::Profile* named = engine.profile(cells.text("engine_profile"));
    if (named != nullptr) return *named;
    return engine.profile_of({cells.text("engine_version"), software_year(cells, engine),
                              context_.catalog->gpus[gpu].vendor, cells.text("kind")});
  }

  [[nodiscard]] OrSkip<Predicted> run_on(const Cells& cells, std::size_t gpu,
                                         const ModelCell& model, const Lengths& lengths,
                                         const Software& software, GivenRun run) const {
    const Files files = memory_files(model.files);
    const Context context{context_.catalog, context_.data, &files, Purpose::compare};
    RunOptions options(cells);
    options.set("model", model.option, "model");
    options.set("engine", software.engine, "engine");
    options.set("engine-profile", software.profile, "engine");
    options.set("weights-dtype", weights_of(cells, gpu), "weights_dtype");
    options.set("kv-dtype", cells.text("kv_dtype"), "kv_dtype");
    options.set("input-tokens", lengths.prompt, "input_len");
    options.set("output-tokens", lengths.answer, "output_len");
    diag::Buffer faults;
    const auto request = serving::resolve(options.values(), context, faults);
    if (!request) return Skip{faults.all().front().message};
    catalog::Hardware hardware;
    hardware.gpu = static_cast<std::uint32_t>(gpu);
    hardware.count = run.layout.gpus();
    const estimate::Machine machine = estimate::make_machine(*context_.catalog, hardware, 1);
    const serving::Planner planner(*request, machine);
    if (planner.blocked()) return Skip{planner.blocked()->text};
    if (planner.unknown()) return Skip{planner.unknown()->text};
    join_ranks(planner, model.moe, run);
    // Published throughput tables of TensorRT-LLM choose the faster of both and rarely say so.
    run.may_spread = software.engine == "trt-llm";
    const std::string format(request->format.name);
    const CalibrationKey key{context_.catalog->gpus[gpu].id.text(), format, software.engine};
    const RunFigures figures =
        multiplied(serving::run_as_given(planner, run), key, run.drive, lengths.answer);
    return Predicted{software.engine, format, compare(cells, figures)};
  }

  // NVIDIA's sources write fp4 for nvfp4.
  [[nodiscard]] std::string weights_of(const Cells& cells, std::size_t gpu) const {
    std::string name = cells.text("weights_dtype");
    const bool short_name = name == "fp4" && context_.catalog->gpus[gpu].vendor == "nvidia";
    return short_name ? "nvfp4" : name;
  }

  const Context& context_;
  const ModelNames& models_;
  serving::EngineSet engines_;
  CalibrationSet calibrations_;
};

}  // namespace

std::unique_ptr<Predictor> serving_predictor(const Context& context, const ModelNames& models,
                                             diag::Sink& sink) {
  return std::make_unique<ServingPredictor>(context, models, sink);
}

}  // namespace gpusel::workload::measured
