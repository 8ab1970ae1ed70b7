// Shapes of models that are neither transformers nor state-space models of sequences.
#pragma once

#include "gpusel/workload/model_head.h"

#include <optional>
#include <vector>

namespace gpusel::workload {

enum class ConvBlock { bottleneck, convnext };

/// A convolutional network of stages.
struct ConvNet : ModelHead {
  ConvBlock block = ConvBlock::bottleneck;
  std::vector<int> depths;  // blocks of each stage
  std::vector<int> widths;  // inner channels of a bottleneck, or channels, of each stage
  int classes = 0;
  int image_px = 0;
};

/// A denoiser of convolutions and attention over a latent image.
struct Unet : ModelHead {
  int hidden = 0;       // channels of the first stage
  int max_context = 0;  // tokens of the text
};

/// A transformer block whose norms are steered by time and class (arXiv 2212.09748, section 3.2):
/// what its count needs beside the common shape.
struct ClassConditioning {
  int patch = 0;
  int in_channels = 0;
  int out_channels = 0;
  int classes = 0;
};

/// A denoiser of attention over patches of a latent image or film.
struct DiffusionTransformer : ModelHead {
  int layers = 0;
  int hidden = 0;
  int ffn = 0;
  int heads = 0;
  int head_dim = 0;
  int max_context = 0;                            // patches and text tokens of one item
  std::optional<ClassConditioning> conditioning;  // none: conditioned on text, not recounted
};

/// Embedding tables, a network under them and one over them (DLRM, arXiv 1906.00091).
struct Recommender : ModelHead {
  int dense_features = 0;
  int embed_dim = 0;
  std::vector<int> table_rows;
  std::vector<int> lookups;  // rows of each table that one sample needs
  std::vector<int> bottom_mlp;
  std::vector<int> top_mlp;
  int cross_layers = 0;  // low-rank cross layers; 0: products of pairs of vectors
  int cross_rank = 0;
};

}  // namespace gpusel::workload

template <>
struct gpusel::data::EnumNames<gpusel::workload::ConvBlock> {
  using E = gpusel::workload::ConvBlock;
  static constexpr std::array<std::pair<std::string_view, E>, 2> kNames = {
      {{"bottleneck", E::bottleneck}, {"convnext", E::convnext}}};
};
