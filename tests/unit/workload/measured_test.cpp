// Measured runs: rows as option values, errors by slices, pairs, and calibration.
#include "gpusel/workload/measured.h"

#include "catch.h"
#include "unit/data/faults.h"

#include "gpusel/workload/calibration.h"

#include <cmath>
#include <string>
#include <vector>

using namespace gpusel;
using namespace gpusel::workload;

namespace {

struct Shipped {
  Shipped()
      : set(data::DataSet::open({{data::Root::Kind::builtin, ""}}, memory_files({}), faults)),
        catalog(catalog::load_catalog(set, faults)) {}
  diag::Buffer faults;
  data::DataSet set;
  catalog::Catalog catalog;
};

std::vector<MeasuredRow> rows_of(const std::string& text, Shipped& shipped, diag::Sink& sink) {
  const Files none = memory_files({});
  const Context context{&shipped.catalog, &shipped.set, &none};
  auto table = MeasuredRows::open(diag::make_source("a.csv", text), context, sink);
  std::vector<MeasuredRow> rows;
  while (table) {
    auto row = table->next();
    if (!row) break;
    rows.push_back(*std::move(row));
  }
  return rows;
}

const std::string kServing =
    "id,model,weights_dtype,gpu_id,gpu_count,tp,pp,dp,ep,engine,engine_version,date,kind,input_len,"
    "output_len,concurrency_or_batch,tpot_ms,output_tokens_per_s_total\n";

/// One row of serving on shipped data: its only comparison of the metric.
double predicted(const std::string& cells, Metric metric, Shipped& shipped) {
  diag::Buffer faults;
  const auto rows = rows_of(kServing + cells + "\n", shipped, faults);
  CAPTURE(cells, data::test::faults_of(faults));
  REQUIRE(rows.size() == 1);
  CAPTURE(rows[0].skipped);
  for (const Comparison& c : rows[0].comparisons) {
    if (c.metric == metric) return c.predicted;
  }
  FAIL("no such comparison");
  return 0;
}

MeasuredRow row_of(std::string series, std::size_t line, double measured, double predicted_value,
                   Metric metric = Metric::step_time) {
  MeasuredRow row;
  row.series = std::move(series);
  row.line = line;
  row.gpu = "g";
  row.dtype = "bf16";
  row.software = "megatron";
  row.kind = "training";
  row.comparisons = {{metric, measured, predicted_value}};
  row.primary = 0;
  return row;
}

}  // namespace

TEST_CASE("errors of one series are averaged first", "[workload]") {
  const std::vector<MeasuredRow> rows = {row_of("a", 2, 1, 1.1), row_of("a", 3, 1, 1.3),
                                         row_of("a", 4, 1, 0.9), row_of("", 5, 1, 1.4),
                                         row_of("", 6, 1, 0.4)};
  const Summary summary = summarize(rows, By::gpu);
  REQUIRE(summary.slices.size() == 1);
  CHECK(summary.slices[0].name == "g");
  CHECK(summary.slices[0].rows == 5);
  CHECK(summary.slices[0].series == 3);
  CHECK(summary.slices[0].median == Approx(0.4));  // of 0.5 / 3, 0.4 and 0.6
  CHECK(summary.slices[0].bias == Approx(0.1));    // of 0.1, 0.4 and -0.6
  CHECK(summary.overall.median == Approx(0.4));
  CHECK(summary.overall.metric == Metric::step_time);
}

TEST_CASE("skipped rows are counted by reason and slice", "[workload]") {
  std::vector<MeasuredRow> rows(3);
  rows[0].gpu = "a";
  rows[0].skipped = "x";
  rows[1].gpu = "b";
  rows[1].skipped = "y";
  rows[2].gpu = "b";
  rows[2].skipped = "y";
  const Summary summary = summarize(rows, By::gpu);
  REQUIRE(summary.slices.size() == 2);
  CHECK(summary.slices[1].skipped == 2);
  CHECK_FALSE(summary.slices[1].metric.has_value());
  CHECK(summary.overall.rows == 0);
  CHECK(summary.overall.skipped == 3);
  REQUIRE(summary.skipped.size() == 2);
  CHECK(summary.skipped[0].reason == "y");
  CHECK(summary.skipped[0].rows == 2);
}

