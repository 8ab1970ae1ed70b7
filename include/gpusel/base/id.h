// Id<Tag>: a text id of one kind of thing. Ids of different kinds don't compare or convert.
//
//   GpuId gpu("nvidia-h100-sxm5-80gb");
#pragma once

#include <compare>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace gpusel {

template <class Tag>
class Id {
 public:
  Id() = default;
  explicit Id(std::string text) : text_(std::move(text)) {}
  explicit Id(std::string_view text) : text_(text) {}
  explicit Id(const char* text) : text_(text) {}

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] bool empty() const { return text_.empty(); }
  friend bool operator==(const Id&, const Id&) = default;
  friend std::strong_ordering operator<=>(const Id& a, const Id& b) {
    return a.text_.compare(b.text_) <=> 0;
  }

 private:
  std::string text_;
};

using ProviderId = Id<struct ProviderTag>;
using InstanceId = Id<struct InstanceTag>;
using RegionId = Id<struct RegionTag>;
using GpuId = Id<struct GpuTag>;
using FabricId = Id<struct FabricTag>;
using ModelId = Id<struct ModelTag>;
using RuleId = Id<struct RuleTag>;

/// True for letters, digits, `.`, `_` and `-`, beginning with a letter or digit, at most 128 bytes.
bool is_valid_id(std::string_view text);

}  // namespace gpusel

template <class Tag>
struct std::hash<gpusel::Id<Tag>> {
  std::size_t operator()(const gpusel::Id<Tag>& id) const {
    return std::hash<std::string>()(id.text());
  }
};
