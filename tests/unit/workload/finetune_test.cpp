// Fine-tuning: adapters, 4-bit weights, data sets, and public reports of what fits.
#include "../../../src/workload/llm/training_search.h"
#include "catch.h"
#include "training_fixture.h"

#include "gpusel/base/io.h"

#include <algorithm>

using namespace gpusel;
using namespace gpusel::workload;
using namespace gpusel::workload::llm;

namespace {

using test::Options;

std::unique_ptr<const Workload> tune(const Options& options, std::string* why = nullptr) {
  return test::made("llm-finetune", options, why);
}

estimate::Verdict<estimate::Plan> on(const Workload& work, const char* gpu, int count) {
  const catalog::Hardware hardware = test::hardware(gpu, count, 100);
  SearchCount searched;
  return work.search(estimate::make_machine(test::data().catalog, hardware, 1), searched);
}
bool fits(const Options& options, const char* gpu, int count) {
  std::string why;
  const auto work = tune(options, &why);
  INFO(why);
  REQUIRE(work != nullptr);
  return on(*work, gpu, count).has_value();
}

const estimate::Assumption* assumed(const Workload& work, std::string_view id) {
  for (const estimate::Assumption& a : work.assumptions()) {
    if (a.id == id) return &a;
  }
  return nullptr;
}

// A step and its peak for a layout, in seconds and GB.
struct Cost {
  double step;
  double memory;
};
Cost cost_of(const TrainingJob& job, int gpus, const Layout& l) {
  const catalog::Hardware hardware = test::hardware("nvidia-a100-sxm4-80gb", gpus, 200);
  const TrainingModel model(job, estimate::make_machine(test::data().catalog, hardware, 1));
  const Placement place = model.placement(l);
  return {
      units::in_seconds(estimate::total(model.time(l, model.micro_batch(l), place), kTimeTerms)),
      units::in_bytes(estimate::total(model.memory(l, model.activations(l), place), kMemoryTerms)) /
          1e9};
}
TrainingJob job_of(const char* model, const char* framework, double sequence, double batch,
                   Adapters adapters) {
  TrainingJob job;
  job.card = *test::data().models.find(model);
  diag::Buffer faults;
  job.framework = *load_frameworks(test::data().set, faults).find(framework);
  job.tokens = 1e9;
  job.sequence = sequence;
  job.global_batch = batch;
  job.adapters = adapters;
  return job;
}

}  // namespace

TEST_CASE("adapters count r (in + out) for each matrix", "[workload]") {
  const ModelCard& llama = *test::data().models.find("llama-2-7b");
  // 32 layers of four square matrices of 4096 and three of 4096 x 11008.
  CHECK(adapter_parameters(llama, {8, Targets::all_linear, false}) ==
        8 * 32 * (4 * 2 * 4096.0 + 3 * (4096.0 + 11008)));
  CHECK(adapter_parameters(llama, {16, Targets::attention, false}) == 16 * 32 * 4 * 2 * 4096.0);
  const ModelCard& mixtral = *test::data().models.find("mixtral-8x7b");
  CHECK(adapter_parameters(mixtral, {1, Targets::all_linear, false}) ==
        32 * (2 * (4096.0 + 4096) + 2 * (4096.0 + 1024) + 8 * 3 * (4096.0 + 14336)));
  const ModelCard& deepseek = *test::data().models.find("deepseek-v3");
  CHECK(adapter_parameters(deepseek, {1, Targets::attention, false}) ==
        61 * ((7168.0 + 1536) + (1536 + 128 * 192) + (7168 + 576) + (512 + 128 * 256.0) +
              (128 * 128 + 7168)));
}

