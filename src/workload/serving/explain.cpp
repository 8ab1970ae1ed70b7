#include "explain.h"

#include "../llm/document.h"
#include "capacity.h"
#include "constants.h"
#include "intervals.h"

#include "gpusel/estimate/fit.h"
#include "gpusel/units/format.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpusel::workload::serving {
namespace {

using estimate::Ledger;

void drop_zero_lines(Ledger& ledger) {
  std::erase_if(ledger.lines, [](const estimate::LedgerLine& line) { return line.value == 0; });
}

void add(Ledger& ledger, std::string id, std::string label, units::Seconds value,
         std::string formula) {
  ledger.lines.push_back({std::move(id), std::move(label), value.canonical(), std::move(formula)});
}

Ledger memory_ledger(const Explained& e) {
  Ledger ledger = estimate::ledger_of("memory", "bytes", e.memory, kMemoryTerms);
  const Layout& l = e.replica.layout;
  const double tokens = e.request.traffic.prompt + e.request.traffic.answer;
  ledger.inputs = {{"tp", std::to_string(l.tensor)},
                   {"pp", std::to_string(l.pipeline)},
                   {"weight bytes", units::show_number(e.replica.weights.format.bytes)},
                   {"cache per sequence", units::show_gib(cache_per_gpu(e.replica, tokens))},
                   {"pool for the cache", units::show_gib(e.pool)},
                   {"may use", units::show_gib(e.capacity)}};
  if (l.data > 1) ledger.inputs.push_back({"attention ranks", std::to_string(l.data)});
  return ledger;
}

Ledger ttft_ledger(const Explained& e) {
  const Operating& at = e.option.at;
  Ledger ledger = estimate::ledger_of("ttft", "s", at.prefill, kStepTerms);
  add(ledger, "handling", "handling of the request", at.handling, "t_pre");
  add(ledger, "running_step", "step in progress", at.running_step, "step / 2");
  const bool open = !e.request.clients;
  add(ledger, "queue", "other prompts", at.queue,
      open ? "M/D/1, 95th percentile: S ln(rho / 0.05) / (2 (1 - rho))"
           : "prefill burst (b - 1) / d");
  drop_zero_lines(ledger);
  ledger.inputs = {{"prompt", units::show_number(e.request.traffic.prompt, 6) + " tokens"},
                   {"tokens per step", std::to_string(e.request.profile.chunk)},
                   {"requests per replica", units::show_number(at.rate) + "/s"}};
  return ledger;
}

Ledger tpot_ledger(const Explained& e) {
  const Operating& at = e.option.at;
  Ledger ledger = estimate::ledger_of("tpot", "s", at.token.step, kStepTerms);
  add(ledger, "prompts", "prompt work in the same steps", at.token.prompts,
      "phi (step with a chunk - step)");
  add(ledger, "bubble", "pipeline bubble", at.token.bubble, "0.0671 (p - 1) of the above");
  add(ledger, "tail", "from the mean to the 95th percentile", at.tail, "0.2 of the above");
  drop_zero_lines(ledger);
  const double context = e.request.traffic.prompt + e.request.traffic.answer / 2;
  ledger.inputs = {{"running sequences", units::show_number(at.sequences)},
                   {"mean context", units::show_number(context, 6) + " tokens"},
                   {"most within the limits", units::show_number(e.option.sequences)},
                   {"all replicas carry", units::show_number(e.option.capacity) +
                                              (e.request.clients ? " clients" : " requests/s")}};
  return ledger;
}

std::string range_text(const Interval& interval) {
  return fmt::format("{} to {}", interval.low, interval.high);
}

estimate::Range<units::Seconds> ranged(units::Seconds value, const Interval& interval) {
  return {value * interval.low, value, value * interval.high};
}

std::string basis_of(const Request& q) {
  if (!q.engine.fitted) {
    return "general constants of the fit; no result of this engine was used";
  }
  return std::string("fitted to published ") + q.engine.name + " results; interval of 90 % for " +
         (q.card.is_moe() ? "mixtures of experts" : "dense models") +
         ", model and GPU left out; of the time to the first token, the prompt's part holds "
         "within " +
         range_text(kPromptTime) + " and the waiting within " + range_text(kWaiting) + " times";
}

// What the cache of one sequence takes where layers with a window keep the whole sequence too.
units::Bytes unwindowed_cache(const Replica& r, double tokens) {
  Shape whole = *r.shape;
  whole.kv.window = 0;
  Replica other = r;
  other.shape = &whole;
  return cache_per_gpu(other, tokens);
}

void add_window_note(const Explained& e, estimate::Estimate& estimate) {
  const KvShape& kv = e.request.shape.kv;
  const double tokens = e.request.max_context;
  if (kv.window_layers == 0 || kv.window == 0 || tokens <= kv.window) return;
  const auto mib = [](units::Bytes bytes) {
    return fmt::format("{:.0f} MiB", units::in_bytes(bytes) / units::kMebi);
  };
  estimate.assumptions.push_back(
      {"window_layers",
       fmt::format("layers with a window cache no more than it; an engine that keeps whole "
                   "sequences for them takes {} per GPU for {} tokens",
                   mib(unwindowed_cache(e.replica, tokens)), units::show_number(tokens, 9)),
       mib(cache_per_gpu(e.replica, tokens)), "model card"});
}

// What fails together.
void add_spread_note(const Explained& e, estimate::Estimate& estimate) {
  if (e.option.replicas < 2) return;
  const int span = e.option.fitting.span;
  const int each = e.option.replicas / (e.machine.nodes / span);
  estimate.assumptions.push_back(
      {"spread",
       "replicas that fail with a node; all nodes stand in the region of the offer, how they "
       "spread over its zones is not known",
       span > 1 ? fmt::format("1 replica per {} nodes", span)
                : fmt::format("{} replica{} per node", each, each == 1 ? "" : "s"),
       "catalog"});
}

void add_cautions(const Explained& e, estimate::Estimate& estimate) {
  add_window_note(e, estimate);
  if (e.request.format.name == "nf4") {
    estimate.assumptions.push_back(
        {"nf4",
         "the kernels of bitsandbytes are slower than those of AWQ and GPTQ; no result was used",
         "speed of int4", "not measured"});
  }
  add_spread_note(e, estimate);
  estimate.assumptions.push_back({"percentile", "mean to 95th percentile of the time per token",
                                  units::show_number(kTail) + " times", "MLPerf server limits"});
  const double share = e.pool / e.machine.gpu_memory();
  if (share < estimate::kTightCache) {
    estimate.assumptions.push_back(
        {"tight_memory",
         "little memory is left for the cache: the rate hangs on the last gigabytes",
         units::show_gib(e.pool), "weights, activations, overhead"});
  }
  if (e.replica.device->wiring == Wiring::pcie && e.replica.layout.gpus() > 1) {
    estimate.assumptions.push_back({"pcie", "GPUs joined by PCIe: the host's topology decides",
                                    "0.7 to 1.4 of the time", "published L40S hosts"});
  }
}

}  // namespace

