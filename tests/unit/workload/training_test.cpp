#include "../../../src/workload/llm/train_workload.h"
#include "../../../src/workload/llm/training_search.h"
#include "catch.h"
#include "training_fixture.h"

#include <algorithm>
#include <cmath>

using namespace gpusel;
using namespace gpusel::workload;
using namespace gpusel::workload::llm;

namespace {

TrainingJob job_of(const char* model, const char* framework, double sequence, double batch) {
  TrainingJob job;
  job.card = *test::data().models.find(model);
  diag::Buffer faults;
  job.framework = *load_frameworks(test::data().set, faults).find(framework);
  job.tokens = 1e12;
  job.sequence = sequence;
  job.global_batch = batch;
  return job;
}

estimate::Machine machine_of(const catalog::Hardware& hardware, int nodes) {
  return estimate::make_machine(test::data().catalog, hardware, nodes);
}

double value(const estimate::Estimate& e, std::string_view ledger, std::string_view line) {
  for (const estimate::Ledger& l : e.ledgers) {
    for (const estimate::LedgerLine& x : l.lines) {
      if (l.id == ledger && x.id == line) return x.value;
    }
  }
  FAIL("no line " << line);
  return 0;
}
double sum(const estimate::Estimate& e, std::string_view ledger) {
  for (const estimate::Ledger& l : e.ledgers) {
    if (l.id == ledger) return l.total();
  }
  return 0;
}

}  // namespace

TEST_CASE("FLOPs per token are those of the layer sum", "[workload]") {
  struct Vector {
    const char* model;
    double sequence;
    double flops;
  };
  const Vector v =
      GENERATE(Vector{"gpt3-175b", 2048, 1.0619e12}, Vector{"llama-2-7b", 4096, 4.286e10},
               Vector{"llama-3.1-8b", 8192, 5.147e10}, Vector{"llama-3.1-8b", 131072, 1.481e11},
               Vector{"llama-3.1-70b", 8192, 4.492e11}, Vector{"llama-3.1-405b", 8192, 2.524e12});
  const ModelCard* card = test::data().models.find(v.model);
  INFO(v.model);
  REQUIRE(card != nullptr);
  CHECK(units::in_flops(estimate::total(flops_per_token(*card, v.sequence), kFlopsTerms)) ==
        Approx(v.flops).epsilon(1e-3));
}

TEST_CASE("Korthikanti's 175B run is reproduced", "[workload]") {
  // arXiv 2205.05198: 64 A100, tp 8, pp 8, interleave 3, micro-batch 1; states 45.56 GiB and
  // activations 12.35 GiB with selective recompute.
  TrainingJob job = job_of("gpt3-175b", "megatron-lm", 2048, 64);
  job.card.vocab = 51200;
  job.card.tied_embeddings = true;
  job.framework.sequence_parallel = true;
  job.format = TrainFormat::fp16;
  const catalog::Hardware hardware = test::hardware("nvidia-a100-sxm4-80gb", 8, 200);
  const TrainingModel model(job, machine_of(hardware, 8));
  Layout l;
  l.tp = 8;
  l.pp = 8;
  l.interleave = 3;
  l.recompute = Recompute::selective;
  const MicroBatch part = model.micro_batch(l);
  const TrainingMemory memory = model.memory(l, model.activations(l), model.placement(l));
  const units::Bytes states = memory.weights + memory.gradients + memory.optimizer;
  // The paper counts 18 bytes for 175e9 / 64 parameters; the first stage holds the embedding on
  // top.
  CHECK(units::in_gib(states) == Approx(45.56).epsilon(0.03));
  CHECK(units::in_gib(memory.activations) == Approx(12.35).epsilon(0.01));
  job.software_date = 2022.4;
  const TrainingModel dated(job, machine_of(hardware, 8));
  const double step =
      units::in_seconds(estimate::total(dated.time(l, part, dated.placement(l)), kTimeTerms));
  CHECK(step == Approx(13.75).epsilon(0.06));
}

