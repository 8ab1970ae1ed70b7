// How the cards of each kind are read: one table of fields per kind, in the file of its record.
#pragma once

#include "gpusel/data/field.h"
#include "gpusel/workload/model.h"

#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

template <>
struct gpusel::data::ValueReader<gpusel::workload::ForwardPass> {
  static std::vector<KeyShape> keys();
  static constexpr ValueShape kShape{"record", "", {}, ValueType::record, &keys};
  static std::optional<gpusel::workload::ForwardPass> read(NodeRef node, const Reader& reader);
};

namespace gpusel::workload::models {

/// Reads and checks a card; nullopt after a report.
struct KindReader {
  ModelKind kind;
  std::vector<data::KeyShape> (*keys)();
  std::optional<Model> (*read)(data::NodeRef, const data::Reader&);
};
extern const std::span<const KindReader> kSequenceKinds;
extern const std::span<const KindReader> kVisionKinds;
extern const std::span<const KindReader> kDiffusionKinds;
extern const std::span<const KindReader> kRecommenderKinds;

/// Keys of an entry that are read beside the table.
inline constexpr std::string_view kOtherKeys[] = {"source"};

// Limits far above any model: they keep the arithmetic of hostile files in range.
inline constexpr int kMostLayers = 10000;
inline constexpr int kMostWidth = 10'000'000;
inline constexpr int kMostRows = 2'000'000'000;

template <class C, std::size_t N>
struct Table {
  data::Field<C> fields[N];
};
/// One table of several.
template <class C, std::size_t... N>
constexpr Table<C, (N + ...)> join(const data::Field<C> (&... parts)[N]) {
  Table<C, (N + ...)> result{};
  std::size_t at = 0;
  const auto add = [&](const auto& part) {
    for (const data::Field<C>& f : part) result.fields[at++] = f;
  };
  (add(parts), ...);
  return result;
}

/// A member of the common head as a field of the card.
template <class C, auto Member>
constexpr data::Field<C> head_field(std::string_view key, std::string_view doc,
                                    data::Presence presence) {
  using Value = typename data::detail::MemberOf<decltype(Member)>::Value;
  return {{key, doc, presence, data::ValueReader<Value>::kShape},
          [](data::NodeRef node, C& card, const data::Reader& reader) {
            return data::detail::read_member<Member>(node, card, reader);
          }};
}

template <class C>
constexpr data::Field<C> kHead[] = {
    head_field<C, &ModelHead::id>("id", "short name of the model", data::Presence::required),
    head_field<C, &ModelHead::aliases>("aliases",
                                       "other names, such as the repository on Hugging "
                                       "Face",
                                       data::Presence::optional),
    head_field<C, &ModelHead::kind>("kind", "decides which of the following keys there are",
                                    data::Presence::required),
    head_field<C, &ModelHead::params>("params", "parameters", data::Presence::required),
    head_field<C, &ModelHead::active_params>(
        "active_params", "parameters without idle experts and rows", data::Presence::required),
    head_field<C, &ModelHead::native_dtype>("native_dtype", "format of the published weights",
                                            data::Presence::optional),
    head_field<C, &ModelHead::training_tokens>(
        "training_tokens", "tokens that the model was trained on", data::Presence::optional),
    head_field<C, &ModelHead::forward>("forward",
                                       "work of one pass, two operations for a multiply and an add",
                                       data::Presence::optional),
    head_field<C, &ModelHead::confidence>("confidence",
                                          "how far the card can be trusted; left out: "
                                          "as its sources",
                                          data::Presence::optional),
    head_field<C, &ModelHead::note>("note", "what a reader needs to know",
                                    data::Presence::optional),
};

/// A number of a shape with the range that it must lie in.
struct Bound {
  std::string_view key;
  int value;
  int least;
  int most;
};
/// Reports the first number out of its range.
bool in_range(std::span<const Bound> bounds, const ModelHead& head, data::NodeRef node,
              const data::Reader& reader);
/// Reports a fault of the shape as a whole.
bool bad_shape(const ModelHead& head, const std::string& fault, data::NodeRef node,
               const data::Reader& reader);

template <auto& kTable>
std::vector<data::KeyShape> keys_of_table() {
  return {std::begin(kTable.fields), std::end(kTable.fields)};
}

/// A reader that takes a card by its table and asks `check(card, node, reader)` whether it holds.
template <class C, auto& kTable, auto Check>
std::optional<Model> read_card(data::NodeRef node, const data::Reader& reader) {
  std::optional<C> card = data::read_record<C>(node, kTable.fields, reader, kOtherKeys);
  if (!card || !Check(*card, node, reader)) return std::nullopt;
  return Model(std::move(*card));
}

}  // namespace gpusel::workload::models