TEST_CASE("pairs are rows alike in all but the GPU, measured clearly apart", "[workload]") {
  std::vector<MeasuredRow> rows = {row_of("", 2, 10, 11), row_of("", 3, 20, 19),
                                   row_of("", 4, 20.5, 30)};
  rows[0].gpu = "a";
  rows[1].gpu = "b";
  rows[2].gpu = "c";  // within 5 % of b
  CHECK(summarize(rows, By::gpu).pairs.pairs == 2);
  CHECK(summarize(rows, By::gpu).pairs.right == 2);
  rows[2].comparisons[0].predicted = 5;
  CHECK(summarize(rows, By::gpu).pairs.right == 1);
  rows[2].alike = "another model";
  CHECK(summarize(rows, By::gpu).pairs.pairs == 1);
}

TEST_CASE("a quantile lies between the values beside it", "[workload]") {
  CHECK(quantile({3, 1, 2}, 0.5) == 2);
  CHECK(quantile({1, 2}, 0.5) == 1.5);
  CHECK(quantile({7}, 0.9) == 7);
}

TEST_CASE("GPUs beyond tp x pp x dp are replicas", "[workload]") {
  Shipped shipped;
  const auto rate = [&](int gpus) {
    return predicted("a,llama-3.1-8b,bf16,nvidia-h100-sxm5-80gb," + std::to_string(gpus) +
                         ",1,1,,,vllm,,2026,offline-max,1000,1000,max,,1000",
                     Metric::throughput, shipped);
  };
  CHECK(rate(4) == Approx(4 * rate(1)));
  const auto tpot = [&](int gpus, int clients) {
    return predicted("a,llama-3.1-8b,bf16,nvidia-h100-sxm5-80gb," + std::to_string(gpus) +
                         ",1,1,,,vllm,,2026,closed-loop,1000,200," + std::to_string(clients) +
                         ",10,",
                     Metric::tpot, shipped);
  };
  CHECK(tpot(4, 64) == Approx(tpot(1, 16)));
}

TEST_CASE("the release of a run, else its year, chooses the generation of the engine",
          "[workload]") {
  Shipped shipped;
  const auto tpot = [&](const std::string& version, const std::string& date) {
    return predicted("a,llama-3.1-8b,bf16,nvidia-a100-sxm4-80gb,1,1,1,,,vllm," + version + "," +
                         date + ",closed-loop,1000,200,64,10,",
                     Metric::tpot, shipped);
  };
  CHECK(tpot("0.6.5.dev964", "2026") == tpot("", "2024-06"));
  CHECK(tpot("v0.11.2", "2026") == tpot("nightly", "2025"));
  CHECK(tpot("0.19.0", "2026") != tpot("0.11.2", "2026"));
  CHECK(tpot("", "2023") > tpot("", "2024"));
  CHECK(tpot("", "") == tpot("0.15.0", ""));  // nothing said: the newest
}

