#include "framework.h"

#include "workload/data_shapes.h"

#include "gpusel/base/text.h"
#include "gpusel/catalog/sources.h"
#include "gpusel/workload/software.h"

#include <algorithm>

namespace gpusel::workload::llm {
namespace {

using data::field;
using data::optional_field;
using F = Framework;

constexpr data::Field<Framework> kFields[] = {
    field<&F::name>("name", "full name"),
    field<&F::names>("names", "parts of texts that mean this software"),
    field<&F::weight_bytes>("weight_bytes", "per parameter"),
    field<&F::gradient_bytes>("gradient_bytes", "per parameter"),
    optional_field<&F::bf16_gradient_bytes>("bf16_gradient_bytes",
                                            "per parameter in bf16, where it differs from fp16"),
    field<&F::optimizer_bytes>("optimizer_bytes",
                               "per parameter with AdamW, master weights included"),
    optional_field<&F::moment_bytes>("moment_bytes", "per moment of the optimizer (default 4)"),
    field<&F::zero_stages>("zero_stages", "ZeRO stages that it can run"),
    field<&F::tensor_parallel>("tensor_parallel", "splits layers over GPUs"),
    field<&F::pipeline_parallel>("pipeline_parallel", "splits the model into stages"),
    field<&F::expert_parallel>("expert_parallel", "spreads experts over GPUs"),
    field<&F::context_parallel>("context_parallel", "splits sequences over GPUs"),
    optional_field<&F::interleaved>("interleaved", "pipeline stages hold several chunks"),
    optional_field<&F::sequence_parallel>("sequence_parallel", "splits norms along the sequence"),
    optional_field<&F::shards_over_context>("shards_over_context",
                                            "ZeRO-3 counts context-parallel ranks"),
    optional_field<&F::fused_attention>("fused_attention", "FlashAttention or alike"),
    optional_field<&F::attention>("attention", "kernels: vendor or sdpa"),
    field<&F::hopper_attention>("hopper_attention", "sustained share of its own kernels on Hopper"),
    field<&F::time_factor>("time_factor", "on the whole step"),
    optional_field<&F::zero_far_factor>("zero_far_factor",
                                        "further factor of ZeRO on more than two nodes"),
    field<&F::host_factor>("host_factor", "host work per layer relative to eager PyTorch"),
    optional_field<&F::host_zero3_factor>("host_zero3_factor", "the same under ZeRO-3"),
    optional_field<&F::elementwise_factor>("elementwise_factor",
                                           "memory traffic of norms and alike"),
    optional_field<&F::cross_entropy_factor>("cross_entropy_factor", "memory traffic of the loss"),
    optional_field<&F::tensor_exposed>("tensor_exposed",
                                       "share of tensor-parallel exchanges not hidden"),
    field<&F::gradient_overlap>("gradient_overlap", "never, single-batch or always"),
    optional_field<&F::gradient_serial>("gradient_serial", "share that shows without overlap"),
    field<&F::gradient_pass_bytes>("gradient_pass_bytes", "per parameter and pass"),
    optional_field<&F::zero3_exposed>("zero3_exposed",
                                      "share of hideable ZeRO-3 traffic that shows"),
    field<&F::activation_factor>("activation_factor", "stored activations relative to the count"),
    optional_field<&F::activation_8bit_factor>("activation_8bit_factor",
                                               "further factor in FP8 and FP4"),
    optional_field<&F::dropout_bytes>("dropout_bytes", "per hidden value"),
    optional_field<&F::selective_kept>("selective_kept",
                                       "share of a layer kept by selective recompute"),
    optional_field<&F::selective_keeps_attention>("selective_keeps_attention",
                                                  "keeps the attention core"),
    optional_field<&F::selective_share>("selective_share", "share of the forward computed again"),
    field<&F::checkpoint_factor>("checkpoint_factor", "layer inputs kept by full recompute"),
    field<&F::logit_bytes>("logit_bytes", "per logit"),
    optional_field<&F::masked_logits>("masked_logits",
                                      "an encoder's output table sees masked positions alone"),
    optional_field<&F::skips_padding>("skips_padding", "computes no padding"),
    optional_field<&F::buffer_bytes>("buffer_bytes", "communication and scratch buffers"),
    optional_field<&F::adapter_host_factor>("adapter_host_factor",
                                            "host work of layers with adapters"),
    optional_field<&F::adapter_activation_factor>("adapter_activation_factor",
                                                  "stored activations of layers with adapters"),
    optional_field<&F::shards_four_bit>("shards_four_bit",
                                        "ZeRO-3 splits frozen weights in 4 bits too"),
    optional_field<&F::four_bit_bytes>("four_bit_bytes",
                                       "per frozen parameter in 4 bits, scales included"),
    optional_field<&F::dequantise_factor>("dequantise_factor",
                                          "time of turning 4 bits into 16, relative to "
                                          "bitsandbytes"),
    optional_field<&F::offloads_optimizer>("offloads_optimizer",
                                           "can keep and update optimizer states on the host"),
    optional_field<&F::offloads_all>("offloads_all",
                                     "can keep weights, gradients and states on the host"),
    optional_field<&F::adapters_8bit>("adapters_8bit", "trains adapters over weights in 8 bits"),
    optional_field<&F::recompute>("recompute", "what it computes again unless told otherwise"),
    optional_field<&F::recompute_from>("recompute_from",
                                       "parameters of the smallest model that it does so for"),
    optional_field<&F::loads_whole>("loads_whole",
                                    "each rank loads the whole model before ZeRO-3 splits it"),
    optional_field<&F::compiled>("compiled", "the framework that torch.compile makes of it"),
    optional_field<&F::pure>("pure", "the same with weights and states in 16 bits"),
    optional_field<&F::memory_report>("memory_report",
                                      "what its printed peak counts: process, reserved or "
                                      "allocated"),
    field<&F::time_class>("time_class",
                          "megatron, fsdp, encoder or other: which error interval holds"),
};
std::vector<data::KeyShape> file_keys() {
  std::vector<data::KeyShape> keys = data::key_shapes<kFields>();
  keys.push_back({"source", "keys of 'sources'", data::Presence::optional,
                  data::ValueReader<std::vector<std::string>>::kShape});
  return keys;
}
constexpr data::FilePart kParts[] = {catalog::kSourcesPart};

// Figures outside these bounds are slips of the pen; they would turn the sums upside down.
bool is_sound(const Framework& f, data::NodeRef node, const data::Reader& reader) {
  const auto within = [](double value, double low, double high) {
    return value >= low && value <= high;
  };
  const bool stages =
      !f.zero_stages.empty() &&
      std::all_of(f.zero_stages.begin(), f.zero_stages.end(), [](int stage) { return stage <= 3; });
  const bool factors =
      within(f.time_factor, 1, 10) && within(f.zero_far_factor, 1, 10) &&
      within(f.host_factor, 0, 10) && within(f.activation_factor, 0.1, 10) &&
      within(f.checkpoint_factor, 0.1, 10) && within(f.adapter_host_factor, 0.1, 10) &&
      within(f.adapter_activation_factor, 0.1, 10) && within(f.dequantise_factor, 0.1, 10);
  const bool bytes =
      within(f.weight_bytes, 1, 16) && within(f.gradient_bytes, 0, 16) &&
      within(f.bf16_gradient_bytes.value_or(0), 0, 16) && within(f.moment_bytes, 1, 8) &&
      within(f.optimizer_bytes, 2 * f.moment_bytes, 64) && within(f.four_bit_bytes, 0.5, 2) &&
      within(f.logit_bytes, 0, 64) && f.buffer_bytes >= 0;
  if (stages && factors && bytes) return true;
  reader.error("framework/bad-figure", node.span(), "a figure of this framework is out of range",
               "ZeRO stages are 0 to 3, time factors 1 to 10, bytes per parameter 0 to 16 "
               "(optimizer from its two moments to 64), in 4 bits 0.5 to 2");
  return false;
}

}  // namespace

bool Framework::supports_zero(int stage) const {
  return std::find(zero_stages.begin(), zero_stages.end(), stage) != zero_stages.end();
}

const Framework* FrameworkSet::find(std::string_view id) const {
  const auto at =
      std::find_if(all_.begin(), all_.end(), [&](const Framework& f) { return f.id == id; });
  return at == all_.end() ? nullptr : &*at;
}

const Framework* FrameworkSet::matching(std::string_view text) const {
  const std::string lower = to_lower(text);
  const Framework* best = nullptr;
  std::size_t longest = 0;
  for (const Framework& f : all_) {
    for (const std::string& name : f.names) {
      if (name.size() <= longest || lower.find(name) == std::string::npos) continue;
      longest = name.size();
      best = &f;
    }
  }
  return best;
}

std::vector<std::string> FrameworkSet::ids() const {
  std::vector<std::string> ids;
  for (const Framework& f : all_) ids.push_back(f.id);
  return ids;
}

FrameworkSet load_frameworks(data::DataSet& set, diag::Sink& sink) {
  std::vector<Framework> all;
  std::vector<std::string_view> other = data::other_keys(kFrameworkShape);
  other.emplace_back("source");
  for (const data::DataFile* file : set.files("framework")) {
    if (!file->document) continue;
    const data::Reader reader(sink, "$");
    auto framework = data::read_record<Framework>(file->document->root(), kFields, reader, other);
    if (!framework || !is_sound(*framework, file->document->root(), reader)) continue;
    framework->id = file->id;
    framework->source = "data/frameworks/" + file->id + ".yaml";
    all.push_back(std::move(*framework));
  }
  return FrameworkSet(std::move(all));
}

}  // namespace gpusel::workload::llm

namespace gpusel::workload {

constinit const data::FileShape kFrameworkShape{
    "framework", "training software: what it keeps in memory, what it can split, how fast it is",
    &llm::file_keys, llm::kParts};

std::optional<std::string> framework_named(data::DataSet& set, std::string_view text,
                                           diag::Sink& sink) {
  const llm::FrameworkSet frameworks = llm::load_frameworks(set, sink);
  const llm::Framework* found = frameworks.matching(text);
  if (found == nullptr) return std::nullopt;
  return found->id;
}

}  // namespace gpusel::workload
