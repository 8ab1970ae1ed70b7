// Encoding of texts: what a pass takes, and what must hold of every plan.
#include "../../../src/workload/encoding/request.h"
#include "../../../src/workload/encoding/work.h"
#include "catch.h"
#include "training_fixture.h"

#include "gpusel/base/io.h"

#include <fmt/format.h>

using namespace gpusel;
using namespace gpusel::workload;
using namespace gpusel::workload::encoding;

namespace {

using test::Options;

std::unique_ptr<const Workload> encoding_of(const Options& options, std::string* why = nullptr) {
  return test::made("encoder-inference", options, why);
}

std::string fault_of(const Options& options) {
  std::string why;
  CHECK(encoding_of(options, &why) == nullptr);
  return why;
}

PassJob job_of(std::string_view software, double positions, double mean) {
  PassJob job;
  const auto& card = std::get<ModelCard>(*test::data().models.find_model("bert-large"));
  job.tower = tower_of(card);
  job.params = count_parameters(card).total;
  job.positions = positions;
  job.mean = mean;
  job.software = *find_software(software);
  return job;
}

struct On {
  catalog::Hardware hardware;
  estimate::Machine machine;
  explicit On(std::string_view gpu, int count = 1, int nodes = 1)
      : hardware(test::hardware(gpu, count, 0)),
        machine(estimate::make_machine(test::data().catalog, hardware, nodes)) {}
};

double seconds_of(const PassJob& job, const On& on, double batch) {
  REQUIRE_FALSE(PassModel::refusal(job, on.machine));
  return units::in_seconds(estimate::total(PassModel(job, on.machine).time(batch), kTimeTerms));
}

estimate::Verdict<estimate::Plan> search(const Workload& work, const On& on) {
  SearchCount count;
  return work.search(on.machine, count);
}

}  // namespace

TEST_CASE("a pass of BERT-large is 302 M multiply-adds a token and its scores", "[workload]") {
  const PassFlops flops = flops_of(job_of("tensorrt", 384, 384));
  CHECK(units::in_flops(flops.products) == Approx(2.0 * 24 * 12 * 1024 * 1024 * 384));
  CHECK(units::in_flops(flops.attention) == Approx(4.0 * 24 * 1024 * 384 * 384));
}

TEST_CASE("eight bits are twice as fast where the GPU has them", "[workload]") {
  const On a100("nvidia-a100-sxm4-40gb");
  PassJob job = job_of("tensorrt", 384, 384);
  const double half = seconds_of(job, a100, 128);
  job.format = catalog::NumberFormat::int8;
  CHECK(half / seconds_of(job, a100, 128) == Approx(2).epsilon(0.05));
  job.format = catalog::NumberFormat::fp8;
  const auto why = PassModel::refusal(job, a100.machine);
  REQUIRE(why.has_value());
  CHECK(why->resource == "dtype");
  const auto unknown =
      PassModel::refusal(job_of("tensorrt", 384, 384), On("nvidia-p100-pcie-16gb").machine);
  REQUIRE(unknown.has_value());
  CHECK(unknown->resource == "curves");
}

TEST_CASE("a pass computes padding unless its software skips it", "[workload]") {
  const On a100("nvidia-a100-sxm4-40gb");
  CHECK(job_of("tensorrt", 512, 100).computed(32) == 100);
  // Padded to the longest of 32: 1 + 0.3 log2(32) means.
  CHECK(job_of("pytorch", 512, 100).computed(32) == Approx(250));
  CHECK(job_of("pytorch", 200, 100).computed(32) == 200);
  CHECK(seconds_of(job_of("pytorch", 512, 100), a100, 32) >
        2 * seconds_of(job_of("tensorrt", 512, 100), a100, 32));
}

TEST_CASE("the host sets the time of small batches where it starts each kernel", "[workload]") {
  const On h200("nvidia-h200-sxm5-141gb");
  const PassJob job = job_of("pytorch", 128, 128);
  CHECK(seconds_of(job, h200, 1) == Approx(24 * 347e-6));
  CHECK(seconds_of(job, h200, 2) == Approx(24 * 347e-6));
  CHECK(seconds_of(job, h200, 128) > 3 * 24 * 347e-6);
  CHECK(seconds_of(job_of("tensorrt", 128, 128), h200, 1) < 12 * 347e-6);
}