TEST_CASE("activations without recompute follow Korthikanti's table", "[workload]") {
  // 34 s b h / t + 5 a s^2 b / t bytes a layer with sequence parallelism.
  TrainingJob job = job_of("gpt3-175b", "megatron-lm", 2048, 64);
  job.framework.sequence_parallel = true;
  const catalog::Hardware hardware = test::hardware("nvidia-a100-sxm4-80gb", 8, 200);
  const TrainingModel model(job, machine_of(hardware, 8));
  Layout l;
  l.tp = 8;
  l.pp = 8;
  const Activations part = model.activations(l);
  const double s = 2048;
  const double h = 12288;
  CHECK(part.layer == Approx(34 * s * h / 8));
  CHECK(part.core == Approx(5 * 96 * s * s / 8));
}

namespace {

// Every possible layout, in the order of the search.
template <class F>
void for_each_layout(const TrainingModel& model, F&& visit) {
  const SearchSpace space = search_space(model);
  for (const int zero : space.zero)
    for (const int tp : space.tp)
      for (const int cp : space.cp)
        for (const int ep : space.ep)
          for (const int b : space.micro_batch)
            for (const Recompute r : space.recompute)
              for (const int pp : space.pp)
                for (const int v : space.interleave) {
                  Layout l{tp, pp, 0, ep, cp, zero, b, v, r};
                  l.dp = data_parallel_ranks(model, l);
                  if (l.dp > 0 && is_possible(model, l)) visit(l);
                }
}

// The search without any bound: what it must find, bit by bit.
SearchResult search_exhaustively(const TrainingModel& model, units::Bytes comfortable) {
  SearchResult best;
  SearchResult calm;
  const auto keep = [](SearchResult& kept, const Layout& l, units::Seconds step,
                       units::Bytes memory) {
    if (kept.found && step >= kept.step * (1 - 1e-9)) return;
    kept.found = true;
    kept.layout = l;
    kept.step = step;
    kept.memory = memory;
  };
  for_each_layout(model, [&](const Layout& l) {
    const Placement place = model.placement(l);
    const units::Bytes memory =
        estimate::total(model.memory(l, model.activations(l), place), kMemoryTerms);
    if (!best.any_possible || memory < best.smallest_memory) best.smallest_memory = memory;
    best.any_possible = true;
    if (memory > model.capacity()) return;
    const units::Seconds step =
        estimate::total(model.time(l, model.micro_batch(l), place), kTimeTerms);
    keep(best, l, step, memory);
    if (memory <= comfortable) keep(calm, l, step, memory);
  });
  if (!calm.found || calm.step > best.step * 1.03) return best;
  calm.any_possible = true;
  return calm;
}

struct SearchCase {
  const char* model;
  const char* framework;
  const char* gpu;
  int nodes;
};

}  // namespace

TEST_CASE("the search finds what a search without bounds finds", "[workload]") {
  const auto c =
      GENERATE(SearchCase{"llama-3.1-8b", "megatron", "nvidia-h100-sxm5-80gb", 2},
               SearchCase{"llama-3.1-70b", "megatron-bridge", "nvidia-h100-sxm5-80gb", 8},
               SearchCase{"llama-3.1-8b", "fsdp", "nvidia-h100-sxm5-80gb", 1},
               SearchCase{"mixtral-8x7b", "megatron", "nvidia-h100-sxm5-80gb", 4},
               SearchCase{"llama-2-7b", "deepspeed", "nvidia-a100-sxm4-80gb", 2},
               SearchCase{"llama-2-7b", "hf", "nvidia-h100-sxm5-80gb", 2},
               SearchCase{"llama-3.1-405b", "megatron", "nvidia-h100-sxm5-80gb", 1},
               SearchCase{"mixtral-8x7b", "fsdp", "nvidia-l40s-48gb", 1});
  INFO(c.model << " " << c.framework << " on " << c.nodes << " nodes of " << c.gpu);
  const TrainingJob job = job_of(c.model, c.framework, 4096, 256);
  const catalog::Hardware hardware = test::hardware(c.gpu, 8, 400);
  const estimate::Machine machine = machine_of(hardware, c.nodes);
  const TrainingModel model(job, machine);
  const units::Bytes comfortable = model.capacity() * GENERATE(1.0, 0.9, 0.5);
  SearchCount count;
  const SearchResult found = search_layouts(model, count, comfortable);
  const SearchResult best = search_exhaustively(model, comfortable);
  REQUIRE(found.any_possible == best.any_possible);
  REQUIRE(found.found == best.found);
  if (!best.found) {
    CHECK(found.smallest_memory == best.smallest_memory);
    CHECK(model.least_memory() <= best.smallest_memory);
    return;
  }
  CHECK(choices_of(found.layout) == choices_of(best.layout));
  CHECK(found.step == best.step);
  CHECK(found.memory == best.memory);
  CHECK(model.least_step() <= found.step);
  CHECK(model.least_memory() <= found.memory);
}