TEST_CASE("what a row does not state is a reason, not a guess", "[workload]") {
  Shipped shipped;
  diag::Buffer faults;
  const auto [cells, reason] = GENERATE(table<std::string, std::string>({
      {"a,llama-3.1-8b,bf16,nvidia-h100-sxm5-80gb,4,,,,,vllm,,,closed-loop,1000,200,8,10,",
       "the layout is not stated (tp)"},
      {"a,llama-3.1-8b,bf16,nvidia-h100-sxm5-80gb,4,3,,,,vllm,,,closed-loop,1000,200,8,10,",
       "tp x pp x dp does not divide gpu_count"},
      {"a,llama-3.1-8b,bf16,h100,1,1,,,,vllm,,,closed-loop,1000,200,8,10,",
       "gpu 'h100' is a family, not one GPU"},
      {"a,no-model,bf16,nvidia-h100-sxm5-80gb,1,1,,,,vllm,,,closed-loop,1000,200,8,10,",
       "model 'no-model' is not known, and the row does not state layers"},
      {"a,llama-3.1-8b,bf16,nvidia-h100-sxm5-80gb,1,1,,,,vllm,,,closed-loop,,200,8,10,",
       "input_len is not stated"},
      {"a,llama-3.1-8b,bf16,nvidia-h100-sxm5-80gb,1,1,,,,vllm,,,closed-loop,1000,200,,10,",
       "concurrency_or_batch '' is no number"},
      {"a,llama-3.1-8b,bf16,nvidia-h100-sxm5-80gb,1,1,,,,vllm,,,mlperf-server,1000,200,,10,",
       "kind 'mlperf-server': the layout is not published"},
      {"a,llama-3.1-8b,bf16,nvidia-h100-sxm5-80gb,1,1,,,,vllm,,,closed-loop,1000,200,8,,",
       "no measurement that can be compared"},
  }));
  const auto rows = rows_of(kServing + cells + "\n", shipped, faults);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].skipped == reason);
  CHECK(data::test::faults_of(faults) == "");
}

TEST_CASE("figures of no run are no fault of the program", "[workload]") {
  Shipped shipped;
  diag::Buffer faults;
  const std::string cells = GENERATE(
      as<std::string>{},
      "a,llama-3.1-8b,bf16,nvidia-h100-sxm5-80gb,1,1,,,,vllm,,,static-batch,1000,200,1e300,10,",
      "a,llama-3.1-8b,bf16,nvidia-h100-sxm5-80gb,1,1,,,,vllm,,,closed-loop,1000,200,8,1e-300,",
      "a,llama-3.1-8b,bf16,nvidia-h100-sxm5-80gb,1e9,1e5,1e5,1e5,,vllm,,,closed-loop,9,9,8,10,",
      "a,llama-3.1-8b,bf16,nvidia-h100-sxm5-80gb,8,1e9,1e9,1e9,,vllm,,,closed-loop,9,9,8,10,",
      "a,llama-3.1-8b,bf16,nvidia-h100-sxm5-80gb,1,1,,,,vllm,,,closed-loop,1e200,9,8,10,");
  CAPTURE(cells);
  for (const MeasuredRow& row : rows_of(kServing + cells + "\n", shipped, faults)) {
    for (const Comparison& c : row.comparisons) CHECK(std::isfinite(c.error()));
    CHECK((!row.skipped.empty() || row.primary.has_value()));
  }
}

TEST_CASE("few runs move a factor little, many nearly all the way", "[workload]") {
  const auto factor = [](std::size_t n) {
    std::vector<MeasuredRow> rows;
    for (std::size_t i = 0; i < n; ++i) rows.push_back(row_of("", i + 2, 1.2, 1));
    const Calibration made =
        calibrate(rows, "a", MeasuredKind::training, "a.csv", *Date::parse("2026-11-20"));
    REQUIRE(made.factors.size() == 1);
    CHECK(made.factors[0].n == static_cast<int>(n));
    CHECK(made.factors[0].spread == Approx(0).margin(1e-12));
    return made.factors[0].factor;
  };
  CHECK(std::log(factor(1)) == Approx(std::log(1.2) / 3));
  CHECK(std::log(factor(2)) == Approx(std::log(1.2) / 2));
  CHECK(std::log(factor(98)) == Approx(0.98 * std::log(1.2)));
}

