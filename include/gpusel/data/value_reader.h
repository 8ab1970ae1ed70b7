// How one value of a type is read from a node, and what it is called in messages and schemas.
#pragma once

#include "gpusel/base/date.h"
#include "gpusel/base/id.h"
#include "gpusel/base/number.h"
#include "gpusel/data/document.h"
#include "gpusel/units/parse.h"

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace gpusel::data {

/// Reports a fault at a node; knows the way to it (`$.instances[3].memory`).
class Reader {
 public:
  Reader(diag::Sink& sink, std::string path) : sink_(&sink), path_(std::move(path)) {}
  [[nodiscard]] Reader at(std::string_view key) const {
    return {*sink_, path_ + "." + std::string(key)};
  }
  [[nodiscard]] Reader at(std::size_t index) const {
    return {*sink_, path_ + "[" + std::to_string(index) + "]"};
  }
  void error(std::string_view code, const diag::Span& span, std::string message,
             std::string help) const;
  /// A fault of a parsed text: the span is narrowed to the part at fault.
  void fault(std::string_view code, NodeRef node, const Error& error) const;
  [[nodiscard]] diag::Sink& sink() const { return *sink_; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  diag::Sink* sink_;
  std::string path_;
};

enum class Presence { required, optional };

/// What YAML and JSON call a value.
enum class ValueType { text, whole, number, boolean, record };

struct KeyShape;

/// What a value may be, for schemas, templates and docs.
struct ValueShape {
  std::string_view name;                      // "size", "text", "true or false", …
  std::string_view example;                   // "80 GiB"
  std::span<const std::string_view> choices;  // of an enumeration
  ValueType type = ValueType::text;           // of one element where it is a list
  std::vector<KeyShape> (*keys)() = nullptr;  // of a record
  const ValueShape* element = nullptr;        // of a list
};

/// One key of a record without the record's type.
struct KeyShape {
  std::string_view key;
  std::string_view doc;
  Presence presence = Presence::required;
  ValueShape shape;
};

/// Reads a value of T or reports why not. Specialised below for every type that a record member may
/// have.
template <class T>
struct ValueReader;

/// An enumeration is read through a table: specialise `kNames` as {{"on-demand",
/// Purchase::on_demand}, …}.
template <class E>
struct EnumNames;

template <class E>
concept NamedEnum = std::is_enum_v<E> && requires {
  EnumNames<E>::kNames.size();
};

/// The scalar text of a node, or a report that something else stands there.
std::optional<std::string_view> scalar_text(NodeRef node, const Reader& reader,
                                            std::string_view expected);

template <>
struct ValueReader<std::string> {
  static constexpr ValueShape kShape{"text", "", {}};
  static std::optional<std::string> read(NodeRef node, const Reader& reader);
};
template <>
struct ValueReader<bool> {
  static constexpr ValueShape kShape{"true or false", "true", {}, ValueType::boolean};
  static std::optional<bool> read(NodeRef node, const Reader& reader);
};
template <>
struct ValueReader<int> {
  static constexpr ValueShape kShape{"whole number", "8", {}, ValueType::whole};
  static std::optional<int> read(NodeRef node, const Reader& reader);
};
template <>
struct ValueReader<double> {
  static constexpr ValueShape kShape{"number", "0.85", {}, ValueType::number};
  static std::optional<double> read(NodeRef node, const Reader& reader);
};
template <>
struct ValueReader<Date> {
  static constexpr ValueShape kShape{"date", "2026-11-20", {}};
  static std::optional<Date> read(NodeRef node, const Reader& reader);
};

template <class Tag>
struct ValueReader<Id<Tag>> {
  static constexpr ValueShape kShape{"id", "nvidia-h100-sxm5-80gb", {}};
  static std::optional<Id<Tag>> read(NodeRef node, const Reader& reader) {
    const auto text = scalar_text(node, reader, "an id");
    if (!text) return std::nullopt;
    if (!is_valid_id(*text)) {
      reader.error(
          "data/bad-id", node.span(), node.describe() + " is not an id",
          "an id has letters, digits, '.', '_' and '-', and begins with a letter or digit");
      return std::nullopt;
    }
    return Id<Tag>(*text);
  }
};

/// The names that units::parse understands, by type.
template <class Q>
constexpr ValueShape quantity_shape();
template <>
constexpr ValueShape quantity_shape<units::Bytes>() {
  return {"size", "80 GiB", {}};
}
template <>
constexpr ValueShape quantity_shape<units::BytesPerSecond>() {
  return {"bandwidth", "3350 GB/s", {}};
}
template <>
constexpr ValueShape quantity_shape<units::FlopsPerSecond>() {
  return {"compute rate", "989 TFLOPS", {}};
}
template <>
constexpr ValueShape quantity_shape<units::Seconds>() {
  return {"duration", "120 s", {}};
}
template <>
constexpr ValueShape quantity_shape<units::Watts>() {
  return {"power", "700 W", {}};
}
template <>
constexpr ValueShape quantity_shape<units::Ratio>() {
  return {"share", "5 %", {}};
}
template <>
constexpr ValueShape quantity_shape<units::Count>() {
  return {"count", "10B", {}};
}

template <>
constexpr ValueShape quantity_shape<units::Usd>() {
  return {"amount of money", "100 USD", {}};
}

template <>
constexpr ValueShape quantity_shape<units::UsdPerByte>() {
  return {"price of data", "0.09 USD/GB", {}};
}
template <>
constexpr ValueShape quantity_shape<units::UsdPerByteSecond>() {
  return {"price of storage", "0.023 USD/GB-month", {}};
}

template <class Q>
concept ParsedQuantity = requires(std::string_view text) {
  { units::parse<Q>(text) } -> std::same_as<Result<Q>>;
  { quantity_shape<Q>() } -> std::same_as<ValueShape>;
};

template <ParsedQuantity Q>
struct ValueReader<Q> {
  static constexpr ValueShape kShape = quantity_shape<Q>();
  static std::optional<Q> read(NodeRef node, const Reader& reader) {
    const auto text = scalar_text(node, reader, kShape.name);
    if (!text) return std::nullopt;
    const Result<Q> value = units::parse<Q>(*text);
    if (value) return *value;
    reader.fault("data/bad-quantity", node, value.error());
    return std::nullopt;
  }
};

template <>
struct ValueReader<units::ListedPrice> {
  static constexpr ValueShape kShape{"price per hour", "98.32 USD/h", {}};
  static std::optional<units::ListedPrice> read(NodeRef node, const Reader& reader);
};

std::optional<std::size_t> read_choice(NodeRef node, const Reader& reader,
                                       std::span<const std::string_view> names);

template <NamedEnum E>
struct ValueReader<E> {
  static constexpr auto kTexts = [] {
    std::array<std::string_view, EnumNames<E>::kNames.size()> texts{};
    for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = EnumNames<E>::kNames[i].first;
    return texts;
  }();
  static constexpr ValueShape kShape{"choice", "", kTexts};
  static std::optional<E> read(NodeRef node, const Reader& reader) {
    const std::optional<std::size_t> index = read_choice(node, reader, kTexts);
    if (!index) return std::nullopt;
    return EnumNames<E>::kNames[*index].second;
  }
};

/// The text of an enumeration's value.
template <NamedEnum E>
std::string_view name_of(E value) {
  for (const auto& [name, v] : EnumNames<E>::kNames) {
    if (v == value) return name;
  }
  return "?";
}
template <NamedEnum E>
std::optional<E> enum_of(std::string_view text) {
  for (const auto& [name, v] : EnumNames<E>::kNames) {
    if (name == text) return v;
  }
  return std::nullopt;
}

template <class T>
struct ValueReader<std::optional<T>> {
  static constexpr ValueShape kShape = ValueReader<T>::kShape;
  static std::optional<std::optional<T>> read(NodeRef node, const Reader& reader) {
    std::optional<T> value = ValueReader<T>::read(node, reader);
    if (!value) return std::nullopt;
    return std::optional<std::optional<T>>(std::move(value));
  }
};

/// A list, or one element written without brackets.
template <class T>
struct ValueReader<std::vector<T>> {
  static constexpr ValueShape kShape{
      "list", "", {}, ValueReader<T>::kShape.type, nullptr, &ValueReader<T>::kShape};
  static std::optional<std::vector<T>> read(NodeRef node, const Reader& reader) {
    std::vector<T> values;
    bool good = true;
    const auto take = [&](NodeRef element, const Reader& where) {
      std::optional<T> value = ValueReader<T>::read(element, where);
      if (value) values.push_back(std::move(*value));
      good = good && value.has_value();
    };
    if (!node.is_list()) {
      take(node, reader);
    } else {
      std::size_t index = 0;
      for (const NodeRef element : node) take(element, reader.at(index++));
    }
    if (!good) return std::nullopt;
    return values;
  }
};

}  // namespace gpusel::data