TEST_CASE("the bounds of a layout are never above its figures", "[workload]") {
  const auto [name, framework] =
      GENERATE(std::pair{"llama-3.1-8b", "megatron"}, std::pair{"mixtral-8x7b", "megatron"},
               std::pair{"llama-2-7b", "fsdp"}, std::pair{"llama-2-7b", "deepspeed"});
  INFO(name << " " << framework);
  const TrainingJob job = job_of(name, framework, 16384, 96);
  const catalog::Hardware hardware = test::hardware("nvidia-h100-sxm5-80gb", 8, 400);
  const TrainingModel model(job, machine_of(hardware, 4));
  std::size_t above = 0;
  for_each_layout(model, [&](const Layout& l) {
    const Placement place = model.placement(l);
    const MicroBatch part = model.micro_batch(l);
    const Activations activations = model.activations(l);
    const units::Bytes memory = estimate::total(model.memory(l, activations, place), kMemoryTerms);
    const units::Seconds step = estimate::total(model.time(l, part, place), kTimeTerms);
    // As near as the search relies on.
    if (model.least_time(l, part, place, model.micro_batches(l)) > step * (1 + 1e-12)) ++above;
    if (model.least_memory(place, activations) > memory) ++above;
    if (model.least_memory(place, {}) > memory) ++above;
  });
  CHECK(above == 0);
}

TEST_CASE("a plan's ledgers add up to its figures", "[workload]") {
  const auto work = test::training({{"params", "10B"}, {"tokens", "200B"}});
  REQUIRE(work != nullptr);
  const catalog::Hardware hardware = test::hardware("nvidia-h100-sxm5-80gb", 8, 400);
  const estimate::Machine machine = machine_of(hardware, 4);
  SearchCount count;
  const auto plan = work->search(machine, count);
  REQUIRE(plan.has_value());
  const estimate::Figures& f = plan->figures;
  const estimate::Estimate e = work->explain(*plan, machine);
  CHECK(sum(e, "memory") == Approx(units::in_bytes(f.memory)));
  CHECK(sum(e, "time") == Approx(units::in_seconds(f.step)));
  CHECK(sum(e, "flops") == Approx(units::in_flops(f.flops)));
  CHECK(f.memory <= f.capacity);
  CHECK(f.mfu > 0.2);
  CHECK(f.mfu < 0.7);
  const double steps = std::ceil(200e9 / (1024.0 * 4096));
  CHECK(units::in_seconds(f.duration) == Approx(units::in_seconds(f.step) * steps));
  CHECK(value(e, "time", "gemm") > 0);
  const estimate::Bound bound = work->bound(machine);
  CHECK(bound.time <= f.duration);
  CHECK(bound.memory <= f.memory);
  CHECK(e.time_low < 1);
  CHECK(e.time_high > 1);
}

TEST_CASE("more memory or bandwidth never hurts", "[workload]") {
  const auto work = test::training({{"model", "llama-3.1-70b"}, {"tokens", "1T"}});
  REQUIRE(work != nullptr);
  const catalog::Hardware slow = test::hardware("nvidia-h100-sxm5-80gb", 8, 200);
  const catalog::Hardware fast = test::hardware("nvidia-h100-sxm5-80gb", 8, 400);
  const catalog::Hardware large = test::hardware("nvidia-h200-sxm5-141gb", 8, 400);
  SearchCount count;
  const auto a = work->search(machine_of(slow, 8), count);
  const auto b = work->search(machine_of(fast, 8), count);
  const auto c = work->search(machine_of(large, 8), count);
  REQUIRE((a.has_value() && b.has_value() && c.has_value()));
  CHECK(b->figures.step <= a->figures.step);
  CHECK(c->figures.step <= b->figures.step);
}

