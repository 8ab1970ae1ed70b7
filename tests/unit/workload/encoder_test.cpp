// Training of text encoders: what differs from decoders, and what must hold of every plan.
#include "../../../src/workload/llm/training_search.h"
#include "catch.h"
#include "training_fixture.h"

#include "gpusel/base/io.h"

using namespace gpusel;
using namespace gpusel::workload;
using namespace gpusel::workload::llm;

namespace {

using test::Options;

std::unique_ptr<const Workload> encoder(const Options& options, std::string* why = nullptr) {
  return test::made("encoder-train", options, why);
}

std::string fault_of(const Options& options) {
  std::string why;
  CHECK(encoder(options, &why) == nullptr);
  return why;
}

const ModelCard& bert() {
  return std::get<ModelCard>(*test::data().models.find_model("bert-large"));
}

TrainingJob job_of(double sequence) {
  TrainingJob job;
  job.card = bert();
  diag::Buffer faults;
  job.framework = *load_frameworks(test::data().set, faults).find("nvidia-examples");
  job.tokens = 1e9;
  job.sequence = sequence;
  job.global_batch = 64;
  job.bidirectional = true;
  job.logit_share = 0;
  return job;
}

double flops_of(const TrainingJob& job) {
  return units::in_flops(estimate::total(flops_per_token(job), kFlopsTerms));
}

estimate::Machine machine_of(const catalog::Hardware& hardware, int nodes) {
  return estimate::make_machine(test::data().catalog, hardware, nodes);
}

double field_of(const Workload& work, std::string_view key) {
  for (const Field& field : work.fields()) {
    if (field.key == key) return field.number;
  }
  return -1;
}

}  // namespace

TEST_CASE("an encoder sees the whole square", "[workload]") {
  TrainingJob job = job_of(512);
  const double whole = flops_of(job);
  job.bidirectional = false;
  // The causal half of the core less: 6 L a d s a token.
  CHECK(whole - flops_of(job) == Approx(6.0 * 24 * 1024 * 512));
  // 6 parameters of the layers a token and 12 L h s: BERT-large is 302 M in its layers.
  CHECK(whole == Approx(6.0 * 24 * 12 * 1024 * 1024 + 12.0 * 24 * 1024 * 512).epsilon(1e-3));
}

TEST_CASE("only masked tokens reach the table of outputs", "[workload]") {
  TrainingJob job = job_of(512);
  const double body = flops_of(job);
  job.logit_share = 1;
  const double all = flops_of(job) - body;
  job.logit_share = 0.15;
  CHECK(flops_of(job) - body == Approx(0.15 * all));
  CHECK(all == Approx(6.0 * 1024 * 30522));
  const catalog::Hardware hardware = test::hardware("nvidia-a100-sxm4-80gb", 1, 0);
  const TrainingModel masked(job, machine_of(hardware, 1));
  Layout layout;
  layout.micro_batch = 32;
  CHECK(masked.activations(layout).logits ==
        Approx(0.15 * 32 * 512 * 30522 * job.framework.logit_bytes));
  TrainingJob labels = job_of(512);
  const TrainingModel classifier(labels, machine_of(hardware, 1));
  CHECK(classifier.micro_batch(layout).logits == 0);
  CHECK(classifier.activations(layout).logits == 0);
}

TEST_CASE("batches that a benchmark chose for the memory of a GPU fit, twice as many don't",
          "[workload]") {
  // lambdal/deeplearning-benchmark, config of BERT-large over 384 tokens: the largest that ran.
  struct Case {
    const char* gpu;
    const char* batch;
    const char* twice;
  };
  for (const Case& c :
       {Case{"nvidia-a100-sxm4-80gb", "112", "224"}, Case{"nvidia-rtx-a6000-48gb", "64", "128"},
        Case{"nvidia-rtx-4090-24gb", "28", "56"}}) {
    INFO(c.gpu);
    const catalog::Hardware hardware = test::hardware(c.gpu, 1, 0);
    const auto fits = [&](const char* batch) {
      const auto work = encoder({{"model", "bert-large"},
                                 {"head", "classifier"},
                                 {"seq-len", "384"},
                                 {"framework", "nvidia-examples"},
                                 {"recompute", "none"},
                                 {"headroom", "0%"},
                                 {"micro-batch", batch},
                                 {"global-batch", batch}});
      REQUIRE(work != nullptr);
      SearchCount count;
      return work->search(machine_of(hardware, 1), count).has_value();
    };
    CHECK(fits(c.batch));
    CHECK_FALSE(fits(c.twice));
  }
}

