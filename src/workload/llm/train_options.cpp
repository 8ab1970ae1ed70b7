#include "train_options.h"

#include "data_set.h"
#include "model_option.h"

#include "gpusel/base/suggest.h"
#include "gpusel/units/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gpusel::workload::llm {
namespace {

using data::OptionReader;
using estimate::Assumption;

constexpr double kTokensPerParameter = 20;  // Hoffmann 2022, arXiv 2203.15556, section 3
constexpr int kDefaultSequence = 4096;      // tokens; Llama 2, arXiv 2307.09288
constexpr double kDefaultStepTokens = 4e6;  // Llama 2, arXiv 2307.09288, table 1
constexpr double kLargeStepTokens = 16e6;   // Llama 3 405B, arXiv 2407.21783, section 3.4.2
constexpr double kLargeModel = 300e9;       // parameters
// The recipe of Stanford Alpaca (github.com/tatsu-lab/stanford_alpaca, README): 52,000 samples of
// up to 512 tokens, three times, 128 a step.
constexpr std::string_view kAlpaca = "github.com/tatsu-lab/stanford_alpaca";
constexpr int kTuneSequence = 512;  // tokens
constexpr int kTuneBatch = 128;     // sequences
constexpr double kTuneSamples = 52000;
constexpr int kDefaultRank = 8;  // PEFT, LoraConfig
constexpr int kMostRank = 65536;
constexpr double kDefaultHeadroom = 0.05;
constexpr int kDefaultMaxNodes = 64;
constexpr int kMostNodes = 4096;
constexpr int kMostSequence = 100'000'000;
constexpr int kMostBatch = 100'000'000;
constexpr int kMostDegree = 65536;
// Reads one option after the other; keeps fields and assumptions in step.
class Builder {
 public:
  Builder(const data::OptionValues& values, const Context& context, Purpose purpose,
          diag::Sink& sink)
      : context_(context),
        tunes_(purpose == Purpose::fine_tuning),
        encodes_(purpose == Purpose::encoder),
        read_(values, faults_),
        sink_(sink) {
    if (tunes_) request_.kind = "llm-finetune";
    if (encodes_) request_.kind = "encoder-train";
  }

  std::optional<TrainRequest> build() {
    encodes_ ? read_encoder() : read_model();
    read_framework();
    read_formats();
    read_work();
    if (tunes_) read_method();
    read_layout();
    read_running();
    faults_.pass_on(sink_);
    if (faults_.has_errors()) return std::nullopt;
    write_fields();
    return std::move(request_);
  }

 private:
  [[nodiscard]] bool is_auto(std::string_view name) const {
    const auto text = read_.text(name);
    return !text || *text == "auto";
  }
  std::optional<int> degree(std::string_view name, int low, int high) {
    return is_auto(name) ? std::nullopt : read_.whole(name, low, high);
  }
  void assume(std::string id, std::string text, std::string value, std::string source) {
    request_.assumptions.push_back(
        {std::move(id), std::move(text), std::move(value), std::move(source)});
  }
  [[nodiscard]] bool defaulted(std::string_view id) const {
    return std::any_of(request_.assumptions.begin(), request_.assumptions.end(),
                       [&](const Assumption& a) { return a.id == id; });
  }

  void read_model();
  void read_encoder();
  void read_work() {
    if (encodes_) {
      head_ = read_texts(read_, context_, request_.job, request_.assumptions);
      return;
    }
    tunes_ ? read_data_set() : read_sizes();
  }
  void read_framework();
  void read_formats();
  void read_sizes();
  void read_data_set();
  void read_method();
  void read_adapters(Method method);
  void read_layout();
  void read_offload();
  void read_running();
  void write_fields();
  void add(std::string key, double number, std::string text, Field::Type type);
  void add_method();
  void add_choice(std::string key, const std::optional<int>& value);
  void add_degrees();

