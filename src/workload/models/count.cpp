// Parameters of models that are no sequence models, counted from their shapes.
#include "count.h"

#include <cstddef>
#include <numeric>

namespace gpusel::workload {
namespace {

constexpr double kColours = 3;

double linear(double in, double out) { return in * out + out; }

// ResNet (arXiv 1512.03385, table 1): 1x1, 3x3 and 1x1 convolutions without biases, each with the
// scale and shift of a batch norm; the output of a stage is four times as wide as its inside.
double bottleneck_net(const ConvNet& m) {
  constexpr double kExpansion = 4;
  const double stem = m.widths.front();
  double n = kColours * 7 * 7 * stem + 2 * stem;
  double in = stem;
  for (std::size_t stage = 0; stage < m.widths.size(); ++stage) {
    const double w = m.widths[stage];
    const double out = kExpansion * w;
    const double inner = 9 * w * w + w * out + 2 * (2 * w + out);
    const double first = in * w + inner + in * out + 2 * out;  // with the projection of the input
    n += first + (m.depths[stage] - 1) * (out * w + inner);
    in = out;
  }
  return n + linear(in, m.classes);
}

// ConvNeXt (arXiv 2201.03545): a 7x7 convolution per channel, a norm, two linear maps over four
// times the width, a scale per channel; a norm and a 2x2 convolution between stages.
double convnext_net(const ConvNet& m) {
  double n = linear(kColours * 4 * 4, m.widths.front()) + 2.0 * m.widths.front();
  for (std::size_t stage = 0; stage < m.widths.size(); ++stage) {
    const double w = m.widths[stage];
    if (stage > 0) {
      const double before = m.widths[stage - 1];
      n += 2 * before + linear(4 * before, w);
    }
    n += m.depths[stage] * (linear(7 * 7, w) + 2 * w + linear(w, 4 * w) + linear(4 * w, w) + w);
  }
  const double last = m.widths.back();
  return n + 2 * last + linear(last, m.classes);
}

// A chain of linear maps with biases.
double mlp(double in, const std::vector<int>& widths) {
  double n = 0;
  for (const int width : widths) {
    n += linear(in, width);
    in = width;
  }
  return n;
}

}  // namespace

double count(const ConvNet& m) {
  return m.block == ConvBlock::bottleneck ? bottleneck_net(m) : convnext_net(m);
}

// DiT (arXiv 2212.09748): attention, a feed-forward part and six modulation vectors a block;
// embeddings of patches, their positions, of the time (256 frequencies) and of the class, one row
// more for "none"; a modulated linear map at the end.
std::optional<double> count(const DiffusionTransformer& m) {
  if (!m.conditioning) return std::nullopt;
  constexpr double kFrequencies = 256;
  const ClassConditioning& c = *m.conditioning;
  const double h = m.hidden;
  const double area = static_cast<double>(c.patch) * c.patch;
  const double attention = linear(h, 3.0 * m.heads * m.head_dim) + linear(h, h);
  const double block = attention + linear(h, m.ffn) + linear(m.ffn, h) + linear(h, 6 * h);
  const double embeddings = linear(area * c.in_channels, h) + m.max_context * h +
                            linear(kFrequencies, h) + linear(h, h) + (c.classes + 1) * h;
  return m.layers * block + embeddings + linear(h, 2 * h) + linear(h, area * c.out_channels);
}

double dense_parameters(const Recommender& m) {
  const double vectors = static_cast<double>(m.table_rows.size()) + 1;
  double n = mlp(m.dense_features, m.bottom_mlp);
  if (m.cross_layers == 0) return n + mlp(m.embed_dim + vectors * (vectors - 1) / 2, m.top_mlp);
  // Low-rank cross layers (DCN v2, arXiv 2008.13535): W = U V with a bias.
  const double width = vectors * m.embed_dim;
  n += m.cross_layers * (width * m.cross_rank + linear(m.cross_rank, width));
  return n + mlp(width, m.top_mlp);
}

double count(const Recommender& m) {
  const double rows = std::accumulate(m.table_rows.begin(), m.table_rows.end(), 0.0);
  return rows * m.embed_dim + dense_parameters(m);
}

std::optional<double> counted_parameters(const Model& model) {
  struct Count {
    std::optional<double> operator()(const ModelCard& m) const { return count_parameters(m).total; }
    std::optional<double> operator()(const ConvNet& m) const { return count(m); }
    std::optional<double> operator()(const Unet&) const { return std::nullopt; }
    std::optional<double> operator()(const DiffusionTransformer& m) const { return count(m); }
    std::optional<double> operator()(const Recommender& m) const { return count(m); }
  };
  return std::visit(Count{}, model);
}

const ModelHead& head_of(const Model& model) {
  return std::visit([](const auto& m) -> const ModelHead& { return m; }, model);
}

std::string_view in_words(ModelKind kind) {
  switch (kind) {
    case ModelKind::dense_llm:
      return "a dense language model";
    case ModelKind::moe_llm:
      return "a mixture-of-experts language model";
    case ModelKind::ssm:
      return "a state-space language model";
    case ModelKind::encoder:
      return "an encoder";
    case ModelKind::embedding:
      return "an embedding model";
    case ModelKind::enc_dec:
      return "an encoder-decoder model";
    case ModelKind::asr:
      return "a speech recognition model";
    case ModelKind::vision_cnn:
      return "a convolutional vision model";
    case ModelKind::diffusion_unet:
    case ModelKind::diffusion_dit:
      return "a diffusion model";
    case ModelKind::recsys:
      return "a recommendation model";
  }
  return "a model";
}

}  // namespace gpusel::workload
