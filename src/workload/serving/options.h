// The options of llm-inference.
#pragma once

#include "gpusel/data/option.h"

namespace gpusel::workload::serving {

inline constexpr std::string_view kEstimators[] = {"analytical", "document"};
constexpr data::OptionSpec option(std::string_view name, std::string_view metavar,
                                  std::string_view help) {
  return {name, data::OptionKind::value, metavar, help, {}, "Workload"};
}
inline constexpr data::OptionSpec kOptions[] = {
    option("model", "ID|FILE", "model id, alias, or a Hugging Face config.json"),
    option("params", "COUNT", "parameters, such as 8B, in place of a model"),
    option("active-params", "COUNT", "active parameters of a mixture of experts, with --params"),
    option("input-tokens", "COUNT", "mean length of a prompt (default 1024)"),
    option("output-tokens", "COUNT", "mean length of an answer (default 256)"),
    option("rate", "RATE",
           "requests, such as 20/s; the smallest number of nodes that carries them"),
    option("concurrency", "N", "clients, each with one request at a time"),
    option("ttft", "TIME", "limit on the time to the first token, 95th percentile (default 2s)"),
    option("tpot", "TIME", "limit on the time per further token, 95th percentile (default 100ms)"),
    option("load-headroom", "SHARE",
           "share of a replica's saturated rate kept free for bursts (default 20%)"),
    option("duty", "SHARE", "share of the month at this load, such as 30% (default 100%)"),
    option("api-price", "IN/OUT|NAME",
           "compare with an API: US dollars per million input and output tokens, such as "
           "0.60/2.40, or a list price, such as groq/llama-3.3-70b"),
    option("weights-dtype", "FORMAT",
           "format of the weights, published, or auto for the cheapest that "
           "the engine serves (default: published; encoders 16 bits)"),
    option("kv-dtype", "FORMAT", "format of the cache (default: the engine's choice)"),
    option("cached-prompt", "SHARE",
           "share of the prompt that a prefix cache holds, such as 60% (default none)"),
    option("speculative", "N@SHARE",
           "draft tokens per step and the share that is accepted, such as 3@70% (default none)"),
    option("max-context", "COUNT", "longest sequence that must fit (default: prompt and answer)"),
    option("engine", "NAME", "serving software (default vllm; encoders pytorch)"),
    option("engine-profile", "NAME",
           "generation of the engine, to check published runs (default: the newest)"),
    option("min-replicas", "N", "copies of the model at least (default 1)"),
    option("tp", "N|auto", "tensor parallel GPUs of a replica"),
    option("pp", "N|auto", "pipeline stages of a replica"),
    option("nodes", "N|auto", "nodes"),
    option("max-nodes", "N", "nodes at most (default 64)"),
    option("headroom", "SHARE", "share of each GPU's memory kept free, such as 5%"),
    {"estimator", data::OptionKind::value, "NAME",
     "analytical, or document for the rule-of-thumb formulas", kEstimators, "Workload"}};

}  // namespace gpusel::workload::serving