RequestFlops request_flops(const Request& q) {
  const ParameterCount n = count_parameters(q.card);
  const Shape& s = q.shape;
  const Traffic& t = q.traffic;
  const auto attended = [&](double context) {
    const double window =
        s.kv.window > 0 ? std::min(context, static_cast<double>(s.kv.window)) : context;
    return s.kv.global_layers * context + s.kv.window_layers * window;
  };
  const double per_pair = 2 * s.heads * s.prompt_width;
  return {units::flops(2 * n.matmul * t.fresh()),
          units::flops(per_pair * t.fresh() * attended(t.prompt_context())),
          units::flops(2 * n.matmul * t.answer),
          units::flops(per_pair * t.answer * attended(t.prompt + t.answer / 2))};
}

estimate::Estimate explain_serving(const Explained& e) {
  estimate::Estimate estimate;
  Ledger flops = estimate::ledger_of("flops", "flop", request_flops(e.request), kFlopsTerms);
  flops.inputs = {{"active parameters", units::show_count(count_parameters(e.request.card).matmul)},
                  {"prompt", units::show_number(e.request.traffic.prompt, 6) + " tokens"},
                  {"answer", units::show_number(e.request.traffic.answer, 6) + " tokens"}};
  estimate.ledgers = {memory_ledger(e), ttft_ledger(e), tpot_ledger(e), std::move(flops)};
  const Interval time = e.request.card.is_moe() ? kExpertTime : kDenseTime;
  estimate.time_low = time.low;
  estimate.time_high = time.high;
  estimate.memory_low = kMemory.low;
  estimate.memory_high = kMemory.high;
  estimate.basis = basis_of(e.request);
  estimate.assumptions = e.request.assumptions;
  add_cautions(e, estimate);
  const Operating& at = e.option.at;
  estimate.first_token = {ranged(at.handling + total(at.prefill), kPromptTime),
                          ranged(at.running_step + at.queue, kWaiting)};
  estimate.capacity = capacity_of(e.request, e.replica, e.most);
  const TokenTime& token = e.option.at.token;
  estimate.prompt_share = token.prompts / (total(token.step) + token.prompts);
  const double sequence = e.request.traffic.prompt + e.request.traffic.answer;
  const double batch = e.request.clients.value_or(1);
  estimate.rule_of_thumb_memory = llm::document_memory(e.request.nominal_params, sequence, batch);
  estimate.rule_of_thumb_flops = llm::document_flops(e.request.nominal_params, sequence, batch);
  estimate.rule_of_thumb_note =
      "params x 4 + batch x sequence x 4 bytes hold fp32 weights and token ids, but no KV cache; "
      "params x 2 x sequence x batch FLOP at the full peak pass over memory bandwidth, which binds "
      "the answers";
  return estimate;
}

}  // namespace gpusel::workload::serving