  const Context& context_;
  const bool tunes_;
  const bool encodes_;
  diag::Buffer faults_;
  OptionReader read_;
  diag::Sink& sink_;
  TrainRequest request_;
  Head head_ = Head::mlm;  // of an encoder
};

void Builder::read_model() {
  const auto choice = resolve_model(read_, context_, request_.assumptions);
  if (!choice) return;
  request_.job.card = choice->card;
  request_.nominal_params = choice->nominal_params;
  if (!choice->card.has_recurrent_layers()) return;
  read_.report("model", Error{"'" + choice->card.id.text() +
                                  "' has linear-attention or state-space layers, which the "
                                  "training model does not cover",
                              "choose a model of attention layers", 0, 0});
}

void Builder::read_encoder() {
  const auto card = resolve_encoder(read_, context_);
  if (!card) return;
  request_.job.card = *card;
  request_.nominal_params = card->params;
}

void Builder::read_framework() {
  const FrameworkSet frameworks = load_frameworks(*context_.data, faults_);
  const std::string name = read_.text("framework").value_or(tunes_ || encodes_ ? "hf" : "megatron");
  const Framework* framework = frameworks.find(name);
  if (framework == nullptr) {
    const std::string near = did_you_mean(name, frameworks.ids());
    read_.report("framework",
                 Error{"'" + name + "' is not a known training framework",
                       near.empty() ? "known: " + quoted_list(frameworks.ids(), "and") : near, 0,
                       name.size()});
    return;
  }
  request_.job.framework = *framework;
  if (!read_.given("framework")) {
    const std::string_view hint =
        tunes_ || encodes_ ? ""
                           : "; NVIDIA's tuned recipes are about 10 % faster (megatron-bridge)";
    assume("framework", fmt::format("{}{}", framework->name, hint), name, "default");
  }
}

void Builder::read_formats() {
  TrainingJob& job = request_.job;
  job.format = read_.choice<TrainFormat>("dtype").value_or(TrainFormat::automatic);
  if (job.format == TrainFormat::automatic) {
    assume("dtype", "bf16, or fp16 on a GPU without bf16; never fp8 unasked", "auto", "default");
  }
  job.optimizer = read_.choice<Optimizer>("optimizer").value_or(Optimizer::adamw);
  if (!read_.given("optimizer"))
    assume("optimizer", "AdamW with fp32 moments", "adamw", "arXiv 1711.05101");
}

void Builder::read_sizes() {
  TrainingJob& job = request_.job;
  const double params = std::max(1.0, request_.nominal_params);
  const auto sequence = read_.quantity<units::Count>("seq-len");
  job.sequence = std::floor(sequence ? sequence->value : kDefaultSequence);
  if (job.sequence < 1 || job.sequence > kMostSequence) {
    read_.report("seq-len", Error{"a sequence has 1 to 100M tokens", "write --seq-len 4096", 0, 0});
    job.sequence = kDefaultSequence;
  }
  if (!sequence) assume("seq_len", "sequences of 4,096 tokens", "4096", "arXiv 2307.09288");
  const bool large = params > kLargeModel;
  const double step_tokens = large ? kLargeStepTokens : kDefaultStepTokens;
  const double sequences =
      std::exp2(std::max(0.0, std::round(std::log2(step_tokens / job.sequence))));
  const auto batch = read_.whole("global-batch", 1, kMostBatch);
  job.global_batch = batch ? *batch : sequences;
  if (!read_.given("global-batch")) {
    assume("global_batch", large ? "about 16 M tokens per step" : "about 4 M tokens per step",
           fmt::format("{:.0f}", sequences), large ? "arXiv 2407.21783" : "arXiv 2307.09288");
  }
  const auto tokens = read_.quantity<units::Count>("tokens");
  job.tokens = tokens ? tokens->value : kTokensPerParameter * params;
  if (tokens && tokens->value < 1)
    read_.report("tokens", Error{"training takes at least one token", "write --tokens 200B", 0, 0});
  if (!read_.given("tokens")) {
    assume("tokens", "20 tokens per parameter", units::show_count(job.tokens), "arXiv 2203.15556");
  }
}

void Builder::read_data_set() {
  TrainingJob& job = request_.job;
  const auto sequence = read_.whole("seq-len", 1, kMostSequence);
  job.sequence = sequence.value_or(kTuneSequence);
  if (!read_.given("seq-len"))
    assume("seq_len", "sequences of 512 tokens", "512", std::string(kAlpaca));
  read_samples(read_, {kTuneBatch, kTuneSamples, "52,000 samples", kAlpaca}, job,
               request_.assumptions);
}

void Builder::read_method() {
  const Method method = read_.choice<Method>("method").value_or(Method::lora);
  if (!read_.given("method"))
    assume("method", "adapters of low rank over frozen 16-bit weights", "lora", "arXiv 2106.09685");
  if (method != Method::full) read_adapters(method);
  const auto refuse = [&](std::string_view option, std::string_view what) {
    if (read_.given(option)) {
      read_.report(option, Error{fmt::format("method '{}' {}", data::name_of(method), what),
                                 "choose another --method, or leave it out", 0, 0});
    }
  };
  if (method == Method::full) {
    refuse("lora-rank", "has no adapters");
    refuse("lora-targets", "has no adapters");
  }
  if (method != Method::qlora) refuse("quant", "has no weights in 4 bits");
}

void Builder::read_adapters(Method method) {
  Adapters adapters;
  adapters.rank = read_.whole("lora-rank", 1, kMostRank).value_or(kDefaultRank);
  if (!read_.given("lora-rank"))
    assume("lora_rank", "adapters of rank 8", "8", "github.com/huggingface/peft, LoraConfig");
  adapters.targets = read_.choice<Targets>("lora-targets").value_or(Targets::all_linear);
  if (!read_.given("lora-targets"))
    assume("lora_targets", "adapters on every linear layer", "all-linear", "arXiv 2305.14314");
  adapters.quantised = method == Method::qlora;
  if (adapters.quantised) {
    adapters.quant = read_.choice<Quant>("quant").value_or(Quant::nf4);
    if (!read_.given("quant"))
      assume("quant", "NF4 with double quantisation", "nf4", "arXiv 2305.14314");
  }
  const TrainFormat format = request_.job.format;
  const bool wide = format == TrainFormat::fp32 || format == TrainFormat::tf32;
  const bool narrow = format == TrainFormat::fp8 || format == TrainFormat::nvfp4;
  const Framework& framework = request_.job.framework;
  if (wide || (narrow && (adapters.quantised || !framework.adapters_8bit))) {
    read_.report("dtype", Error{narrow && !adapters.quantised
                                    ? "'" + framework.id + "' trains adapters over 16-bit products"
                                    : "such adapters are trained over 16-bit products",
                                "write --dtype bf16, fp16 or auto", 0, 0});
  }
  request_.job.adapters = adapters;
}

void Builder::read_layout() {
  FixedChoices& fixed = request_.job.fixed;
  fixed.tp = degree("tp", 1, kMostDegree);
  fixed.pp = degree("pp", 1, kMostDegree);
  fixed.dp = degree("dp", 1, kMostDegree * 16);
  fixed.ep = degree("ep", 1, kMostDegree);
  fixed.cp = degree("cp", 1, kMostDegree);
  fixed.zero = degree("zero", 0, 3);
  fixed.micro_batch = degree("micro-batch", 1, kMostDegree);
  fixed.interleave = degree("interleave", 1, kMostDegree);
  if (!is_auto("sequence-parallel")) {
    const auto at = read_.choice_index("sequence-parallel", kSwitches);
    request_.job.framework.sequence_parallel = at && kSwitches[*at] == "on";
  }
  if (!is_auto("recompute")) fixed.recompute = read_.choice<Recompute>("recompute");
  const Framework& f = request_.job.framework;
  if (f.id.empty()) return;
  const auto refuse = [&](std::string_view option, const std::optional<int>& value, bool able) {
    if (!value || *value == 1 || able) return;
    read_.report(option, Error{"'" + f.id + "' has no such parallelism",
                               "choose --framework megatron, or leave it out", 0, 0});
  };
  refuse("tp", fixed.tp, f.tensor_parallel);
  refuse("pp", fixed.pp, f.pipeline_parallel);
  refuse("ep", fixed.ep, f.expert_parallel);
  refuse("cp", fixed.cp, f.context_parallel);
  read_offload();
  if (fixed.zero && !f.supports_zero(*fixed.zero)) {
    read_.report("zero", Error{fmt::format("'{}' has no ZeRO stage {}", f.id, *fixed.zero),
                               "choose another stage or framework", 0, 0});
  }
}

void Builder::read_offload() {
  const Framework& f = request_.job.framework;
  const Offload offload = read_.choice<Offload>("offload").value_or(Offload::none);
  request_.job.offload = offload;
  request_.traits.sees_host_memory = offload != Offload::none;
  const bool able = offload == Offload::none ||
                    (offload == Offload::optimizer && f.offloads_optimizer) ||
                    (offload == Offload::all && f.offloads_all);
  if (!able) {
    read_.report("offload",
                 Error{fmt::format("'{}' has no offload of {}", f.id,
                                   offload == Offload::all ? "all states" : "the optimizer"),
                       "choose --framework deepspeed or hf, or leave it out", 0, 0});
  }
  if (offload == Offload::all && request_.job.fixed.zero && *request_.job.fixed.zero < 3) {
    read_.report("zero", Error{"all states wait on the host only under ZeRO stage 3",
                               "write --zero 3, or --offload optimizer", 0, 0});
  }
}

void Builder::read_running() {
  request_.nodes = degree("nodes", 1, kMostNodes);
  request_.max_nodes = read_.whole("max-nodes", 1, kMostNodes).value_or(kDefaultMaxNodes);
  if (!request_.nodes && !read_.given("max-nodes"))
    assume("max_nodes", "up to 64 nodes", "64", "default");
  const auto headroom = read_.quantity<units::Ratio>("headroom");
  request_.job.headroom = headroom ? headroom->value : kDefaultHeadroom;
  if (!(request_.job.headroom >= 0 && request_.job.headroom < 0.9)) {
    read_.report("headroom", Error{"the share kept free lies from 0 % to below 90 %",
                                   "write --headroom 5%", 0, 0});
  }
  if (!headroom) assume("headroom", "5 % of each GPU's memory is kept free", "5 %", "default");
  request_.estimator = read_.choice<Estimator>("estimator").value_or(Estimator::analytical);
  const std::string interval = read_.text("checkpoint-interval").value_or("auto");
  if (interval != "auto" && interval != "none") {
    const auto every = read_.quantity<units::Seconds>("checkpoint-interval");
    if (every && !(units::in_seconds(*every) > 0)) {
      read_.report("checkpoint-interval",
                   Error{"the interval must be above zero", "write auto, none or 30min", 0, 0});
    }
  }
  request_.traits.trains = true;
  request_.traits.dtype = std::string(data::name_of(request_.job.format));
  request_.traits.checkpointing = interval != "none";
  const auto date =
      read_.convert<Date>("software-date", [](std::string_view text) { return Date::parse(text); });
  if (!date) return;
  const std::chrono::year_month_day day(date->days());
  request_.job.software_date =
      static_cast<int>(day.year()) + (static_cast<unsigned>(day.month()) - 0.5) / 12;
}

void Builder::add(std::string key, double number, std::string text, Field::Type type) {
  const bool fallback = defaulted(key);
  request_.fields.push_back({std::move(key), number, std::move(text), type, fallback});
}

void Builder::add_choice(std::string key, const std::optional<int>& value) {
  Field field{std::move(key), value ? *value : 0.0, value ? fmt::format("{}", *value) : "auto",
              value ? Field::Type::whole : Field::Type::text, !value};
  request_.fields.push_back(std::move(field));
}

void Builder::add_method() {
  using enum Field::Type;
  const std::optional<Adapters>& adapters = request_.job.adapters;
  const Method method = !adapters             ? Method::full
                        : adapters->quantised ? Method::qlora
                                              : Method::lora;
  add("method", 0, std::string(data::name_of(method)), text);
  if (!adapters) return;
  add("lora_rank", adapters->rank, fmt::format("{}", adapters->rank), whole);
  add("lora_targets", 0, std::string(data::name_of(adapters->targets)), text);
  const double trained = adapter_parameters(request_.job.card, *adapters) +
                         whole_parameters(request_.job.card, *adapters);
  add("trained_params", trained, units::show_count(trained), whole);
  if (adapters->quantised) add("quant", 0, std::string(data::name_of(adapters->quant)), text);
}

// What only decoders may be split by.
void Builder::add_degrees() {
  const TrainingJob& job = request_.job;
  add_choice("ep", job.fixed.ep);
  add_choice("cp", job.fixed.cp);
  add_choice("interleave", job.fixed.interleave);
  request_.fields.push_back({"sequence_parallel", job.framework.sequence_parallel ? 1.0 : 0.0,
                             job.framework.sequence_parallel ? "true" : "false",
                             Field::Type::boolean, is_auto("sequence-parallel")});
}

void Builder::write_fields() {
  const TrainingJob& job = request_.job;
  using enum Field::Type;
  add("model", 0, job.card.id.text(), text);
  add("params", job.card.params, units::show_count(job.card.params), whole);
  if (!encodes_) {
    add("active_params", job.card.active_params,
        job.card.is_moe() ? units::show_count(job.card.active_params) : "", whole);
  }
  add("tokens", job.tokens, units::show_count(job.tokens), whole);
  request_.fields.back().headline = true;
  add("seq_len", job.sequence, fmt::format("{:.0f}", job.sequence), whole);
  if (job.mean_sequence)
    add("mean_seq_len", *job.mean_sequence, fmt::format("{:.0f}", *job.mean_sequence), whole);
  add("global_batch", job.global_batch, fmt::format("{:.0f}", job.global_batch), whole);
  if (tunes_) add_method();
  if (encodes_) {
    add("head", 0, std::string(data::name_of(head_)), text);
  }
  add("dtype", 0, std::string(data::name_of(job.format)), text);
  add("optimizer", 0, std::string(data::name_of(job.optimizer)), text);
  add("framework", 0, job.framework.id, text);
  add("headroom", job.headroom, units::to_text(units::Ratio{job.headroom}), number);
  const FixedChoices& fixed = job.fixed;
  add_choice("micro_batch", fixed.micro_batch);
  request_.fields.push_back(
      {"recompute", 0, fixed.recompute ? std::string(data::name_of(*fixed.recompute)) : "auto",
       text, !fixed.recompute});
  add("offload", 0, std::string(data::name_of(job.offload)), text);
  request_.fields.back().defaulted = !read_.given("offload");
  add_choice("zero", fixed.zero);
  add_choice("tp", fixed.tp);
  add_choice("pp", fixed.pp);
  add_choice("dp", fixed.dp);
  if (!encodes_) add_degrees();
  add_choice("nodes", request_.nodes);
  add("max_nodes", request_.max_nodes, fmt::format("{}", request_.max_nodes), whole);
  if (request_.nodes) request_.fields.back().defaulted = true;  // it decides nothing
  const std::string interval = read_.text("checkpoint-interval").value_or("auto");
  request_.fields.push_back({"checkpoint_interval", 0, interval, text, interval == "auto"});
  request_.fields.push_back({"software_date", 0, read_.text("software-date").value_or("today"),
                             text, !job.software_date});
  add("estimator", 0, std::string(data::name_of(request_.estimator)), text);
  request_.fields.back().defaulted = !read_.given("estimator");
}

}  // namespace

std::optional<TrainRequest> read_train_request(const data::OptionValues& values,
                                               const Context& context, Purpose purpose,
                                               diag::Sink& sink) {
  return Builder(values, context, purpose, sink).build();
}

std::vector<int> node_counts_of(const TrainRequest& request) {
  if (request.nodes) return {*request.nodes};
  std::vector<int> counts;
  for (int n = 1; n <= request.max_nodes; n *= 2) counts.push_back(n);
  return counts;
}

}  // namespace gpusel::workload::llm
