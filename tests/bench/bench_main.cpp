// What a run spends its time on: loading the built-in catalog, searching layouts, recommending from
// the whole catalog, parsing quantities, checking a large file.
#include "support/fake_run.h"

#include "gpusel/catalog/catalog.h"
#include "gpusel/data/data_set.h"
#include "gpusel/units/parse.h"
#include "gpusel/workload/workload.h"

#include <benchmark/benchmark.h>

#include <map>
#include <string>

namespace {

using namespace gpusel;

void load_built_in(benchmark::State& state) {
  for (auto _ : state) {
    diag::Buffer faults;
    data::DataSet set =
        data::DataSet::open({{data::Root::Kind::builtin, {}}}, memory_files({}), faults);
    const catalog::Catalog catalog = catalog::load_catalog(set, faults);
    benchmark::DoNotOptimize(catalog.offers.data());
    if (faults.has_errors()) state.SkipWithError("the built-in data has errors");
  }
}

void run(benchmark::State& state, const test::FakeWorld& world) {
  for (auto _ : state) {
    const test::RunResult result = test::fake_run(world);
    benchmark::DoNotOptimize(result.out.data());
    if (result.exit_code != 0) state.SkipWithError(result.err.c_str());
  }
}

void recommend_training(benchmark::State& state) {
  run(state, {.args = {"recommend", "--workload", "llm-train", "--params", "10B"}});
}

void recommend_serving(benchmark::State& state) {
  run(state, {.args = {"recommend", "--workload", "llm-inference", "--model", "llama-3.1-70b",
                       "--rate", "5/s"}});
}

// Layouts priced per second on one core; those that a bound cuts don't count.
void search_training(benchmark::State& state) {
  diag::Buffer faults;
  data::DataSet set =
      data::DataSet::open({{data::Root::Kind::builtin, {}}}, memory_files({}), faults);
  const catalog::Catalog catalog = catalog::load_catalog(set, faults);
  const Files files = memory_files({});
  data::OptionValues options;
  options.set("model", {"llama-3.1-70b", {}, data::Origin::flag});
  const auto work =
      workload::find_kind("llm-train")->make(options, {&catalog, &set, &files}, faults);
  catalog::Hardware hardware;
  hardware.gpu = catalog.gpus_named("nvidia-h100-sxm5-80gb").at(0);
  hardware.count = 8;
  hardware.network = units::gbps(3200);
  const estimate::Machine machine = estimate::make_machine(catalog, hardware, 64);
  workload::SearchCount count;
  for (auto _ : state) benchmark::DoNotOptimize(work->search(machine, count).has_value());
  state.counters["layouts"] =
      benchmark::Counter(static_cast<double>(count.evaluated), benchmark::Counter::kIsRate);
}

void parse_quantity(benchmark::State& state) {
  for (auto _ : state) {
    const Result<units::Bytes> size = units::parse<units::Bytes>("80.5 GiB");
    benchmark::DoNotOptimize(size.has_value());
  }
}

// A provider of 500 instances and 2,000 offers.
std::string large_provider() {
  std::string text =
      "provider: large\nname: Large\nsources:\n"
      "  list: {url: \"https://large.example\", date: 2026-11-01, confidence: verified}\n"
      "billing_increment: 1 s\ncompliance: []\ninstances:\n";
  constexpr int kInstances = 500;
  for (int i = 0; i < kInstances; ++i) {
    text +=
        "  - {id: i" + std::to_string(i) +
        ", gpu: nvidia-h100-sxm5-80gb, count: 8, vcpus: 96, memory: 1024 GiB, network: 400 Gbps, "
        "virtualization: vm, source: list}\n";
  }
  text += "regions:\n";
  for (const char* region : {"a", "b", "c", "d"}) {
    text += std::string("  - {id: ") + region + ", country: DE, continent: eu, compliance: []}\n";
  }
  text += "prices:\n  columns: [instance, region, purchase, price, source]\n  rows:\n";
  for (int i = 0; i < kInstances; ++i) {
    for (const char* region : {"a", "b", "c", "d"}) {
      text += "    - [i" + std::to_string(i) + ", " + region + ", on-demand, " +
              std::to_string(20 + i % 10) + ".50 USD/h, list]\n";
    }
  }
  return text;
}

void check_large_file(benchmark::State& state) {
  run(state,
      {.args = {"catalog", "check", "large.yaml"}, .files = {{"large.yaml", large_provider()}}});
}

// The checks alone, without reading a file.
void check_built_in(benchmark::State& state) {
  diag::Buffer faults;
  data::DataSet set =
      data::DataSet::open({{data::Root::Kind::builtin, {}}}, memory_files({}), faults);
  catalog::Catalog catalog = catalog::load_catalog(set, faults);
  catalog::load_lint(catalog, set, faults);
  for (auto _ : state) {
    diag::Buffer findings;
    catalog::check_catalog({catalog, *Date::parse("2026-12-02")}, findings);
    benchmark::DoNotOptimize(findings.all().data());
  }
}

BENCHMARK(check_built_in)->Unit(benchmark::kMillisecond);
BENCHMARK(load_built_in)->Unit(benchmark::kMillisecond);
BENCHMARK(search_training)->Unit(benchmark::kMillisecond);
BENCHMARK(recommend_training)->Unit(benchmark::kMillisecond);
BENCHMARK(recommend_serving)->Unit(benchmark::kMillisecond);
BENCHMARK(parse_quantity);
BENCHMARK(check_large_file)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
