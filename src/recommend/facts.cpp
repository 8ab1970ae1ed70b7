// The one table of facts: a name, its type and stage, and how it is read.
#include "subject.h"

#include "gpusel/recommend/recommend.h"

#include <array>
#include <span>
#include <vector>

namespace gpusel::recommend {
namespace {

using rules::FactSpec;
using rules::FactType;
using rules::FactValue;
using rules::Stage;

struct FactRow {
  FactSpec spec;
  FactValue (*get)(const Subject&);
};

FactValue text(std::string_view value) {
  if (value.empty()) return std::nullopt;
  return value;
}
template <class Q>
FactValue quantity(const std::optional<Q>& value) {
  if (!value) return std::nullopt;
  return value->canonical();
}
FactValue flag(const std::optional<bool>& value) {
  if (!value) return std::nullopt;
  return *value;
}

FactValue has_peak(const Subject& s, catalog::NumberFormat format) {
  if (s.gpu() == nullptr) return std::nullopt;
  return s.gpu()->peak[format].has_value();
}

FactValue choice(const Subject& s, std::string_view name) {
  if (s.plan == nullptr) return std::nullopt;
  const auto names = s.work->choice_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<double>(s.plan->choices[i]);
  }
  return std::nullopt;
}

FactValue offer_id(const Subject& s) {
  if (s.id.empty()) s.id = s.catalog->id_of(*s.offer);
  return std::string_view(s.id);
}

FactValue price_age(const Subject& s) {
  const std::optional<int> days = price_age_days(*s.offer, s.as_of);
  if (!days) return std::nullopt;
  return units::days(*days).canonical();
}

FactValue interruption_high(const Subject& s) {
  if (!s.offer->interruption || !s.offer->interruption->high) return std::nullopt;
  return *s.offer->interruption->high;
}

FactValue capability(const Subject& s) {
  const auto value = s.gpu() == nullptr ? std::nullopt : s.gpu()->capability();
  if (!value) return std::nullopt;
  return *value;
}

template <class E>
constexpr std::span<const std::string_view> kNames = data::ValueReader<E>::kTexts;

constexpr std::string_view kDtypes[] = {"auto", "fp32",  "tf32", "fp16", "bf16",
                                        "fp8",  "nvfp4", "int8", "int4"};

constexpr auto kRows = std::to_array<FactRow>({
    {{"offer.id", FactType::text, Stage::offer, "provider/instance/region/purchase"}, &offer_id},
    {{"offer.provider", FactType::text, Stage::offer, "provider id"},
     [](const Subject& s) { return text(s.catalog->provider_of(*s.offer).id.text()); }},
    {{"offer.instance", FactType::text, Stage::offer, "instance id"},
     [](const Subject& s) { return text(s.catalog->instance_of(*s.offer).id.text()); }},
    {{"offer.region", FactType::text, Stage::offer, "region id"},
     [](const Subject& s) {
       return s.region() == nullptr ? FactValue() : text(s.region()->id.text());
     }},
    {{"offer.country", FactType::text, Stage::offer, "country of the region, ISO 3166 alpha-2"},
     [](const Subject& s) {
       return s.region() == nullptr ? FactValue() : text(s.region()->country);
     }},
    {{"offer.purchase", FactType::text, Stage::offer,
      "on-demand, spot, reserved-1m, reserved-1y, reserved-3y", kNames<catalog::Purchase>},
     [](const Subject& s) { return text(data::name_of(s.offer->purchase)); }},
    {{"offer.virtualization", FactType::text, Stage::offer, "vm, bare-metal, vgpu, container",
      kNames<catalog::Virtualization>},
     [](const Subject& s) { return text(data::name_of(s.hardware().virtualization)); }},
    {{"offer.gpu.id", FactType::text, Stage::offer, "GPU id"},
     [](const Subject& s) { return s.gpu() == nullptr ? FactValue() : text(s.gpu()->id.text()); }},
    {{"offer.gpu.family", FactType::text, Stage::offer, "GPU family, such as h100"},
     [](const Subject& s) { return s.gpu() == nullptr ? FactValue() : text(s.gpu()->family); }},
    {{"offer.gpu.vendor", FactType::text, Stage::offer, "nvidia, amd, …"},
     [](const Subject& s) { return s.gpu() == nullptr ? FactValue() : text(s.gpu()->vendor); }},
    {{"offer.gpu.architecture", FactType::text, Stage::offer, "volta, ampere, hopper, cdna3, …"},
     [](const Subject& s) {
       return s.gpu() == nullptr ? FactValue() : text(s.gpu()->architecture);
     }},
    {{"offer.gpu.count", FactType::number, Stage::offer, "GPUs of one instance"},
     [](const Subject& s) { return FactValue(static_cast<double>(s.hardware().count)); }},
    {{"offer.gpu.memory", FactType::size, Stage::offer, "usable memory of one GPU"},
     [](const Subject& s) {
       return s.gpu() == nullptr ? FactValue() : FactValue(s.gpu()->available_memory().canonical());
     }},
    {{"offer.gpu.compute_capability", FactType::number, Stage::offer,
      "NVIDIA's compute capability"},
     &capability},
    {{"offer.gpu.bf16", FactType::boolean, Stage::offer, "has a peak rate in bf16"},
     [](const Subject& s) { return has_peak(s, catalog::NumberFormat::bf16); }},
    {{"offer.gpu.fp8", FactType::boolean, Stage::offer, "has a peak rate in fp8"},
     [](const Subject& s) { return has_peak(s, catalog::NumberFormat::fp8); }},
    {{"offer.gpu.slice", FactType::boolean, Stage::offer, "is a slice of a GPU"},
     [](const Subject& s) {
       return s.gpu() == nullptr ? FactValue() : FactValue(s.gpu()->is_slice());
     }},
    {{"offer.gpu.rt_cores", FactType::boolean, Stage::offer, "has ray-tracing units"},
     [](const Subject& s) { return s.gpu() == nullptr ? FactValue() : flag(s.gpu()->rt_cores); }},
    {{"offer.gpu.link", FactType::boolean, Stage::offer,
      "the GPUs of a node are joined by more than PCIe"},
     [](const Subject& s) {
       return s.gpu() == nullptr ? FactValue() : FactValue(s.gpu()->link.has_value());
     }},
    {{"offer.min_nodes", FactType::number, Stage::offer, "least number of instances sold"},
     [](const Subject& s) {
       return FactValue(static_cast<double>(s.catalog->instance_of(*s.offer).min_nodes));
     }},
    {{"offer.network.bandwidth", FactType::bandwidth, Stage::offer,
      "scale-out rate of one instance"},
     [](const Subject& s) { return quantity(s.hardware().network); }},
    {{"offer.network.fabric", FactType::text, Stage::offer, "fabric id"},
     [](const Subject& s) {
       const catalog::Fabric* f = s.catalog->fabric_of(s.hardware());
       return f == nullptr ? FactValue() : text(f->id.text());
     }},
    {{"offer.network.gpu_direct", FactType::boolean, Stage::offer,
      "the fabric moves GPU memory without the host"},
     [](const Subject& s) {
       const catalog::Fabric* f = s.catalog->fabric_of(s.hardware());
       return f == nullptr ? FactValue() : FactValue(f->gpu_direct);
     }},
    {{"offer.price.age", FactType::duration, Stage::offer, "time since the price held"},
     &price_age},
    {{"offer.price.confidence", FactType::text, Stage::offer,
      "verified, derived, mixed, secondary, …", kNames<catalog::Confidence>},
     [](const Subject& s) {
       return s.offer->price ? text(data::name_of(s.offer->price->confidence)) : FactValue();
     }},
    {{"offer.interruption", FactType::share, Stage::offer,
      "upper end of the monthly share of spot reclaimed"},
     &interruption_high},
    {{"offer.interruption_low", FactType::share, Stage::offer, "lower end of the same"},
     [](const Subject& s) {
       return s.offer->interruption ? FactValue(s.offer->interruption->low) : FactValue();
     }},
    {{"workload.kind", FactType::text, Stage::offer,
      "llm-train, llm-finetune, encoder-train, encoder-inference, llm-inference, speech-inference, "
      "rendering"},
     [](const Subject& s) { return text(s.work->kind()); }},
    {{"workload.trains", FactType::boolean, Stage::offer, "the work trains a model"},
     [](const Subject& s) { return FactValue(s.work->traits().trains); }},
    {{"workload.service", FactType::boolean, Stage::offer, "the work runs on instead of ending"},
     [](const Subject& s) { return FactValue(s.work->nature() == workload::Nature::service); }},
    {{"workload.dtype", FactType::text, Stage::offer, "number format as asked: auto, bf16, fp8, …",
      kDtypes},
     [](const Subject& s) { return text(s.work->traits().dtype); }},
    {{"workload.checkpointing", FactType::boolean, Stage::offer, "the job writes checkpoints"},
     [](const Subject& s) { return FactValue(s.work->traits().checkpointing); }},
    {{"workload.duty", FactType::share, Stage::offer, "service: share of the month at its load"},
     [](const Subject& s) {
       const auto& tokens = s.work->traits().tokens;
       return tokens ? FactValue(tokens->duty) : FactValue();
     }},
    {{"workload.scene_memory", FactType::size, Stage::offer, "memory of the scene to render"},
     [](const Subject& s) { return quantity(s.work->traits().scene_memory); }},
    {{"cluster.nodes", FactType::number, Stage::machine, "instances"},
     [](const Subject&
            s) { return s.nodes == 0 ? FactValue() : FactValue(static_cast<double>(s.nodes)); }},
    {{"cluster.gpus", FactType::number, Stage::machine, "GPUs of all instances"},
     [](const Subject& s) {
       return s.nodes == 0 ? FactValue()
                           : FactValue(static_cast<double>(s.nodes * s.hardware().count));
     }},
    {{"cluster.replicas", FactType::number, Stage::plan, "copies of the model that serve"},
     [](const Subject& s) {
       return s.plan == nullptr ? FactValue()
                                : FactValue(static_cast<double>(s.plan->figures.replicas));
     }},
    {{"cluster.tp", FactType::number, Stage::plan, "tensor-parallel degree"},
     [](const Subject& s) { return choice(s, "tp"); }},
    {{"cluster.pp", FactType::number, Stage::plan, "pipeline-parallel degree"},
     [](const Subject& s) { return choice(s, "pp"); }},
    {{"cluster.dp", FactType::number, Stage::plan, "data-parallel degree"},
     [](const Subject& s) { return choice(s, "dp"); }},
    {{"estimate.memory_per_gpu", FactType::size, Stage::plan, "peak memory of one GPU"},
     [](const Subject& s) {
       return s.plan == nullptr ? FactValue() : FactValue(s.plan->figures.memory.canonical());
     }},
    {{"estimate.memory_share", FactType::share, Stage::plan,
      "peak memory as a share of the usable memory"},
     [](const Subject& s) {
       if (s.plan == nullptr || s.gpu() == nullptr) return FactValue();
       return FactValue(s.plan->figures.memory / s.gpu()->available_memory());
     }},
    {{"estimate.duration", FactType::duration, Stage::plan, "time of the whole job"},
     [](const Subject& s) {
       if (s.plan == nullptr || s.work->nature() == workload::Nature::service) return FactValue();
       return FactValue(s.plan->figures.duration.canonical());
     }},
    {{"estimate.mfu", FactType::share, Stage::plan, "model FLOPs utilisation"},
     [](const Subject& s) {
       if (s.plan == nullptr || s.plan->figures.mfu == 0) return FactValue();
       return FactValue(s.plan->figures.mfu);
     }},
    {{"estimate.utilisation", FactType::share, Stage::plan,
      "service: mean load over the month as a share of what the plan carries"},
     [](const Subject& s) {
       const auto& tokens = s.work->traits().tokens;
       if (s.plan == nullptr || !tokens || s.plan->figures.most <= units::ItemsPerSecond{})
         return FactValue();
       return FactValue(tokens->duty * (s.plan->figures.throughput / s.plan->figures.most));
     }},
    {{"cost.total", FactType::money, Stage::cost, "cost of the job, or of a month"},
     [](const Subject& s) {
       return s.total == units::Usd{} ? FactValue() : FactValue(s.total.canonical());
     }},
    {{"cost.per_hour", FactType::price, Stage::cost, "price of the whole cluster"},
     [](const Subject& s) {
       return s.per_hour == units::UsdPerHour{} ? FactValue() : FactValue(s.per_hour.canonical());
     }},
});

// The kinds of work are known to the registry alone.
std::vector<FactSpec> make_specs() {
  static const std::vector<std::string_view> kinds = [] {
    std::vector<std::string_view> ids;
    for (const workload::WorkloadKind* kind : workload::kinds()) ids.push_back(kind->id);
    return ids;
  }();
  std::vector<FactSpec> specs;
  for (const FactRow& row : kRows) {
    specs.push_back(row.spec);
    if (row.spec.name == "workload.kind") specs.back().choices = kinds;
  }
  return specs;
}

FactValue get_fact(const void* subject, std::size_t fact) {
  return kRows[fact].get(*static_cast<const Subject*>(subject));
}

}  // namespace

rules::FactTable fact_table() {
  static const std::vector<FactSpec> specs = make_specs();
  return specs;
}

rules::Facts facts_of(const Subject& subject) { return {&subject, &get_fact}; }

std::optional<int> price_age_days(const catalog::Offer& offer, Date as_of) {
  if (!offer.price || !offer.price->date) return std::nullopt;
  return as_of.days_since(*offer.price->date);
}

}  // namespace gpusel::recommend
