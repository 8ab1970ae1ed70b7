// Why a training job does not fit, and what would help.
#include "train_workload.h"
#include "training_search.h"

#include "gpusel/units/format.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpusel::workload::llm {
namespace {

using estimate::DoesNotFit;

constexpr int kMostNodes = 4096;

// Why the degrees that the user fixed don't go together on so many GPUs.
std::string degree_fault(const TrainingModel& model) {
  const TrainingJob& job = model.job();
  const FixedChoices& f = job.fixed;
  const int gpus = static_cast<int>(model.gpus());
  if (f.tp && job.card.heads % *f.tp != 0) {
    return fmt::format("tp {} does not divide the {} attention heads", *f.tp, job.card.heads);
  }
  if (f.pp && *f.pp > job.card.layers)
    return fmt::format("pp {} is more than the {} layers", *f.pp, job.card.layers);
  const int inner = f.tp.value_or(1) * f.pp.value_or(1) * f.cp.value_or(1);
  if (gpus % inner != 0)
    return fmt::format("tp x pp x cp = {} does not divide the {} GPUs", inner, gpus);
  if (f.dp && gpus % (inner * *f.dp) != 0) {
    return fmt::format("tp x pp x cp x dp = {} does not make the {} GPUs", inner * *f.dp, gpus);
  }
  if (f.ep && (!job.card.is_moe() || job.card.experts % *f.ep != 0)) {
    return fmt::format("ep {} does not divide the {} experts", *f.ep, job.card.experts);
  }
  const double least = gpus / static_cast<double>(inner) * f.micro_batch.value_or(1);
  if (least > job.global_batch) {
    return fmt::format("a step of {} sequences leaves some of the {} GPUs without work",
                       job.global_batch, gpus);
  }
  return fmt::format("no combination of degrees uses the {} GPUs", gpus);
}

// The least power of two of nodes whose GPUs hold the states.
std::optional<int> nodes_that_hold(const TrainingJob& job, estimate::Machine machine) {
  int nodes = 1;
  while (nodes <= machine.nodes) nodes *= 2;
  for (; nodes <= kMostNodes; nodes *= 2) {
    machine.nodes = nodes;
    if (TrainingModel::refusal(job, machine)) return std::nullopt;
    const TrainingModel wider(job, machine);
    if (wider.least_memory() <= wider.capacity()) return nodes;
  }
  return std::nullopt;
}

std::string remedy(const TrainingModel& model, const estimate::Machine& machine) {
  const TrainingJob& job = model.job();
  std::string text;
  const auto add = [&](std::string part) { text += (text.empty() ? "" : ", ") + std::move(part); };
  if (job.fixed.recompute && *job.fixed.recompute != Recompute::full) add("--recompute full");
  if (job.fixed.micro_batch.value_or(1) > 1) add("--micro-batch 1");
  if (job.fixed.zero && *job.fixed.zero < 3 && job.framework.supports_zero(3)) add("--zero 3");
  if (job.fixed.tp || job.fixed.pp) add("a wider --tp or --pp");
  if (const auto nodes = nodes_that_hold(job, machine))
    add(fmt::format("at least {} nodes", *nodes));
  add("a GPU with more memory");
  if (job.offload == Offload::none && job.framework.offloads_all) add("--offload all");
  if (!job.adapters && job.optimizer == Optimizer::adamw) add("--optimizer adamw-8bit");
  return text;
}

}  // namespace

DoesNotFit explain_misfit(const TrainingModel& model, const estimate::Machine& machine,
                          const SearchResult& result) {
  DoesNotFit misfit;
  if (!result.any_possible && result.smallest_host > units::Bytes{}) {
    misfit.resource = "host_memory";
    misfit.needed = units::in_bytes(result.smallest_host);
    misfit.available = units::in_bytes(*model.host_memory());
    misfit.text =
        fmt::format("offload needs {} on each host in the smallest layout, has {}",
                    units::show_gib(result.smallest_host), units::show_gib(*model.host_memory()));
    misfit.what_would_help = "more nodes, a host with more memory, or --offload optimizer";
    return misfit;
  }
  if (!result.any_possible) {
    misfit.resource = "layout";
    misfit.text = degree_fault(model);
    misfit.what_would_help = "leave degrees to the search, or change the nodes or --global-batch";
    return misfit;
  }
  misfit.resource = "gpu_memory";
  misfit.needed = units::in_bytes(result.smallest_memory);
  misfit.available = units::in_bytes(model.capacity());
  misfit.text =
      fmt::format("needs {} per GPU in the smallest layout, has {}",
                  units::show_gib(result.smallest_memory), units::show_gib(model.capacity()));
  misfit.what_would_help = remedy(model, machine);
  misfit.least = misfit.needed * interval_of(model, machine).memory_low;
  return misfit;
}

}  // namespace gpusel::workload::llm
