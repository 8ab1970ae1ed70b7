#include "command.h"
#include "options.h"
#include "request.h"
#include "session.h"
#include "view.h"

namespace gpusel::cli {
namespace {

using diag::ExitCode;

constexpr std::string_view kExamples[] = {
    "estimate --workload llm-train --params 1B --global-batch 64 --seq-len 1024 --on "
    "nvidia-a100-sxm4-80gb",
    "estimate --workload llm-train --model llama-3.1-70b --on aws/p5.48xlarge --nodes 16",
    "estimate --workload llm-inference --model llama-3.1-8b --concurrency 32 --on nvidia-l40s-48gb "
    "--json",
    "estimate --workload encoder-train --model bert-large --head classifier --seq-len 384 --on "
    "nvidia-l4-24gb",
    "estimate --workload llm-train --params 1B --on 8xnvidia-h100-sxm5-80gb --estimator document",
};

constexpr data::OptionSpec kOn{
    "on",
    data::OptionKind::value,
    "[Nx]GPU|INSTANCE",
    "the machine: a GPU, several (8xl40s), or an instance of the catalog",
    {},
    "The work"};

std::vector<data::OptionSpec> options() {
  std::vector<data::OptionSpec> work = workload_options();
  std::erase_if(
      work, [](const data::OptionSpec& s) { return s.name == "duty" || s.name == "api-price"; });
  return joined({{kOn}, work, estimate_options(), output_options()});
}

// The node count asked for, else what the work asks for on this machine, else one.
int node_count(const workload::Workload& work, const catalog::Catalog& catalog,
               const Target& target, const Invocation& invocation) {
  const std::vector<int> counts = work.node_counts(catalog, target.hardware);
  const bool asked = invocation.options.find("nodes") != nullptr;
  const bool service = work.nature() == workload::Nature::service;
  return !counts.empty() && (asked || (service && !target.bare_gpu)) ? counts.front() : 1;
}

ExitCode run(Invocation& invocation) {
  std::optional<Session> session = open_session(invocation);
  if (!session) return ExitCode::bad_data;
  ExitCode code = ExitCode::usage;
  const auto work = resolve_workload(*session, invocation, code);
  const std::optional<Target> target = read_target(session->catalog, "on", invocation);
  if (work == nullptr || !target) return work == nullptr ? code : ExitCode::usage;
  EstimateAnswer answer;
  answer.work = work.get();
  answer.catalog = &session->catalog;
  answer.target = &*target;
  answer.as_of = invocation.io.today;
  answer.machine = estimate::make_machine(session->catalog, target->hardware,
                                          node_count(*work, session->catalog, *target, invocation));
  workload::SearchCount count;
  const estimate::Verdict<estimate::Plan> verdict = work->search(answer.machine, count);
  answer.verdict = &verdict;
  if (verdict) answer.estimate = work->explain(*verdict, answer.machine);
  return invocation.print(view_estimate(answer), ExitCode::answered);
}

}  // namespace

extern const CommandSpec cmd_estimate;
constinit const CommandSpec cmd_estimate{
    "estimate",
    "memory, FLOPs and time of this work on a machine, every addend shown",
    "Lays the work out on one machine as 'recommend' would and prints the ledgers: each term of "
    "memory, time and "
    "FLOPs with its formula. --estimator document uses the rule-of-thumb formulas instead.",
    kExamples,
    {},
    &options,
    &run};

}  // namespace gpusel::cli