TEST_CASE("what does not fit says what is missing", "[workload]") {
  const catalog::Hardware hardware = test::hardware("nvidia-a100-sxm4-80gb", 8, 200);
  SearchCount count;
  const auto large = test::training({{"model", "llama-3.1-405b"}});
  const auto misfit = large->search(machine_of(hardware, 1), count);
  REQUIRE_FALSE(misfit.has_value());
  CHECK(misfit.error().resource == "gpu_memory");
  CHECK(misfit.error().needed > misfit.error().available);
  CHECK(misfit.error().what_would_help.find("nodes") != std::string::npos);

  const auto narrow = test::training({{"model", "llama-3.1-8b"}, {"dtype", "fp8"}});
  const auto dtype = narrow->search(machine_of(hardware, 1), count);
  REQUIRE_FALSE(dtype.has_value());
  CHECK(dtype.error().resource == "dtype");

  const auto odd = test::training({{"model", "llama-3.1-8b"}, {"tp", "3"}});
  const auto layout = odd->search(machine_of(hardware, 1), count);
  REQUIRE_FALSE(layout.has_value());
  CHECK(layout.error().resource == "layout");
  CHECK(layout.error().text.find("tp 3") != std::string::npos);

  const auto small = test::training({{"model", "llama-3.1-8b"}});
  const catalog::Hardware unknown = test::hardware("nvidia-a100-sxm4-80gb", 8, 0);
  const auto network = small->search(machine_of(unknown, 2), count);
  REQUIRE_FALSE(network.has_value());
  CHECK(network.error().resource == "network");
  CHECK(small->search(machine_of(unknown, 1), count).has_value());
}

TEST_CASE("fixed degrees are honoured", "[workload]") {
  const auto work = test::training({{"model", "llama-3.1-8b"},
                                    {"tp", "2"},
                                    {"pp", "2"},
                                    {"micro-batch", "1"},
                                    {"recompute", "full"},
                                    {"zero", "1"}});
  REQUIRE(work != nullptr);
  const catalog::Hardware hardware = test::hardware("nvidia-h100-sxm5-80gb", 8, 400);
  SearchCount count;
  const auto plan = work->search(machine_of(hardware, 1), count);
  REQUIRE(plan.has_value());
  const Layout l = layout_of(plan->choices.data());
  CHECK(l.tp == 2);
  CHECK(l.pp == 2);
  CHECK(l.dp == 2);
  CHECK(l.micro_batch == 1);
  CHECK(l.recompute == Recompute::full);
  CHECK(work->choice_text(8, plan->choices[8]) == "full");
}

TEST_CASE("wrong options are reported with what to write", "[workload]") {
  std::string why;
  CHECK(test::training({{"params", "10"}}, &why) == nullptr);
  CHECK(why.find("10B") != std::string::npos);
  CHECK(test::training({}, &why) == nullptr);
  CHECK(why.find("--params") != std::string::npos);
  CHECK(test::training({{"model", "llama-3.1-7b"}}, &why) == nullptr);
  CHECK(why.find("llama-3.1-8b") != std::string::npos);
  CHECK(test::training({{"params", "10B"}, {"framework", "megatrn"}}, &why) == nullptr);
  CHECK(why.find("megatron") != std::string::npos);
  CHECK(test::training({{"params", "10B"}, {"framework", "hf"}, {"tp", "4"}}, &why) == nullptr);
  CHECK(test::training({{"model", "nemotron-h-56b"}}, &why) == nullptr);
  CHECK(why.find("state-space") != std::string::npos);
  CHECK(test::training({{"params", "10B"}, {"zero", "7"}}, &why) == nullptr);
}

TEST_CASE("defaults are announced", "[workload]") {
  const auto work = test::training({{"params", "10B"}});
  REQUIRE(work != nullptr);
  const auto has = [&](std::string_view id) {
    return std::any_of(work->assumptions().begin(), work->assumptions().end(),
                       [&](const estimate::Assumption& a) { return a.id == id; });
  };
  for (const char* id : {"architecture", "tokens", "seq_len", "global_batch", "dtype", "optimizer",
                         "framework", "headroom"}) {
    INFO(id);
    CHECK(has(id));
  }
  const auto field = std::find_if(work->fields().begin(), work->fields().end(),
                                  [](const Field& f) { return f.key == "tokens"; });
  REQUIRE(field != work->fields().end());
  CHECK(field->number == 200e9);
  CHECK(field->defaulted);
}