TEST_CASE("steps and peaks of adapters are those of the formulas", "[workload]") {
  // Computed apart from this code from the formulas of docs/estimation.md; rank 64, one sequence on
  // an A100 80 GB with full recompute, eight accumulated, Hugging Face software.
  struct Vector {
    bool quantised;
    double sequence;
    double step;
    double memory;
  };
  const Vector v =
      GENERATE(Vector{false, 256, 1.5423, 20.6658}, Vector{false, 2048, 4.7744, 24.3407},
               Vector{false, 8192, 23.8499, 36.9402}, Vector{true, 256, 2.4966, 11.1810},
               Vector{true, 2048, 5.7287, 14.8559}, Vector{true, 8192, 24.8042, 27.4554});
  Layout l;
  l.recompute = Recompute::full;
  const Cost cost = cost_of(
      job_of("qwen1.5-7b", "hf", v.sequence, 8, {64, Targets::all_linear, v.quantised}), 1, l);
  INFO(v.quantised << " " << v.sequence);
  CHECK(cost.step == Approx(v.step).epsilon(0.005));
  CHECK(cost.memory == Approx(v.memory).epsilon(0.005));
}

TEST_CASE("sharded adapters are those of the formulas", "[workload]") {
  // Llama 3.1 70B, rank 16, four A100 under ZeRO-3, four sequences of 2048 a step.
  const bool quantised = GENERATE(false, true);
  Layout l;
  l.dp = 4;
  l.zero = 3;
  l.recompute = Recompute::full;
  const Cost cost = cost_of(
      job_of("llama-3.1-70b", "fsdp", 2048, 16, {16, Targets::all_linear, quantised}), 4, l);
  INFO(quantised);
  CHECK(cost.step == Approx(quantised ? 20.5827 : 16.9574).epsilon(0.005));
  CHECK(cost.memory == Approx(quantised ? 25.9923 : 52.0613).epsilon(0.005));
}

TEST_CASE("published LoRA runs of a 7B model lie in the stated range", "[workload]") {
  // QwenLM/Qwen, README, "Profiling of Memory and Speed": one A100 80 GB, batch 1 x 8, rank 64;
  // seconds an iteration and GB, printed with the prefix of GiB.
  struct Run {
    double sequence;
    double step;
    double memory;
  };
  const Run run = GENERATE(Run{512, 1.5, 20.4}, Run{1024, 2.8, 21.5}, Run{2048, 5.2, 23.8},
                           Run{4096, 10.1, 29.7});
  Layout l;
  l.recompute = Recompute::full;
  const Cost cost =
      cost_of(job_of("qwen1.5-7b", "hf", run.sequence, 8, {64, Targets::all_linear, false}), 1, l);
  INFO(run.sequence);
  CHECK(run.step / cost.step > 0.8);
  CHECK(run.step / cost.step < 1.25);
  CHECK(run.memory * 1.0737 / cost.memory == Approx(1).epsilon(0.15));
}

TEST_CASE("QLoRA of 70B needs more than two 24 GB cards", "[workload]") {
  // axolotl-ai-cloud/axolotl#1522, hiyouga/LlamaFactory#2939: out of memory on two RTX 4090.
  const Options qlora = {{"model", "llama-2-70b"},
                         {"method", "qlora"},
                         {"framework", "fsdp"},
                         {"seq-len", "512"},
                         {"global-batch", "8"}};
  CHECK_FALSE(fits(qlora, "nvidia-rtx-4090-24gb", 2));
  // bitsandbytes-foundation/bitsandbytes#1252: FSDP shards 4-bit weights over two 40 GB GPUs.
  CHECK(fits(qlora, "nvidia-a100-sxm4-40gb", 2));
}

TEST_CASE("ZeRO-3 of DeepSpeed does not split 4-bit weights", "[workload]") {
  // hiyouga/LlamaFactory#747, deepspeedai/DeepSpeed#5109.
  const Options qlora = {{"model", "llama-2-70b"},   {"method", "qlora"},
                         {"framework", "deepspeed"}, {"seq-len", "512"},
                         {"global-batch", "8"},      {"zero", "3"}};
  CHECK_FALSE(fits(qlora, "nvidia-a100-sxm4-40gb", 1));
  CHECK_FALSE(fits(qlora, "nvidia-a100-sxm4-40gb", 4));
}

TEST_CASE("QLoRA of 70B on one 80 GB GPU is a question of length", "[workload]") {
  // Lightning-AI/litgpt#1262 ran out of memory at the settings tried.
  const auto at = [](const char* length) {
    return fits(
        {{"model", "llama-2-70b"}, {"method", "qlora"}, {"seq-len", length}, {"global-batch", "8"}},
        "nvidia-a100-sxm4-80gb", 1);
  };
  CHECK(at("512"));
  CHECK_FALSE(at("65536"));
}

