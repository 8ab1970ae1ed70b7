// What models of every kind have in common.
#pragma once

#include "gpusel/base/id.h"
#include "gpusel/catalog/provenance.h"
#include "gpusel/data/value_reader.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpusel::workload {

/// Decides which record a card is: see `Model`.
enum class ModelKind {
  dense_llm,
  moe_llm,
  ssm,             // state-space layers only
  encoder,         // of texts or images
  embedding,       // an encoder or decoder whose output is a vector
  enc_dec,         // from text to text
  asr,             // from speech to text
  vision_cnn,      // convolutions
  diffusion_unet,  // denoiser of convolutions and attention
  diffusion_dit,   // denoiser of attention alone
  recsys,          // embedding tables and small networks
};
/// "mixture-of-experts language model": the kind in words, with its article.
std::string_view in_words(ModelKind kind);
/// What llm-train and llm-inference take: decoders with attention.
constexpr bool is_decoder(ModelKind kind) {
  return kind == ModelKind::dense_llm || kind == ModelKind::moe_llm;
}
/// What encoder-train takes where it has a vocabulary: one stack that sees the whole sequence.
constexpr bool is_encoder(ModelKind kind) {
  return kind == ModelKind::encoder || kind == ModelKind::embedding;
}

/// Work of one pass through the model, two operations for a multiply and an add.
struct ForwardPass {
  double flops = 0;
  std::string of;  // "an image of 224 px"
};

struct ModelHead {
  ModelId id;
  std::vector<std::string> aliases;
  ModelKind kind = ModelKind::dense_llm;
  double params = 0;         // as published or recounted
  double active_params = 0;  // everything but idle experts and table rows that are not looked up
  std::string native_dtype;  // format of the published weights
  double training_tokens = 0;
  std::vector<ForwardPass> forward;
  std::string source;  // url of the shape's source, or "chosen for the size", or the config file
  catalog::Confidence confidence = catalog::Confidence::verified;
  std::string note;
};

}  // namespace gpusel::workload

template <>
struct gpusel::data::EnumNames<gpusel::workload::ModelKind> {
  using E = gpusel::workload::ModelKind;
  static constexpr std::array<std::pair<std::string_view, E>, 11> kNames = {
      {{"dense-llm", E::dense_llm},
       {"moe-llm", E::moe_llm},
       {"ssm", E::ssm},
       {"encoder", E::encoder},
       {"embedding", E::embedding},
       {"enc-dec", E::enc_dec},
       {"asr", E::asr},
       {"vision-cnn", E::vision_cnn},
       {"diffusion-unet", E::diffusion_unet},
       {"diffusion-dit", E::diffusion_dit},
       {"recsys", E::recsys}}};
};