TEST_CASE("the document estimator uses the documents' formulas", "[workload]") {
  const auto work = test::training({{"params", "1B"},
                                    {"seq-len", "1024"},
                                    {"global-batch", "64"},
                                    {"tokens", "65536"},
                                    {"estimator", "document"}});
  REQUIRE(work != nullptr);
  const catalog::Hardware hardware = test::hardware("nvidia-a100-sxm4-80gb", 1, 0);
  const estimate::Machine machine = machine_of(hardware, 1);
  SearchCount count;
  const auto plan = work->search(machine, count);
  REQUIRE(plan.has_value());
  CHECK(units::in_bytes(plan->figures.memory) == 4000262144.0);
  CHECK(units::in_flops(plan->figures.flops) == Approx(1.31072e14));
  CHECK(units::in_seconds(plan->figures.step) == Approx(1.31072e14 / 312e12));
  const auto ours = test::training(
      {{"params", "1B"}, {"seq-len", "1024"}, {"global-batch", "64"}, {"tokens", "65536"}});
  const auto better = ours->search(machine, count);
  REQUIRE(better.has_value());
  const estimate::Estimate e = ours->explain(*better, machine);
  CHECK(units::in_bytes(e.rule_of_thumb_memory) == 4000262144.0);
  CHECK(units::in_flops(e.rule_of_thumb_flops) == Approx(1.31072e14));
  CHECK_FALSE(e.rule_of_thumb_note.empty());
}

TEST_CASE("states that wait on the host leave the GPU and cost copies", "[workload]") {
  const catalog::Hardware hardware = test::hardware("nvidia-a100-sxm4-40gb", 4, 100);
  const estimate::Machine machine = estimate::make_machine(test::data().catalog, hardware, 1);
  TrainingJob job = job_of("llama-2-7b", "deepspeed", 512, 128);
  Layout l;
  l.dp = 4;
  l.zero = 3;
  const auto memory = [&] {
    const TrainingModel model(job, machine);
    return model.memory(l, model.activations(l), model.placement(l));
  };
  const auto time = [&] {
    const TrainingModel model(job, machine);
    return model.time(l, model.micro_batch(l), model.placement(l));
  };
  const TrainingMemory none = memory();
  CHECK(time().offload == units::Seconds{});
  job.offload = Offload::optimizer;
  CHECK(memory().optimizer == units::Bytes{});
  CHECK(memory().gradients == none.gradients);
  CHECK(time().optimizer == units::Seconds{});
  // A quarter of 6.74 G parameters: 4 + 2 bytes over 24 GB/s, 32 bytes and four GPUs over 287 GB/s.
  CHECK(units::in_seconds(time().offload) ==
        Approx(6.738e9 / 4 * (6 / 24e9 + 4 * 32 / 286.72e9)).epsilon(0.01));
  const units::Seconds once = time().offload;
  job.offload = Offload::all;
  CHECK(memory().weights == units::Bytes{});
  CHECK(memory().gradients == units::Bytes{});
  CHECK(memory().gathered == none.gathered);
  CHECK(time().offload > once);
  const TrainingModel model(job, machine);
  // 18 bytes a parameter and half as much for buffers.
  CHECK(units::in_bytes(model.placement(l).host) == Approx(1.5 * 18 * 6.738e9).epsilon(0.01));
  CHECK(model.least_memory() <= estimate::total(memory(), kMemoryTerms));
  CHECK(model.least_step() <= estimate::total(time(), kTimeTerms));
}

TEST_CASE("a host that is too small is no layout", "[workload]") {
  catalog::Hardware hardware = test::hardware("nvidia-a100-sxm4-40gb", 4, 100);
  TrainingJob job = job_of("llama-2-7b", "deepspeed", 512, 128);
  job.offload = Offload::all;
  const auto search = [&] {
    const estimate::Machine machine = estimate::make_machine(test::data().catalog, hardware, 1);
    const TrainingModel model(job, machine);
    SearchCount count;
    const SearchResult result = search_layouts(model, count, model.capacity());
    return std::pair(result.found, explain_misfit(model, machine, result));
  };
  CHECK(search().first);
  hardware.memory = units::gib(300);
  CHECK(search().first);
  hardware.memory = units::gib(128);
  const auto [found, why] = search();
  CHECK_FALSE(found);
  CHECK(why.resource == "host_memory");
  CHECK(why.available == 128 * 1024.0 * 1024 * 1024);
  CHECK(why.text.find("on each host") != std::string::npos);
}