TEST_CASE("the ladder of methods for 70B", "[workload]") {
  // bitsandbytes-foundation/bitsandbytes#1252: whole about 16 x 80 GB, LoRA about 8 x 80, QLoRA
  // about 2 x 40. epfLLM/Megatron-LM#52: not whole on 8 x 80 GB with Adam in fp32.
  const auto with = [](const char* method) {
    return Options{{"model", "llama-2-70b"},
                   {"method", method},
                   {"framework", "fsdp"},
                   {"seq-len", "2048"},
                   {"global-batch", "16"}};
  };
  CHECK_FALSE(fits(with("full"), "nvidia-a100-sxm4-80gb", 8));
  CHECK(fits(with("full"), "nvidia-a100-sxm4-80gb", 16));
  CHECK_FALSE(fits(with("lora"), "nvidia-a100-sxm4-80gb", 1));
  CHECK(fits(with("lora"), "nvidia-a100-sxm4-80gb", 8));
  CHECK(fits(with("qlora"), "nvidia-a100-sxm4-80gb", 1));
}

TEST_CASE("an 8-bit optimizer lowers the peak of a whole fine-tuning", "[workload]") {
  const auto peak = [](const char* optimizer) {
    const auto work = tune({{"model", "llama-2-13b"},
                            {"method", "full"},
                            {"framework", "fsdp"},
                            {"seq-len", "2048"},
                            {"global-batch", "32"},
                            {"micro-batch", "4"},
                            {"recompute", "selective"},
                            {"dp", "8"},
                            {"optimizer", optimizer}});
    REQUIRE(work != nullptr);
    const auto plan = on(*work, "nvidia-a100-sxm4-80gb", 8);
    REQUIRE(plan.has_value());
    return units::in_bytes(plan->figures.memory) / 1e9;
  };
  // meta-llama/llama-cookbook#25: about 48 GB a GPU at batch 4 with AdamW; recompute is not stated.
  CHECK(peak("adamw") == Approx(48).epsilon(0.2));
  CHECK(peak("adamw-8bit") < peak("adamw") - 8);
}

TEST_CASE("a LoRA step is cheaper than a whole one, never free", "[workload]") {
  const auto step = [](const char* method) {
    const auto work = tune({{"model", "llama-2-7b"},
                            {"method", method},
                            {"seq-len", "2048"},
                            {"global-batch", "8"},
                            {"micro-batch", "1"},
                            {"recompute", "full"}});
    REQUIRE(work != nullptr);
    const auto plan = on(*work, "nvidia-h200-sxm5-141gb", 1);
    REQUIRE(plan.has_value());
    return units::in_seconds(plan->figures.step);
  };
  CHECK(step("lora") < step("full"));
  CHECK(step("lora") > 0.6 * step("full"));
  CHECK(step("qlora") > step("lora"));
}

TEST_CASE("the bound of fine-tuning is never above what the search finds", "[workload]") {
  for (const char* method : {"full", "lora", "qlora"}) {
    for (const char* framework : {"hf", "fsdp", "deepspeed", "megatron"}) {
      const auto work = tune({{"model", "llama-3.1-8b"},
                              {"method", method},
                              {"framework", framework},
                              {"global-batch", "32"}});
      INFO(method << " " << framework);
      REQUIRE(work != nullptr);
      const catalog::Hardware hardware = test::hardware("nvidia-h100-sxm5-80gb", 8, 400);
      const estimate::Machine machine = estimate::make_machine(test::data().catalog, hardware, 1);
      SearchCount searched;
      const auto plan = work->search(machine, searched);
      REQUIRE(plan.has_value());
      const estimate::Bound bound = work->bound(machine);
      CHECK(bound.memory <= plan->figures.memory);
      CHECK(bound.time <= plan->figures.duration);
      const estimate::Estimate e = work->explain(*plan, machine);
      CHECK(e.ledgers[0].total() == Approx(units::in_bytes(plan->figures.memory)));
      CHECK(e.ledgers[1].total() == Approx(units::in_seconds(plan->figures.step)));
      CHECK(e.ledgers[2].total() == Approx(units::in_flops(plan->figures.flops)));
    }
  }
}

