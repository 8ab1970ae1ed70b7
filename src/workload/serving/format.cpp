#include "format.h"

#include <algorithm>
#include <array>

namespace gpusel::workload::serving {
namespace {

using catalog::NumberFormat;

// Bytes include block scales: 4.16 bits (groups of 128) to 4.5 bits for four-bit integers, 4.5 for
// nvfp4 (blocks of 16) and nf4 (fp32 per 64 weights), 4.25 for mxfp4 (blocks of 32). GGUF as in
// llama.cpp's table for Llama 2 (4.85 bits for q4_k_m), q2_k as in its file of Llama 3 8B; the
// output table is q6_k (6.56 bits), the embedding of the type that gives the format its name.
constexpr double kGgufHead = 0.82;
constexpr std::array kWeightFormats = {
    WeightFormat{"bf16", 2, 2, 2, Family::wide},
    WeightFormat{"fp16", 2, 2, 2, Family::wide},
    WeightFormat{"fp32", 4, 4, 4, Family::wide},
    WeightFormat{"fp8", 1, 2, 2, Family::fp8},
    WeightFormat{"nvfp4", 0.5625, 2, 2, Family::nvfp4},
    WeightFormat{"mxfp4", 0.531, 2, 2, Family::mxfp4},
    WeightFormat{"int8", 1, 2, 2, Family::integer},
    WeightFormat{"int4", 0.53, 2, 2, Family::integer},
    WeightFormat{"nf4", 0.5625, 2, 2, Family::integer},
    WeightFormat{"q8_0", 1.0625, 1.0625, 1.0625, Family::integer},
    WeightFormat{"q6_k", 0.8203, kGgufHead, kGgufHead, Family::integer},
    WeightFormat{"q5_k_m", 0.708, kGgufHead, 0.6875, Family::integer},
    WeightFormat{"q4_k_m", 0.606, kGgufHead, 0.5625, Family::integer},
    WeightFormat{"q3_k_m", 0.485, kGgufHead, 0.4297, Family::integer},
    WeightFormat{"q2_k", 0.37, kGgufHead, 0.3281, Family::integer}};

struct KvFormat {
  std::string_view name;
  double bytes;
};
constexpr std::array kKvFormats = {KvFormat{"bf16", 2}, KvFormat{"fp16", 2}, KvFormat{"fp8", 1},
                                   KvFormat{"int8", 1}, KvFormat{"int4", 0.56}};
constexpr std::array kKvNames = {kKvFormats[0].name, kKvFormats[1].name, kKvFormats[2].name,
                                 kKvFormats[3].name, kKvFormats[4].name};

// fp16 is bf16's size; fp32 is never served; mxfp4 and nvfp4 are only counted where a model is
// published so.
constexpr std::array<std::string_view, 4> kCommon = {"bf16", "fp8", "int8", "int4"};
constexpr std::array<std::string_view, 10> kSearched = {
    "bf16", "fp8", "int8", "int4", "q8_0", "q6_k", "q5_k_m", "q4_k_m", "q3_k_m", "q2_k"};

/// mxfp4 runs without fp4 units from Ampere on (weight-only kernels).
constexpr double kLeastMxfp4Capability = 8.0;

estimate::DoesNotFit lacks(const catalog::Gpu& gpu, std::string_view format,
                           std::string_view instead) {
  return {"dtype", 0, 0, gpu.name + " has no " + std::string(format) + " units",
          "--weights-dtype " + std::string(instead)};
}

Weights wide(const WeightFormat& format, const catalog::Gpu& gpu) {
  Weights w{format, Path::sixteen_bit, format.bytes, NumberFormat::fp16};
  if (format.name == "bf16" && gpu.peak[NumberFormat::bf16]) w.shown = NumberFormat::bf16;
  if (format.name == "fp32") w.shown = NumberFormat::fp32;
  return w;
}

// The experts alone are packed in the published mxfp4 checkpoints; latent attention stays at 8 bits
// in nvfp4.
double attention_bytes(const WeightFormat& format, const ModelCard& card) {
  if (format.family == Family::mxfp4 && card.is_moe()) return 2;
  if (format.family == Family::nvfp4 && card.mla) return 1;
  return format.bytes;
}

estimate::Verdict<Path> packed_path(const WeightFormat& format, const catalog::Gpu& gpu,
                                    const Profile& profile) {
  const bool has_fp8 = gpu.peak[NumberFormat::fp8].has_value();
  const bool has_fp4 = gpu.peak[NumberFormat::fp4].has_value();
  switch (format.family) {
    case Family::fp8:
      if (!has_fp8)
        return lacks(gpu, "fp8", "bf16, int8 or int4, or a GPU with fp8 (Ada, Hopper and newer)");
      return Path::fp8;
    case Family::nvfp4:
      if (!has_fp4) return lacks(gpu, "fp4", "fp8 or int4, or a GPU with fp4 (Blackwell)");
      return Path::fp4;
    case Family::mxfp4:
      if (has_fp4 && gpu.vendor == "amd") return Path::fp4;
      if (has_fp4 && has_fp8 && profile.mxfp8_activations) return Path::fp8;
      if (gpu.vendor == "nvidia" && gpu.capability().value_or(0) < kLeastMxfp4Capability) {
        return lacks(gpu, "mxfp4", "bf16 or int4, or a GPU from Ampere on");
      }
      return Path::weight_only;
    case Family::integer:
      return Path::weight_only;
    case Family::wide:
      break;
  }
  return Path::sixteen_bit;
}

}  // namespace

std::span<const WeightFormat> weight_formats() { return kWeightFormats; }

const WeightFormat* find_weight_format(std::string_view name) {
  const auto* found = std::find_if(kWeightFormats.begin(), kWeightFormats.end(),
                                   [&](const WeightFormat& f) { return f.name == name; });
  return found == kWeightFormats.end() ? nullptr : found;
}

std::string published_format(const ModelCard& card) {
  const std::string& native = card.native_dtype;
  return native.empty() ? "bf16" : native == "fp32" ? "fp16" : native;
}

std::vector<const WeightFormat*> served_formats(const Engine& engine, const ModelCard& card) {
  std::vector<const WeightFormat*> found;
  const auto add = [&](std::string_view name) {
    const WeightFormat* format = find_weight_format(name);
    const bool held = std::find(found.begin(), found.end(), format) != found.end();
    if (format != nullptr && !held) found.push_back(format);
  };
  const auto& listed = engine.weight_formats;
  for (const std::string_view name : kSearched) {
    const bool common = std::find(kCommon.begin(), kCommon.end(), name) != kCommon.end();
    const bool serves =
        listed.empty() ? common : std::find(listed.begin(), listed.end(), name) != listed.end();
    if (serves) add(name);
  }
  const std::string published = published_format(card);
  const bool served =
      listed.empty() || std::find(listed.begin(), listed.end(), published) != listed.end();
  if (published != "fp16" && served) add(published);
  std::stable_sort(found.begin(), found.end(), [](const WeightFormat* a, const WeightFormat* b) {
    return a->bytes > b->bytes;
  });
  return found;
}

estimate::Verdict<Weights> resolve_weights(const WeightFormat& format, const ModelCard& card,
                                           const catalog::Gpu& gpu, const Profile& profile) {
  if (format.family == Family::wide) return wide(format, gpu);
  const estimate::Verdict<Path> path = packed_path(format, gpu, profile);
  if (!path) return path.error();
  Weights w{format, *path, attention_bytes(format, card), NumberFormat::fp16};
  if (gpu.peak[NumberFormat::bf16]) w.shown = NumberFormat::bf16;
  if (*path == Path::fp8) w.shown = NumberFormat::fp8;
  if (*path == Path::fp4) w.shown = NumberFormat::fp4;
  return w;
}

std::span<const std::string_view> kv_formats() { return kKvNames; }

std::optional<double> kv_value_bytes(std::string_view name) {
  for (const KvFormat& f : kKvFormats) {
    if (f.name == name) return f.bytes;
  }
  return std::nullopt;
}

double default_kv_bytes(const Weights& weights, const Profile& profile) {
  const bool narrow = weights.path == Path::fp8 || weights.path == Path::fp4;
  return profile.eight_bit_kv && narrow ? 1 : 2;
}

}  // namespace gpusel::workload::serving