TEST_CASE("a larger batch is never slower per text and never smaller", "[workload]") {
  for (const Software& software : all_software()) {
    for (const char* gpu : {"nvidia-t4-16gb", "nvidia-l4-24gb", "nvidia-h200-sxm5-141gb"}) {
      const On on(gpu);
      const PassJob job = job_of(software.id, 256, 160);
      const PassModel model(job, on.machine);
      for (double b = 1; b < 512; b *= 2) {
        INFO(software.id << " on " << gpu << ", batch " << b);
        if (software.skips_padding)
          CHECK(seconds_of(job, on, 2 * b) / 2 <= seconds_of(job, on, b) * (1 + 1e-12));
        CHECK(estimate::total(model.memory(2 * b), kMemoryTerms) >
              estimate::total(model.memory(b), kMemoryTerms));
      }
    }
  }
}

TEST_CASE("a plan of encoding adds up and keeps its bounds", "[workload]") {
  const On on("nvidia-a100-sxm4-80gb", 8, 2);
  for (const Options& options :
       {Options{{"model", "bge-m3"}, {"sequences", "10M"}, {"mean-seq-len", "256"}},
        Options{{"model", "bge-m3"}, {"engine", "tei"}},
        Options{{"model", "bge-m3"}, {"engine", "tei"}, {"rate", "900/s"}}}) {
    const auto work = encoding_of(options);
    REQUIRE(work != nullptr);
    const auto plan = search(*work, on);
    REQUIRE(plan.has_value());
    const estimate::Figures& f = plan->figures;
    const estimate::Bound bound = work->bound(on.machine);
    CHECK(bound.memory <= f.memory);
    if (work->nature() == Nature::job) CHECK(bound.time <= f.duration);
    if (work->nature() == Nature::service)
      CHECK(units::in_seconds(bound.time) * units::in_items_per_second(f.throughput) <= 1 + 1e-9);
    const estimate::Estimate e = work->explain(*plan, on.machine);
    CHECK(e.ledgers[0].total() == Approx(units::in_bytes(f.memory)));
    CHECK(e.ledgers[1].total() == Approx(units::in_seconds(f.step)));
    CHECK(e.ledgers[2].total() == Approx(units::in_flops(f.flops)));
    CHECK(f.mfu > 0);
    CHECK(f.mfu < 1);
    CHECK(e.capacity.has_value() == (work->nature() == Nature::service));
  }
}

TEST_CASE("a job takes as long as its passes", "[workload]") {
  const On one("nvidia-a100-sxm4-80gb");
  const auto duration = [&](const char* sequences, const On& on) {
    const auto work = encoding_of({{"model", "bert-base"}, {"sequences", sequences}});
    return units::in_seconds(search(*work, on).value().figures.duration);
  };
  CHECK(duration("20M", one) == Approx(2 * duration("10M", one)));
  CHECK(duration("10M", On("nvidia-a100-sxm4-80gb", 8)) == Approx(duration("10M", one) / 8));
  // A text alone waits for its pass.
  CHECK(duration("1", one) > 1e-3);
}

TEST_CASE("a service takes the fewest nodes that carry its rate", "[workload]") {
  const On one("nvidia-l4-24gb");
  const auto open = encoding_of({{"model", "bge-large-en-v1.5"}, {"engine", "tei"}});
  REQUIRE(open != nullptr);
  CHECK(open->traits().open_load);
  const auto plan = search(*open, one);
  REQUIRE(plan.has_value());
  const double carried = open->explain(*plan, one.machine).capacity.value().requests;
  CHECK(units::in_items_per_second(plan->figures.throughput) == Approx(512 * carried));
  const auto asked = encoding_of({{"model", "bge-large-en-v1.5"},
                                  {"engine", "tei"},
                                  {"rate", fmt::format("{}/s", 2.5 * carried)}});
  REQUIRE(asked != nullptr);
  CHECK(asked->node_counts(test::data().catalog, one.hardware) == std::vector<int>{3});
  CHECK(search(*asked, On("nvidia-l4-24gb", 1, 3)).has_value());
  const auto slow = search(*asked, On("nvidia-l4-24gb", 1, 2));
  REQUIRE_FALSE(slow.has_value());
  CHECK(slow.error().resource == "throughput");
  CHECK(slow.error().needed == Approx(2.5 * carried));
}

