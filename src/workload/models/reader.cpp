#include "reader.h"

#include <fmt/format.h>

namespace gpusel::workload::models {
namespace {

constexpr data::Field<ForwardPass> kForward[] = {
    data::field<&ForwardPass::flops>("flops", "operations"),
    data::field<&ForwardPass::of>("of", "what passes through the model"),
};

}  // namespace

bool in_range(std::span<const Bound> bounds, const ModelHead& head, data::NodeRef node,
              const data::Reader& reader) {
  for (const Bound& b : bounds) {
    if (b.value >= b.least && b.value <= b.most) continue;
    reader.error("model/bad-shape", node.span(),
                 fmt::format("'{}' of '{}' is {}", b.key, head.id.text(), b.value),
                 fmt::format("expected {} to {}", b.least, b.most));
    return false;
  }
  return true;
}

bool bad_shape(const ModelHead& head, const std::string& fault, data::NodeRef node,
               const data::Reader& reader) {
  reader.error("model/bad-shape", node.span(), "'" + head.id.text() + "': " + fault,
               "check the shape against its source");
  return false;
}

}  // namespace gpusel::workload::models

namespace gpusel::data {

using gpusel::workload::ForwardPass;

std::vector<KeyShape> ValueReader<ForwardPass>::keys() {
  return key_shapes<gpusel::workload::models::kForward>();
}

std::optional<ForwardPass> ValueReader<ForwardPass>::read(NodeRef node, const Reader& reader) {
  auto pass = read_record<ForwardPass>(node, gpusel::workload::models::kForward, reader);
  if (!pass || pass->flops > 0) return pass;
  reader.error("model/bad-shape", node.span(), "'flops' of a forward pass must be above 0",
               "check the figure against its source");
  return std::nullopt;
}

}  // namespace gpusel::data