TEST_CASE("of several calibrations that of the highest root wins", "[workload]") {
  const auto file = [](const std::string& id, const std::string& factor) {
    return "calibration: " + id + "\nkind: training\nsource: a.csv\ndate: 2026-11-20\nfactors:\n" +
           "  columns: [gpu, dtype, software, figure, factor, n, spread]\n  rows:\n" +
           "    - [g, bf16, megatron, time, " + factor + ", 3, 0.1]\n";
  };
  const Files files =
      memory_files({{"low.yaml", file("z", "1.5")}, {"high.yaml", file("a", "0.9")}});
  diag::Buffer faults;
  auto set = data::DataSet::open(
      {{data::Root::Kind::path, "low.yaml"}, {data::Root::Kind::path, "high.yaml"}}, files, faults);
  const CalibrationSet all = load_calibrations(set, faults);
  CHECK(data::test::faults_of(faults) == "");
  const CalibrationKey key{"g", "bf16", "megatron"};
  CHECK(all.factor(MeasuredKind::training, key, Figure::time) == 0.9);
  CHECK(all.factor(MeasuredKind::training, {"g", "fp8", "megatron"}, Figure::time) == 1);
}

TEST_CASE("a rate of training is a step time, turned round", "[workload]") {
  const std::vector<MeasuredRow> rows = {row_of("", 2, 100, 120, Metric::throughput)};
  const Calibration made =
      calibrate(rows, "a", MeasuredKind::training, "a.csv", *Date::parse("2026-11-20"));
  REQUIRE(made.factors.size() == 1);
  CHECK(made.factors[0].figure == Figure::time);
  CHECK(made.factors[0].factor > 1);
}

TEST_CASE("a calibration that was written reads back, and its runs have no bias left",
          "[workload]") {
  Shipped shipped;
  diag::Buffer faults;
  std::string text =
      "id,model,params_total,layers,hidden,heads,ffn,vocab,seq_len,global_batch,micro_batch,dtype,"
      "gpu_id,gpu_count,framework,tp,pp,step_time_s,peak_memory_gb_per_gpu\n";
  for (int i = 0; i < 40; ++i) {
    text += "r" + std::to_string(i) +
            ",gpt-1.7b,1652226048,24,2304,24,9216,51200,2048,512,16,fp16,nvidia-a100-sxm4-80gb,32,"
            "megatron-lm,1,1,5.2,70\n";
  }
  const auto raw = rows_of(text, shipped, faults);
  REQUIRE(raw.size() == 40);
  CHECK(std::abs(summarize(raw, By::gpu).overall.bias) > 0.2);
  const Calibration made =
      calibrate(raw, "ours", MeasuredKind::training, "my \"runs\".csv", *Date::parse("2026-11-20"));
  CHECK(made.factors.size() == 2);
  const Files files = memory_files({{"ours.yaml", calibration_text(made)}});
  Shipped with;
  with.set = data::DataSet::open(
      {{data::Root::Kind::builtin, ""}, {data::Root::Kind::path, "ours.yaml"}}, files, faults);
  const CalibrationSet set = load_calibrations(with.set, faults);
  CHECK(data::test::faults_of(faults) == "");
  const CalibrationKey key{"nvidia-a100-sxm4-80gb", "fp16", "megatron-lm"};
  CHECK(set.factor(MeasuredKind::training, key, Figure::time) > 1.2);
  CHECK(set.factor(MeasuredKind::serving, key, Figure::time) == 1);
  CHECK(set.assumptions(MeasuredKind::training, key).size() == 2);
  const auto calibrated = rows_of(text, with, faults);
  REQUIRE(calibrated.size() == 40);
  for (const Slice& slice : summarize(calibrated, By::gpu).slices)
    CHECK(std::abs(slice.bias) < 0.05);
}

