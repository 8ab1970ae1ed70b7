#include "command.h"
#include "options.h"
#include "request.h"
#include "session.h"
#include "view.h"

#include "gpusel/diag/log.h"

namespace gpusel::cli {
namespace {

using diag::ExitCode;

constexpr std::string_view kExamples[] = {
    "recommend --workload llm-train --params 10B",
    "recommend --workload llm-train --model llama-3.1-8b --tokens 200B --deadline 14d",
    "recommend --workload llm-inference --model llama-3.1-70b --rate 5/s --purchase on-demand,spot",
    "recommend --workload llm-inference --model llama-3.1-70b --rate 2/s --duty 30% --api-price "
    "0.60/2.40",
    "recommend --workload rendering --frames 2400 --frame-time 12min@nvidia-rtx-a6000-48gb "
    "--scene-memory 18GB",
    "recommend --workload work.yaml --gpu h100,h200 --country DE,FR --json",
};

std::vector<data::OptionSpec> options() {
  return joined({workload_options(), choice_options(), estimate_options(), output_options()});
}

ExitCode run(Invocation& invocation) {
  std::optional<Session> session = open_session(invocation);
  if (!session) return ExitCode::bad_data;
  const std::optional<rules::RuleSet> rules = load_rules(*session, invocation);
  if (!rules) return ExitCode::bad_data;
  ExitCode code = ExitCode::usage;
  const auto work = resolve_workload(*session, invocation, code);
  const std::optional<recommend::Request> request = read_request(session->catalog, invocation);
  if (work == nullptr || !request) return work == nullptr ? code : ExitCode::usage;
  const recommend::Recommendation answer =
      recommend::recommend(*request, *work, session->catalog, *rules);
  diag::trace("searched " + std::to_string(answer.searched.machines) + " machines, " +
              std::to_string(answer.searched.evaluated) + " layouts");
  const data::OptionValue* listed = invocation.options.find("show-rejected");
  const Rejected rejected =
      listed != nullptr && listed->text != "false" ? Rejected::listed : Rejected::counted;
  return invocation.print(view_recommendation(answer, *request, *work, session->catalog, rejected),
                          answer.rows.empty() ? ExitCode::negative : ExitCode::answered);
}

}  // namespace

extern const CommandSpec cmd_recommend;
constinit const CommandSpec cmd_recommend{
    "recommend",
    "which offers should run this work, ranked, and why",
    "Estimates memory, time and cost of the work on every offer of the catalog, rejects what does "
    "not fit with "
    "the reason, and ranks the rest. Defaults are announced as assumptions.",
    kExamples,
    {},
    &options,
    &run};

}  // namespace gpusel::cli