TEST_CASE("a data set is tokens, or samples times length times passes", "[workload]") {
  const auto tokens = [](const Options& options) {
    const auto work = tune(options);
    REQUIRE(work != nullptr);
    const auto& fields = work->fields();
    const auto at = std::find_if(fields.begin(), fields.end(),
                                 [](const Field& f) { return f.key == "tokens"; });
    REQUIRE(at != fields.end());
    return at->number;
  };
  CHECK(tokens({{"model", "llama-3.1-8b"}}) == 52000.0 * 512 * 3);
  CHECK(
      tokens(
          {{"model", "llama-3.1-8b"}, {"samples", "10k"}, {"epochs", "2"}, {"seq-len", "1024"}}) ==
      10000.0 * 1024 * 2);
  CHECK(tokens({{"model", "llama-3.1-8b"}, {"tokens", "5M"}}) == 5e6);
}

TEST_CASE("what is not said about fine-tuning is announced", "[workload]") {
  const auto work = tune({{"model", "llama-3.1-8b"}});
  REQUIRE(work != nullptr);
  for (const char* id : {"method", "lora_rank", "lora_targets", "samples", "epochs", "seq_len",
                         "global_batch", "framework", "optimizer"}) {
    INFO(id);
    CHECK(assumed(*work, id) != nullptr);
  }
  CHECK(assumed(*work, "quant") == nullptr);
  CHECK(assumed(*tune({{"model", "llama-3.1-8b"}, {"method", "qlora"}}), "quant") != nullptr);
}

TEST_CASE("options of fine-tuning that disagree are refused", "[workload]") {
  const auto why = [](Options options) {
    options.emplace_back("model", "llama-3.1-8b");
    std::string text;
    CHECK(tune(options, &text) == nullptr);
    return text;
  };
  const auto has = [](const std::string& text, std::string_view part) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
  };
  has(why({{"tokens", "1M"}, {"samples", "10"}}), "the data set is given twice");
  has(why({{"method", "full"}, {"lora-rank", "8"}}), "method 'full' has no adapters");
  has(why({{"method", "lora"}, {"quant", "nf4"}}), "method 'lora' has no weights in 4 bits");
  has(why({{"method", "qlora"}, {"quant", "int3"}}), "'int3' is not one of 'nf4'");
  has(why({{"method", "lora"}, {"dtype", "fp8"}}), "trains adapters over 16-bit products");
  has(why({{"lora-rank", "0"}}), "lora-rank");
  has(why({{"epochs", "0"}}), "epochs");
  has(why({{"samples", "0"}}), "at least one sample");
  has(why({{"method", "lorra"}}), "lorra");
}

TEST_CASE("tables that are trained whole cost their gradients and moments", "[workload]") {
  const ModelCard& llama = *test::data().models.find("llama-2-7b");
  const Adapters plain{8, Targets::all_linear, false};
  const Adapters whole{8, Targets::all_linear_and_embeddings, false};
  const double tables = 2 * 32000.0 * 4096;
  CHECK(whole_parameters(llama, plain) == 0);
  CHECK(whole_parameters(llama, whole) == tables);
  CHECK(adapter_parameters(llama, whole) == adapter_parameters(llama, plain));
  Layout l;
  l.recompute = Recompute::full;
  const Cost without = cost_of(job_of("llama-2-7b", "hf", 1024, 8, plain), 1, l);
  const Cost with = cost_of(job_of("llama-2-7b", "hf", 1024, 8, whole), 1, l);
  CHECK(with.memory - without.memory == Approx(1.03 * 12 * tables / 1e9));
  CHECK(with.step > without.step);
}

