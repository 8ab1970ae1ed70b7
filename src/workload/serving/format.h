// Formats of weights and cache: bytes, and at which rate a GPU computes with them.
#pragma once

#include "engine.h"

#include "gpusel/catalog/gpu.h"
#include "gpusel/estimate/plan.h"
#include "gpusel/workload/model.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpusel::workload::serving {

/// Which units do the products.
enum class Path { sixteen_bit, fp8, fp4, weight_only };

/// What a weight format needs of a GPU.
enum class Family { wide, fp8, nvfp4, mxfp4, integer };

struct WeightFormat {
  std::string_view name;
  double bytes = 2;            // per weight, scales included
  double head_bytes = 2;       // per weight of the output table
  double embedding_bytes = 2;  // per weight of an embedding table of its own
  Family family = Family::wide;
};

/// All formats that `--weights-dtype` takes.
std::span<const WeightFormat> weight_formats();
const WeightFormat* find_weight_format(std::string_view name);

/// The formats in which an engine serves a model: those that it lists of the common ones (bf16,
/// fp8, int8, int4 where it lists none), and the published one; widest first.
std::vector<const WeightFormat*> served_formats(const Engine& engine, const ModelCard& card);
/// The format that a model is published in; bf16 where the card says none, 16 bits for fp32.
std::string published_format(const ModelCard& card);

/// How a model's weights are held and multiplied on one GPU.
struct Weights {
  WeightFormat format;
  Path path = Path::sixteen_bit;
  double attention_bytes = 2;  // per weight; wider than `format` where only experts are packed
  catalog::NumberFormat shown = catalog::NumberFormat::bf16;  // the format of the products
};

/// The format in force on a GPU, or why it cannot be: bf16 becomes fp16 where there is no bf16; fp8
/// and nvfp4 need the units.
estimate::Verdict<Weights> resolve_weights(const WeightFormat& format, const ModelCard& card,
                                           const catalog::Gpu& gpu, const Profile& profile);

/// Bytes per cached value; nullopt for an unknown name.
std::optional<double> kv_value_bytes(std::string_view name);
/// The names that `--kv-dtype` takes beside `auto`.
std::span<const std::string_view> kv_formats();
/// Bytes per value of the cache that an engine chooses by itself.
double default_kv_bytes(const Weights& weights, const Profile& profile);

}  // namespace gpusel::workload::serving
