// Views: an answer as a report::Document. Nothing else in the house formats an answer.
#pragma once

#include "request.h"

#include "gpusel/estimate/fit.h"
#include "gpusel/recommend/recommend.h"
#include "gpusel/report/document.h"

namespace gpusel::cli {

inline constexpr const char* kSchemaVersion = "1.0";

// --- parts that several answers share ---
/// Adds `unknown: [{field, reason}]` for every unknown value inside an object.
void add_unknown(report::Value& object);
report::Value catalog_value(const catalog::Catalog& catalog);
report::Value workload_value(const workload::Workload& work);
report::Value assumptions_value(const std::vector<estimate::Assumption>& assumptions);
report::Value gpu_value(const catalog::Hardware& hardware, const catalog::Catalog& catalog);
report::Value network_value(const catalog::Hardware& hardware, const catalog::Catalog& catalog);
/// [{record, field, was, now, patch, because, file, line, source}]: the figures that patches set.
report::Value patched_value(const std::vector<const catalog::PatchMark*>& marks,
                            const catalog::Catalog& catalog);
/// One line of text per patched figure.
std::vector<std::string> patched_texts(const std::vector<const catalog::PatchMark*>& marks,
                                       const catalog::Catalog& catalog);
report::Value cluster_value(const workload::Workload& work, const estimate::Machine& machine,
                            const estimate::Plan& plan);
report::Value estimate_value(const workload::Workload& work, const estimate::Machine& machine,
                             const estimate::Plan& plan, const estimate::Estimate& estimate);
/// `verdict` and its reason.
void set_verdict(const estimate::Judgement& judgement, report::Value& object);
report::Value ledger_value(const estimate::Ledger& ledger);
report::Section assumptions_section(const std::vector<estimate::Assumption>& assumptions);

/// "tp 8, pp 2, dp 4, zero 1, micro-batch 1": choices that say something.
std::string layout_text(const workload::Workload& work, const estimate::Plan& plan);
/// "1 node", "8 nodes".
std::string count_text(double count, std::string_view noun);
/// "8 x H100 SXM5 80 GB" of one node.
std::string gpus_text(const estimate::Machine& machine);
/// "llm-train: 10B parameters, 200B tokens, …": what the work is, in a line.
std::string work_text(const workload::Workload& work);
/// "130000 tokens/s", by the hour where it is slow.
std::string throughput_text(const workload::Workload& work, units::ItemsPerSecond rate);
/// "TTFT 538 ms (prompt 240 ms, waiting 298 ms), TPOT 67 ms"
std::string latency_text(const estimate::Figures& figures, const estimate::Estimate& estimate);
/// The most that a service carries, and what binds it.
std::string capacity_text(const workload::Workload& work,
                          const estimate::ServiceCapacity& capacity);
/// The assumptions of the work and those that only hold for one plan, each once.
std::vector<estimate::Assumption> all_assumptions(const workload::Workload& work,
                                                  const estimate::Estimate& estimate);
/// A duration with its interval: "12.3 days (11.1 to 13.9)".
std::string time_text(units::Seconds value, const estimate::Estimate& estimate);

// --- whole answers ---
enum class Rejected { counted, listed };
report::Document view_recommendation(const recommend::Recommendation& answer,
                                     const recommend::Request& request,
                                     const workload::Workload& work,
                                     const catalog::Catalog& catalog, Rejected rejected);

struct EstimateAnswer {
  const workload::Workload* work = nullptr;
  const catalog::Catalog* catalog = nullptr;
  const Target* target = nullptr;
  estimate::Machine machine;
  const estimate::Verdict<estimate::Plan>* verdict = nullptr;
  std::optional<estimate::Estimate> estimate;  // when it fits
  Date as_of;
};
report::Document view_estimate(const EstimateAnswer& answer);

}  // namespace gpusel::cli