namespace {

const std::string kTraining =
    "id,workload,model,params_total,layers,hidden,heads,kv_heads,ffn,vocab,experts,top_k,seq_len,"
    "global_batch,micro_batch,dtype,gpu_id,gpu_count,framework,tp,pp,zero_stage,"
    "activation_recompute,lora_rank,lora_targets,mean_seq_len,step_time_s,peak_memory_gb_per_gpu,"
    "memory_unit_reported,notes\n";

MeasuredRow training(const std::string& cells) {
  static Shipped shipped;
  diag::Buffer faults;
  const auto rows = rows_of(kTraining + cells + "\n", shipped, faults);
  CAPTURE(cells, data::test::faults_of(faults));
  REQUIRE(rows.size() == 1);
  return rows[0];
}
double value(const MeasuredRow& row, Metric metric) {
  CAPTURE(row.skipped);
  for (const Comparison& c : row.comparisons) {
    if (c.metric == metric) return c.predicted;
  }
  FAIL("no such comparison");
  return 0;
}
/// A LoRA run of Llama-2-7B on an A100 with what differs.
MeasuredRow lora(const std::string& rank, const std::string& targets, const std::string& mean,
                 const std::string& unit, const std::string& notes,
                 const std::string& framework = "transformers + peft") {
  return training("a,llm-lora,llama-2-7b,,,,,,,,,,1024,8,1,bf16,nvidia-a100-sxm4-80gb,1," +
                  framework + ",1,1,0,full," + rank + "," + targets + "," + mean + ",1,20," + unit +
                  ",\"" + notes + "\"");
}

}  // namespace

TEST_CASE("rows of adapters are fine-tuning runs", "[workload]") {
  using enum Metric;
  const MeasuredRow plain = lora("", "", "", "GiB", "");
  CHECK(value(lora("64", "", "", "GiB", ""), peak_memory) > value(plain, peak_memory) + 2e9);
  CHECK(value(lora("", "", "", "GiB", "LoRA rank 64, packed"), peak_memory) ==
        value(lora("64", "", "", "GiB", ""), peak_memory));
  CHECK(value(lora("64", "attention", "", "GiB", ""), peak_memory) <
        value(lora("64", "", "", "GiB", ""), peak_memory));
  CHECK(value(lora("", "", "200", "GiB", ""), step_time) < 0.7 * value(plain, step_time));
  CHECK(value(lora("", "", "", "GiB", "max 1024 (mean about 200 tokens)"), step_time) ==
        value(lora("", "", "200", "GiB", ""), step_time));
  CHECK(value(lora("", "", "", "GiB", "seq_len is the longest Alpaca example"), step_time) ==
        value(lora("", "", "110", "GiB", ""), step_time));
  CHECK(training("a,llm-adapter,llama-2-7b,,,,,,,,,,1024,8,1,bf16,nvidia-a100-sxm4-80gb,1,litgpt,1,"
                 "1,0,full,,,,1,,,")
            .skipped.find("LoRA") != std::string::npos);
}

TEST_CASE("memory is compared in what a source counts", "[workload]") {
  const double process = value(lora("", "", "", "GiB", ""), Metric::peak_memory);
  // nvidia-smi shows MiB.
  CHECK(value(lora("", "", "", "GB", ""), Metric::peak_memory) ==
        Approx(process * 1e9 / (1024.0 * 1024 * 1024)));
  const double reserved = value(lora("", "", "", "reserved", ""), Metric::peak_memory);
  CHECK(reserved == Approx(process - 1.601e9));
  CHECK(value(lora("", "", "", "allocated", ""), Metric::peak_memory) == Approx(reserved / 1.03));
  // LitGPT prints what its allocator gave out.
  CHECK(value(lora("", "", "", "GB", "", "litgpt"), Metric::peak_memory) ==
        value(lora("", "", "", "allocated", "", "litgpt"), Metric::peak_memory));
  // A reserved peak near the card's memory bounds the need and is no measurement of it.
  const auto near = [](const char* measured) {
    return training(
        std::string("a,llm-lora,llama-2-7b,,,,,,,,,,1024,8,1,bf16,nvidia-a100-sxm4-80gb,1,peft,1,1,"
                    "0,full,,,,1,") +
        measured + ",GB reserved,");
  };
  CHECK(near("60").comparisons.size() == 2);
  CHECK(near("78").comparisons.size() == 1);
  CHECK(lora("", "", "", "GB", "activation offloading").comparisons.size() == 1);
}