TEST_CASE("samples that are not packed take the time of their padded length", "[workload]") {
  TrainingJob job = job_of("llama-2-7b", "hf", 1024, 8, {8, Targets::all_linear, false});
  Layout l;
  const Cost packed = cost_of(job, 1, l);
  job.mean_sequence = 200;
  const Cost loose = cost_of(job, 1, l);
  CHECK(loose.memory == packed.memory);
  CHECK(loose.step < packed.step);
  CHECK(job.steps() == 1e9 / (200 * 8));
  // A micro-batch is as long as its longest sample: 1.6 times the mean for four of them.
  l.micro_batch = 4;
  const Cost four = cost_of(job, 1, l);
  job.mean_sequence.reset();
  job.sequence = 320;
  CHECK(four.step == Approx(cost_of(job, 1, l).step).epsilon(0.02));
  job.sequence = 1024;
  // Never longer than the longest.
  job.mean_sequence = 1024;
  l.micro_batch = 4;
  const Cost full = cost_of(job, 1, l);
  job.mean_sequence.reset();
  CHECK(full.step == cost_of(job, 1, l).step);
}

TEST_CASE("a mean length is a length of at most the sequence", "[workload]") {
  std::string why;
  const auto work =
      tune({{"model", "llama-3-8b"}, {"seq-len", "2048"}, {"mean-seq-len", "300"}}, &why);
  INFO(why);
  REQUIRE(work != nullptr);
  CHECK(assumed(*work, "tokens") == nullptr);
  CHECK(tune({{"model", "llama-3-8b"}, {"seq-len", "256"}, {"mean-seq-len", "300"}}, &why) ==
        nullptr);
  CHECK(why.find("mean-seq-len") != std::string::npos);
}

TEST_CASE("adapters over 8-bit weights need software that has them", "[workload]") {
  std::string why;
  CHECK(tune({{"model", "llama-2-70b"}, {"dtype", "fp8"}}, &why) == nullptr);
  CHECK(why.find("'hf' trains adapters over 16-bit products") != std::string::npos);
  CHECK(tune({{"model", "llama-2-70b"},
              {"dtype", "fp8"},
              {"method", "qlora"},
              {"framework", "megatron-bridge"}},
             &why) == nullptr);
  Layout l;
  l.pp = 4;
  l.tp = 2;
  const Adapters adapters{16, Targets::attention, false};
  TrainingJob job = job_of("llama-2-70b", "megatron-bridge", 4096, 32, adapters);
  const auto cost = [&] {
    const catalog::Hardware hardware = test::hardware("nvidia-h100-sxm5-80gb", 8, 200);
    const TrainingModel model(job, estimate::make_machine(test::data().catalog, hardware, 1));
    return model.memory(l, model.activations(l), model.placement(l));
  };
  const units::Bytes half = cost().weights;
  job.format = TrainFormat::fp8;
  // Layers halve, the table stays in 16 bits.
  CHECK(units::in_bytes(cost().weights) < 0.52 * units::in_bytes(half));
  CHECK(tune({{"model", "llama-2-70b"}, {"dtype", "fp8"}, {"framework", "megatron-bridge"}}) !=
        nullptr);
}

TEST_CASE("software that loads a whole model on each rank peaks while it loads", "[workload]") {
  const TrainingJob job = job_of("llama-2-13b", "litgpt", 512, 4, {8, Targets::attention, false});
  Layout l;
  l.dp = 4;
  l.zero = 3;
  l.recompute = Recompute::full;
  // 2 bytes x 13.0 G x (1 + 1/4), buffers, and what the process holds.
  CHECK(cost_of(job, 4, l).memory == Approx(32.5 + 0.8 + 1.6 + 1.4).epsilon(0.01));
  TrainingJob other = job;
  other.framework.loads_whole = false;
  CHECK(cost_of(other, 4, l).memory < 15);
}

TEST_CASE("moments in 16 bits halve what an optimizer holds", "[workload]") {
  TrainingJob job = job_of("llama-3.2-3b", "torchtune", 4096, 2, {});
  job.adapters.reset();
  Layout l;
  l.recompute = Recompute::full;
  const Cost two = cost_of(job, 1, l);
  job.optimizer = Optimizer::adamw_8bit;
  const double parameters = job.card.params / 1e9;
  CHECK(two.memory - cost_of(job, 1, l).memory ==
        Approx(1.03 * (4 - 2.03) * parameters).epsilon(0.01));
  job.optimizer = Optimizer::sgd;
  CHECK(two.memory - cost_of(job, 1, l).memory == Approx(1.03 * 2 * parameters).epsilon(0.01));
}
