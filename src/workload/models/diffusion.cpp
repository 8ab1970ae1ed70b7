// Denoisers of diffusion models: of images and of films.
#include "reader.h"

namespace gpusel::workload::models {
namespace {

using data::field;
using data::NodeRef;
using data::Reader;
using Dit = DiffusionTransformer;

constexpr data::Field<Unet> kUnetShape[] = {
    field<&Unet::hidden>("hidden", "channels of the first stage"),
    field<&Unet::max_context>("max_context", "tokens of the text"),
};
constexpr auto kUnet = join(kHead<Unet>, kUnetShape);

template <auto Member>
bool read_conditioning(NodeRef node, Dit& card, const Reader& reader) {
  const std::optional<int> value = data::ValueReader<int>::read(node, reader);
  if (!value) return false;
  if (!card.conditioning) card.conditioning.emplace();
  (*card.conditioning).*Member = *value;
  return true;
}
template <auto Member>
constexpr data::Field<Dit> conditioning(std::string_view key, std::string_view doc) {
  return {{key, doc, data::Presence::optional, data::ValueReader<int>::kShape},
          &read_conditioning<Member>};
}
using Class = ClassConditioning;

constexpr data::Field<Dit> kDitShape[] = {
    field<&Dit::layers>("layers", "blocks"),
    field<&Dit::hidden>("hidden", "width of the residual stream"),
    field<&Dit::ffn>("ffn", "width of the feed-forward part"),
    field<&Dit::heads>("heads", "heads"),
    field<&Dit::head_dim>("head_dim", "width of a head"),
    field<&Dit::max_context>("max_context", "patches and text tokens of the largest item"),
    conditioning<&Class::patch>("patch",
                                "side of a patch; with the next three where the model is "
                                "steered by a class"),
    conditioning<&Class::in_channels>("in_channels", "channels of the latent image"),
    conditioning<&Class::out_channels>("out_channels", "channels that are predicted"),
    conditioning<&Class::classes>("classes", "classes that can be asked for"),
};
constexpr auto kDit = join(kHead<Dit>, kDitShape);

bool unet_holds(const Unet& m, NodeRef node, const Reader& reader) {
  const Bound bounds[] = {{"hidden", m.hidden, 1, kMostWidth},
                          {"max_context", m.max_context, 1, kMostWidth}};
  return in_range(bounds, m, node, reader);
}

bool dit_holds(const Dit& m, NodeRef node, const Reader& reader) {
  std::vector<Bound> bounds = {
      {"layers", m.layers, 1, kMostLayers},    {"hidden", m.hidden, 1, kMostWidth},
      {"ffn", m.ffn, 1, kMostWidth},           {"heads", m.heads, 1, kMostWidth},
      {"head_dim", m.head_dim, 1, kMostWidth}, {"max_context", m.max_context, 1, kMostWidth}};
  if (m.conditioning) {
    const Class& c = *m.conditioning;
    bounds.insert(bounds.end(), {{"patch", c.patch, 1, kMostWidth},
                                 {"in_channels", c.in_channels, 1, kMostWidth},
                                 {"out_channels", c.out_channels, 1, kMostWidth},
                                 {"classes", c.classes, 1, kMostWidth}});
  }
  return in_range(bounds, m, node, reader);
}

constexpr KindReader kReaders[] = {
    {ModelKind::diffusion_unet, &keys_of_table<kUnet>, &read_card<Unet, kUnet, &unet_holds>},
    {ModelKind::diffusion_dit, &keys_of_table<kDit>, &read_card<Dit, kDit, &dit_holds>},
};

}  // namespace

constinit const std::span<const KindReader> kDiffusionKinds = kReaders;

}  // namespace gpusel::workload::models