TEST_CASE("torch.compile in the notes is the compiled framework", "[workload]") {
  const std::string run =
      "a,llm-pretrain,llama-3-8b,,,,,,,,,,4096,8,1,bf16,nvidia-a100-sxm4-80gb,8,torchtitan,1,1,3,"
      "selective,,,,1,,,";
  CHECK(training(run).software == "fsdp");
  CHECK(training(run + "FSDP 8; compile").software == "fsdp-compile");
  CHECK(value(training(run + "compile"), Metric::step_time) <
        value(training(run), Metric::step_time));
}

TEST_CASE("prose of a row names variants of its framework", "[workload]") {
  const auto run = [](const char* notes) {
    return training(std::string("a,llm-full-ft,llama-3.2-3b,,,,,,,,,,2048,8,1,bf16,"
                                "nvidia-a100-sxm4-80gb,1,transformers,1,1,0,full,,,,1,40,GiB,") +
                    notes);
  };
  CHECK(run("").software == "hf");
  CHECK(run("pure bf16").software == "hf-bf16");
  // 4 + 4 + 8 bytes a parameter against 2 + 2 + 4.
  CHECK(value(run(""), Metric::peak_memory) - value(run("pure bf16"), Metric::peak_memory) ==
        Approx(1.03 * 8 * 3.2127e9).epsilon(0.001));
  CHECK(value(lora("", "", "", "GiB", "int4 (GPTQ) base weights"), Metric::step_time) ==
        value(lora("", "", "", "GiB", ""), Metric::step_time));  // LoRA has no such weights
  const auto quantised = [](const char* notes) {
    return training(std::string("a,llm-qlora,llama-2-7b,,,,,,,,,,1024,8,1,bf16,"
                                "nvidia-a100-sxm4-80gb,1,transformers,1,1,0,full,,,,1,20,GiB,") +
                    notes);
  };
  CHECK(value(quantised("int4 (GPTQ)"), Metric::step_time) >
        value(quantised(""), Metric::step_time));
}

TEST_CASE("columns describe a mixture whose experts are alike", "[workload]") {
  const auto mixture = [](const char* params, const char* experts) {
    return training(std::string("a,llm-pretrain,unheard-of,") + params +
                    ",32,4096,32,8,14336,32000," + experts +
                    ",2,4096,64,1,bf16,nvidia-h100-sxm5-80gb,8,megatron-core,2,1,1,none,,,,1,,,");
  };
  CHECK(mixture("46.7e9", "8").skipped.empty());
  CHECK(mixture("60e9", "8").skipped.find("do not describe this mixture") != std::string::npos);
}

TEST_CASE("a row without a global batch is compared in memory", "[workload]") {
  const MeasuredRow row = training(
      "a,llm-full-ft,llama-2-7b,,,,,,,,,,2048,,2,bf16,nvidia-a100-sxm4-80gb,8,fsdp,1,1,3,full,,,,,"
      "20,GiB,");
  CHECK(value(row, Metric::peak_memory) > 10e9);
  // A step time without its batch is not compared.
  const MeasuredRow timed = training(
      "a,llm-full-ft,llama-2-7b,,,,,,,,,,2048,,2,bf16,nvidia-a100-sxm4-80gb,8,fsdp,1,1,3,full,,,,2,"
      "20,GiB,");
  CHECK(timed.comparisons.size() == 1);
  CHECK(timed.comparisons.front().metric == Metric::peak_memory);
  CHECK(training("a,llm-full-ft,llama-2-7b,,,,,,,,,,2048,,,bf16,nvidia-a100-sxm4-80gb,8,fsdp,1,1,3,"
                 "full,,,,,20,GiB,")
            .skipped == "global_batch is missing");
}

TEST_CASE("NVIDIA's recipes without a format run in FP8 where the GPU has it", "[workload]") {
  const auto run = [](const char* gpu) {
    return training(std::string("a,llm-pretrain,llama-3-8b,,,,,,,,,,8192,32,1,,") + gpu +
                    ",8,NVIDIA NeMo,1,1,1,none,,,,1,,,");
  };
  CHECK(run("nvidia-h100-sxm5-80gb").dtype == "fp8");
  CHECK(run("nvidia-a100-sxm4-80gb").dtype == "auto");
}
