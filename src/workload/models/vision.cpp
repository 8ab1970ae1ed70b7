// Convolutional vision models.
#include "reader.h"

namespace gpusel::workload::models {
namespace {

using data::field;
using data::NodeRef;
using data::Reader;

constexpr data::Field<ConvNet> kShape[] = {
    field<&ConvNet::block>("block", "bottleneck or convnext"),
    field<&ConvNet::depths>("depths", "blocks of each stage"),
    field<&ConvNet::widths>("widths", "channels of each stage; of a bottleneck those inside"),
    field<&ConvNet::classes>("classes", "classes that the model tells apart"),
    field<&ConvNet::image_px>("image_px", "side of the image that `forward` is of"),
};
constexpr auto kTable = join(kHead<ConvNet>, kShape);

bool holds(const ConvNet& m, NodeRef node, const Reader& reader) {
  if (m.depths.empty() || m.depths.size() != m.widths.size())
    return bad_shape(m, "'depths' and 'widths' must have one number for each stage", node, reader);
  std::vector<Bound> bounds = {{"classes", m.classes, 1, kMostWidth},
                               {"image_px", m.image_px, 1, kMostWidth}};
  for (const int depth : m.depths) bounds.push_back({"depths", depth, 1, kMostLayers});
  for (const int width : m.widths) bounds.push_back({"widths", width, 1, kMostWidth});
  return in_range(bounds, m, node, reader);
}

constexpr KindReader kReaders[] = {
    {ModelKind::vision_cnn, &keys_of_table<kTable>, &read_card<ConvNet, kTable, &holds>},
};

}  // namespace

constinit const std::span<const KindReader> kVisionKinds = kReaders;

}  // namespace gpusel::workload::models
