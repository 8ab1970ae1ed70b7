// Serving engines as data: how a piece of software departs from the general constants, by version.
//
//   EngineSet engines = load_engines(data, sink);
//   const Engine* vllm = engines.find("vllm");
//   const Profile& now = vllm->current();
#pragma once

#include "gpusel/data/data_set.h"
#include "gpusel/diag/diagnostic.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpusel::workload::serving {

/// One generation of an engine. Factors multiply the general constant of the same name.
struct Profile {
  std::string id;
  std::string versions;
  double step_factor = 1;
  double layer_factor = 1;
  double sequence_factor = 1;
  double request_factor = 1;
  double expert_layer_factor = 1;
  double burst_factor = 1;
  double compute_factor = 1;
  double memory_factor = 1;
  double grouped_factor = 1;
  double kv_read_factor = 1;
  double context_factor = 1;
  double conversion = 0;         // scalar operations per weight and token, up to 8 tokens
  double element_bytes = 0;      // bytes of element-wise traffic per value
  double memory_share = 0.9;     // of the GPU's memory that the engine takes
  double reserved_answer = 0.6;  // share of the answer for which memory is kept, offline
  int chunk = 8192;              // prompt tokens per step
  int max_sequences = 4096;
  bool mixes_prompts = true;       // prompts share steps with decoding
  bool layer_split = false;        // several GPUs take the layers in turn
  bool reads_all_experts = false;  // fp8 experts are read whole at every batch size
  bool mxfp8_activations = false;  // mxfp4 weights compute at the fp8 rate on fp4 units
  bool spreads_attention = true;   // attention by data parallel ranks, experts over all of them
  bool half_accumulate = false;    // fp16 accumulation on GeForce cards: twice the listed rate
  bool eight_bit_kv = false;       // fp8 cache with fp8 and fp4 weights
  // Which published runs it stands for: releases [since, before), else years [since_year,
  // before_year).
  std::string since;  // "0.8"
  std::string before;
  std::optional<int> since_year;
  std::optional<int> before_year;
  std::string only_vendor;                   // maker of the GPU
  std::optional<double> compute_capability;  // NVIDIA: the least, where it is not the engine's
  std::vector<std::string> loads;  // ways of driving that it stands for whatever the release
};

/// What a source says of the software of a run.
struct PublishedRun {
  std::string version;  // "0.6.5"; free text or empty where nothing can be read
  std::optional<int> year;
  std::string vendor;  // maker of the GPU
  std::string load;    // "static-batch"
};

struct Engine {
  std::string id;
  std::string name;
  std::vector<std::string> vendors;          // empty: any
  std::optional<double> compute_capability;  // NVIDIA: the least
  std::vector<std::string> weight_formats;   // that it serves; empty: the common ones
  bool fitted = true;                        // to results of its own
  std::string current_profile;
  std::string note;
  std::vector<std::string> source;
  std::vector<Profile> profiles;

  [[nodiscard]] const Profile* profile(std::string_view profile_id) const;
  /// The profile that a published run of this release, year and way of driving was on.
  [[nodiscard]] const Profile& profile_of(const PublishedRun& run) const;
  /// The profile of a new deployment.
  [[nodiscard]] const Profile& current() const;
};

class EngineSet {
 public:
  EngineSet() = default;
  explicit EngineSet(std::vector<Engine> engines) : engines_(std::move(engines)) {}
  [[nodiscard]] const std::vector<Engine>& engines() const { return engines_; }
  [[nodiscard]] const Engine* find(std::string_view id) const;
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  std::vector<Engine> engines_;
};

/// Reads the files of kind `engine`. Faulty engines are left out and reported.
EngineSet load_engines(data::DataSet& set, diag::Sink& sink);

}  // namespace gpusel::workload::serving