TEST_CASE("a plan of an encoder adds up and keeps its bounds", "[workload]") {
  const auto work = encoder({{"model", "bert-large"}, {"mean-seq-len", "256"}});
  REQUIRE(work != nullptr);
  const catalog::Hardware hardware = test::hardware("nvidia-h100-sxm5-80gb", 8, 400);
  const estimate::Machine machine = machine_of(hardware, 2);
  SearchCount count;
  const auto plan = work->search(machine, count);
  REQUIRE(plan.has_value());
  const estimate::Figures& f = plan->figures;
  const estimate::Bound bound = work->bound(machine);
  CHECK(bound.time <= f.duration);
  CHECK(bound.memory <= f.memory);
  CHECK(f.mfu > 0);
  const estimate::Estimate e = work->explain(*plan, machine);
  CHECK(e.ledgers[0].total() == Approx(units::in_bytes(f.memory)));
  CHECK(e.ledgers[1].total() == Approx(units::in_seconds(f.step)));
  CHECK(e.ledgers[2].total() == Approx(units::in_flops(f.flops)));
  CHECK(e.time_low < 1);
  CHECK(e.time_high > 1);
}

TEST_CASE("padding is work unless the software skips it", "[workload]") {
  const auto step = [](const char* framework, const char* mean) {
    const auto work = encoder({{"model", "bert-large"},
                               {"framework", framework},
                               {"mean-seq-len", mean},
                               {"global-batch", "16"},
                               {"micro-batch", "16"}});
    REQUIRE(work != nullptr);
    const catalog::Hardware hardware = test::hardware("nvidia-a100-sxm4-80gb", 1, 0);
    SearchCount count;
    return units::in_seconds(work->search(machine_of(hardware, 1), count).value().figures.step);
  };
  // Padded to the longest of 16: 1 + 0.3 log2(16) means of 200 tokens.
  CHECK(step("nvidia-examples", "200") > 0.75 * step("nvidia-examples", "512"));
  CHECK(step("mlperf", "200") < 0.5 * step("mlperf", "512"));
}

TEST_CASE("the defaults of an encoder are BERT's", "[workload]") {
  const auto masked = encoder({{"model", "bert-base"}});
  REQUIRE(masked != nullptr);
  CHECK(field_of(*masked, "tokens") == 131.072e9);
  CHECK(field_of(*masked, "global_batch") == 256);
  CHECK(field_of(*masked, "seq_len") == 512);
  const auto labels = encoder({{"model", "bert-base"}, {"head", "classifier"}, {"seq-len", "384"}});
  REQUIRE(labels != nullptr);
  CHECK(field_of(*labels, "tokens") == 87599.0 * 3 * 384);
  CHECK(field_of(*labels, "global_batch") == 32);
}

TEST_CASE("wrong options of an encoder say what to write", "[workload]") {
  CHECK(fault_of({}).find("gpusel models list --kind encoder,embedding") != std::string::npos);
  CHECK(fault_of({{"model", "bert-lrge"}}).find("did you mean 'bert-large'") != std::string::npos);
  CHECK(fault_of({{"model", "llama-3.1-8b"}}).find("not an encoder of texts") != std::string::npos);
  CHECK(fault_of({{"model", "vit-b-16"}}).find("an encoder of images") != std::string::npos);
  CHECK(fault_of({{"model", "bert-large"}, {"seq-len", "1024"}}).find("at most 512 tokens") !=
        std::string::npos);
  CHECK(fault_of({{"model", "bert-large"}, {"mean-seq-len", "600"}}).find("mean-seq-len") !=
        std::string::npos);
  CHECK(fault_of({{"model", "bert-large"}, {"samples", "10k"}}).find("sized by its tokens") !=
        std::string::npos);
  CHECK(
      fault_of({{"model", "bert-large"}, {"head", "classifier"}, {"tokens", "1M"}, {"epochs", "2"}})
          .find("given twice") != std::string::npos);
}
