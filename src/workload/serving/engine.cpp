#include "engine.h"

#include "format.h"
#include "workload/data_shapes.h"

#include "gpusel/base/bug.h"
#include "gpusel/base/number.h"
#include "gpusel/base/suggest.h"
#include "gpusel/base/text.h"
#include "gpusel/catalog/sources.h"

#include <algorithm>

namespace gpusel::workload::serving {
namespace {

using data::field;
using data::optional_field;

using P = Profile;
constexpr data::Field<Profile> kProfile[] = {
    field<&P::id>("id", "name of the generation"),
    field<&P::versions>("versions", "the releases that it stands for"),
    optional_field<&P::step_factor>("step_factor", "factor on the fixed time of a step"),
    optional_field<&P::layer_factor>("layer_factor", "factor on the fixed time of a layer"),
    optional_field<&P::sequence_factor>("sequence_factor",
                                        "factor on the host time of a running sequence"),
    optional_field<&P::request_factor>("request_factor", "factor on the handling of a request"),
    optional_field<&P::expert_layer_factor>("expert_layer_factor",
                                            "factor on the fixed time of experts"),
    optional_field<&P::burst_factor>("burst_factor",
                                     "factor on the share of prompts that arrive together"),
    optional_field<&P::compute_factor>("compute_factor", "factor on the compute rate"),
    optional_field<&P::memory_factor>("memory_factor", "factor on the rate of weight reads"),
    optional_field<&P::grouped_factor>("grouped_factor", "factor on the rate of grouped products"),
    optional_field<&P::kv_read_factor>("kv_read_factor", "factor on the rate of cache reads"),
    optional_field<&P::context_factor>("context_factor",
                                       "factor on the memory of context and workspace"),
    optional_field<&P::conversion>("conversion",
                                   "scalar operations per weight and token to unpack weights"),
    optional_field<&P::element_bytes>("element_bytes", "bytes of element-wise traffic per value"),
    optional_field<&P::memory_share>("memory_share",
                                     "share of the GPU's memory that the engine takes"),
    optional_field<&P::reserved_answer>("reserved_answer",
                                        "share of an answer for which memory is kept"),
    optional_field<&P::chunk>("chunk", "prompt tokens per step"),
    optional_field<&P::max_sequences>("max_sequences", "most sequences that run at once"),
    optional_field<&P::mixes_prompts>("mixes_prompts", "prompts share steps with decoding"),
    optional_field<&P::layer_split>("layer_split", "several GPUs take the layers in turn"),
    optional_field<&P::reads_all_experts>("reads_all_experts",
                                          "fp8 experts are read whole at every batch"),
    optional_field<&P::mxfp8_activations>("mxfp8_activations",
                                          "mxfp4 weights compute at the fp8 rate"),
    optional_field<&P::spreads_attention>("spreads_attention",
                                          "attention may run as data parallel ranks"),
    optional_field<&P::half_accumulate>("half_accumulate", "fp16 accumulation on GeForce cards"),
    optional_field<&P::eight_bit_kv>("eight_bit_kv", "fp8 cache with fp8 and fp4 weights"),
    optional_field<&P::since>("since", "first release that it stands for, such as '0.8'"),
    optional_field<&P::before>("before", "first release that it no longer stands for"),
    optional_field<&P::since_year>("since_year", "first year, where a run states no release"),
    optional_field<&P::before_year>("before_year", "first year that it no longer stands for"),
    optional_field<&P::only_vendor>("only_vendor", "maker of the GPUs that it is limited to"),
    optional_field<&P::compute_capability>(
        "compute_capability", "least compute capability on NVIDIA GPUs, if not the engine's"),
    optional_field<&P::loads>("loads", "loads of published runs that it always stands for")};

using E = Engine;
constexpr data::Field<Engine> kEngine[] = {
    field<&E::id>("engine", "short name of the engine"),
    field<&E::name>("name", "its name"),
    field<&E::vendors>("vendors", "makers of GPUs that it runs on; all when left out"),
    field<&E::compute_capability>("compute_capability", "least compute capability on NVIDIA GPUs"),
    optional_field<&E::weight_formats>(
        "weight_formats", "formats of weights that it serves; bf16, fp8, int8, int4 when left out"),
    optional_field<&E::fitted>("fitted", "profiles were fitted to results of the engine"),
    field<&E::current_profile>("current_profile", "the profile of a new deployment"),
    optional_field<&E::note>("note", "what a reader needs to know"),
    field<&E::source>("source", "where the figures come from")};
constexpr data::FilePart kParts[] = {
    catalog::kSourcesPart,
    {"profiles", "generations of the engine", data::FilePart::Form::list,
     &data::key_shapes<kProfile>, data::Presence::required}};

void read_profiles(data::NodeRef list, const data::Reader& reader, Engine& engine) {
  if (!list.is_list()) {
    reader.error("data/wrong-kind", list.span(), "expected a list, found " + list.describe(),
                 "begin each profile with '- '");
    return;
  }
  std::size_t index = 0;
  for (const data::NodeRef node : list) {
    auto profile = data::read_record<Profile>(node, kProfile, reader.at(index++));
    if (profile) engine.profiles.push_back(std::move(*profile));
  }
}

bool check_sources(data::NodeRef root, const Engine& engine, const data::Reader& reader) {
  const std::optional<data::NodeRef> sources = root.find("sources");
  bool good = true;
  for (const std::string& key : engine.source) {
    if (sources && sources->is_map() && sources->find(key)) continue;
    reader.at("source").error("data/unknown-source", root.find("source")->span(),
                              "no source '" + key + "' in this file", "add it below 'sources'");
    good = false;
  }
  return good;
}

bool check_formats(data::NodeRef root, const Engine& engine, const data::Reader& reader) {
  for (const std::string& name : engine.weight_formats) {
    if (find_weight_format(name) != nullptr) continue;
    std::vector<std::string> names;
    for (const WeightFormat& f : weight_formats()) names.emplace_back(f.name);
    reader.at("weight_formats")
        .error("engine/unknown-format", root.find("weight_formats")->span(),
               "no format '" + name + "'", "formats: " + quoted_list(names, "and"));
    return false;
  }
  return true;
}

std::optional<Engine> read_engine(const data::DataFile& file, diag::Sink& sink) {
  const data::NodeRef root = file.document->root();
  const data::Reader reader(sink, "$");
  auto engine = data::read_record<Engine>(root, kEngine, reader, data::other_keys(kEngineShape));
  if (!engine || !check_sources(root, *engine, reader) || !check_formats(root, *engine, reader))
    return std::nullopt;
  if (const auto list = root.find("profiles")) read_profiles(*list, reader.at("profiles"), *engine);
  if (engine->profile(engine->current_profile) != nullptr) return engine;
  reader.at("current_profile")
      .error("engine/unknown-profile", root.find("current_profile")->span(),
             "no profile '" + engine->current_profile + "' in this file",
             "name one of its profiles");
  return std::nullopt;
}

struct Release {
  int major = 0;
  int minor = 0;
  friend auto operator<=>(const Release&, const Release&) = default;
};

// The first two numbers: of "0.6.5.dev964" 0 and 6; none of "nightly".
std::optional<Release> release_of(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  const std::vector<std::string_view> parts = split(text, '.');
  if (parts.size() < 2) return std::nullopt;
  constexpr int kMost = 9999;
  const Result<std::int64_t> major = parse_integer(parts[0], 0, kMost);
  const std::size_t digits = std::min(parts[1].find_first_not_of("0123456789"), parts[1].size());
  const Result<std::int64_t> minor = parse_integer(parts[1].substr(0, digits), 0, kMost);
  if (!major || !minor) return std::nullopt;
  return Release{static_cast<int>(*major), static_cast<int>(*minor)};
}

bool covers(const Profile& p, const std::optional<Release>& release, std::optional<int> year) {
  const auto since = release_of(p.since);
  const auto before = release_of(p.before);
  if (release && (since || before))
    return (!since || *release >= *since) && (!before || *release < *before);
  if (!year || (!p.since_year && !p.before_year)) return false;
  return (!p.since_year || *year >= *p.since_year) && (!p.before_year || *year < *p.before_year);
}

}  // namespace

const Profile* Engine::profile(std::string_view profile_id) const {
  const auto found = std::find_if(profiles.begin(), profiles.end(),
                                  [&](const Profile& p) { return p.id == profile_id; });
  return found == profiles.end() ? nullptr : &*found;
}

const Profile& Engine::profile_of(const PublishedRun& run) const {
  const auto named = std::find_if(profiles.begin(), profiles.end(), [&](const Profile& p) {
    return std::find(p.loads.begin(), p.loads.end(), run.load) != p.loads.end();
  });
  if (named != profiles.end()) return *named;
  const std::optional<Release> release = release_of(run.version);
  const auto found = std::find_if(profiles.begin(), profiles.end(), [&](const Profile& p) {
    return (p.only_vendor.empty() || p.only_vendor == run.vendor) && covers(p, release, run.year);
  });
  return found == profiles.end() ? current() : *found;
}

const Profile& Engine::current() const {
  const Profile* found = profile(current_profile);
  GPUSEL_BUG(found == nullptr);
  return *found;
}

const Engine* EngineSet::find(std::string_view id) const {
  const auto found =
      std::find_if(engines_.begin(), engines_.end(), [&](const Engine& e) { return e.id == id; });
  return found == engines_.end() ? nullptr : &*found;
}

std::vector<std::string> EngineSet::names() const {
  std::vector<std::string> names;
  for (const Engine& e : engines_) names.push_back(e.id);
  return names;
}

EngineSet load_engines(data::DataSet& set, diag::Sink& sink) {
  std::vector<Engine> engines;
  for (const data::DataFile* file : set.files("engine")) {
    if (auto engine = read_engine(*file, sink)) engines.push_back(std::move(*engine));
  }
  return EngineSet(std::move(engines));
}

}  // namespace gpusel::workload::serving

namespace gpusel::workload {

constinit const data::FileShape kEngineShape{
    "engine", "serving software: its fixed costs, its memory, what it runs on",
    &data::key_shapes<serving::kEngine>, serving::kParts};

}  // namespace gpusel::workload
