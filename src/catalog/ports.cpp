#include "loader.h"

#include "gpusel/base/text.h"

namespace gpusel::catalog {
namespace {

struct Parts {
  std::string_view count;
  std::string_view rate;
  std::string_view generation;
};

// `[N x] RATE UNIT [GENERATION]` in its words.
Parts parts_of(std::string_view text) {
  Parts parts;
  const std::size_t times = text.find(" x ");
  if (times != std::string_view::npos) {
    parts.count = trim(text.substr(0, times));
    text = trim(text.substr(times + 3));
  }
  const std::size_t last = text.rfind(' ');
  if (last != std::string_view::npos &&
      data::enum_of<InfinibandGeneration>(text.substr(last + 1)).has_value()) {
    parts.generation = text.substr(last + 1);
    text = trim(text.substr(0, last));
  }
  parts.rate = text;
  return parts;
}

}  // namespace
}  // namespace gpusel::catalog

std::optional<gpusel::catalog::NetworkPorts>
gpusel::data::ValueReader<gpusel::catalog::NetworkPorts>::read(NodeRef node, const Reader& reader) {
  using namespace gpusel::catalog;
  const auto text = scalar_text(node, reader, kShape.name);
  if (!text) return std::nullopt;
  const Parts parts = parts_of(*text);
  NetworkPorts ports;
  const Result<units::BytesPerSecond> rate = units::parse<units::BytesPerSecond>(parts.rate);
  const Result<double> count =
      parts.count.empty() ? Result<double>(1.0) : parse_number(parts.count);
  constexpr double kMostPorts = 64;
  if (!rate || !count || *count < 1 || *count > kMostPorts || *count != static_cast<int>(*count)) {
    reader.error("data/bad-quantity", node.span(), node.describe() + " is not a number of ports",
                 "write count, rate and where known the InfiniBand generation: 8 x 400 Gbps NDR");
    return std::nullopt;
  }
  ports.count = static_cast<int>(*count);
  ports.rate = *rate;
  if (!parts.generation.empty()) ports.generation = enum_of<InfinibandGeneration>(parts.generation);
  return ports;
}