TEST_CASE("a batch shrinks to the memory unless it is given", "[workload]") {
  const On t4("nvidia-t4-16gb");
  const auto work = encoding_of({{"model", "bge-m3"}, {"seq-len", "8192"}});
  const auto plan = search(*work, t4);
  REQUIRE(plan.has_value());
  CHECK(plan->choices[0] == 2);  // as usual: 16,384 tokens
  CHECK(plan->figures.memory <= plan->figures.capacity);
  const auto given =
      search(*encoding_of({{"model", "bge-m3"}, {"seq-len", "8192"}, {"batch", "4"}}), t4);
  REQUIRE_FALSE(given.has_value());
  CHECK(given.error().resource == "gpu_memory");
  CHECK(given.error().needed > given.error().available);
  CHECK_FALSE(search(*encoding_of({{"model", "qwen3-embedding-8b"}}), t4).has_value());
  CHECK(search(*encoding_of({{"model", "qwen3-embedding-8b"}}), On("nvidia-l4-24gb")).has_value());
}

TEST_CASE("intervals are wider where nothing was measured", "[workload]") {
  const Software& tensorrt = *find_software("tensorrt");
  CHECK(interval_of(tensorrt, "hopper").high < interval_of(tensorrt, "cdna3").high);
  CHECK(interval_of(*find_software("tei"), "hopper").high == interval_of(tensorrt, "cdna3").high);
}

TEST_CASE("wrong options of encoding say what to write", "[workload]") {
  CHECK(fault_of({}).find("gpusel models list --kind encoder,embedding") != std::string::npos);
  CHECK(fault_of({{"model", "llama-3.1-8b"}}).find("not an encoder of texts") != std::string::npos);
  CHECK(fault_of({{"model", "clip-vit-b-32"}}).find("a pair of towers") != std::string::npos);
  CHECK(fault_of({{"model", "bert-large"}, {"sequences", "1e200"}}).find("at most 10^15") !=
        std::string::npos);
  CHECK(fault_of({{"model", "bert-large"}, {"rate", "1e200/s"}}).find("at most 10^15") !=
        std::string::npos);
  CHECK(fault_of({{"model", "bert-large"}, {"engine", "vllm"}})
            .find("'pytorch', 'tei', 'tensorrt'") != std::string::npos);
  CHECK(fault_of({{"model", "bert-large"}, {"weights-dtype", "int9"}}).find("no format 'int9'") !=
        std::string::npos);
  CHECK(fault_of({{"model", "bert-large"}, {"weights-dtype", "int8"}})
            .find("does not run encoders in int8") != std::string::npos);
  CHECK(fault_of({{"model", "bert-large"}, {"seq-len", "1024"}}).find("at most 512 tokens") !=
        std::string::npos);
  CHECK(fault_of({{"model", "bert-large"}, {"seq-len", "64"}, {"mean-seq-len", "80"}})
            .find("mean-seq-len") != std::string::npos);
  CHECK(fault_of({{"model", "bert-large"}, {"sequences", "10"}, {"rate", "5/s"}})
            .find("a job or a service") != std::string::npos);
  CHECK(fault_of({{"model", "bert-large"}, {"sequences", "0"}}).find("at least one") !=
        std::string::npos);
  CHECK(fault_of({{"model", "bert-large"}, {"rate", "0/s"}}).find("must be positive") !=
        std::string::npos);
  CHECK(fault_of({{"model", "bert-large"}, {"headroom", "100%"}}).find("below 100 %") !=
        std::string::npos);
}
