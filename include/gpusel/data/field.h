// Field tables: one constant table per record type gives the reader, the suggestions and the
// schema.
//
//   constexpr Field<Region> kRegion[] = {
//       field<&Region::id>("id", "the provider's name of the region"),
//       field<&Region::country>("country", "ISO 3166 alpha-2")};        // std::optional member:
//       may be left out
//   std::optional<Region> region = read_record<Region>(node, kRegion, reader);
#pragma once

#include "gpusel/base/suggest.h"
#include "gpusel/data/value_reader.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpusel::data {

template <class T>
struct Field : KeyShape {
  /// Reads the node into the member; false after a report.
  bool (*read)(NodeRef, T&, const Reader&);
};

namespace detail {
template <class M>
struct MemberOf;
template <class C, class V>
struct MemberOf<V C::*> {
  using Class = C;
  using Value = V;
};
template <class V>
inline constexpr bool kMayBeLeftOut = false;
template <class V>
inline constexpr bool kMayBeLeftOut<std::optional<V>> = true;
template <class V>
inline constexpr bool kMayBeLeftOut<std::vector<V>> = true;

/// Calls `read(reader)`. The way to a value is written out for its faults only: nearly every value
/// has none.
template <class Way, class Read>
bool read_part(const Reader& reader, Way&& way, Read&& read) {
  diag::Buffer faults;
  const bool good = read(Reader(faults, {}));
  for (diag::Diagnostic fault : faults.all()) {
    std::string path = way() + fault.path;
    reader.sink().report(std::move(fault).with_path(std::move(path)));
  }
  return good;
}

template <auto Member>
bool read_member(NodeRef node, typename MemberOf<decltype(Member)>::Class& record,
                 const Reader& reader) {
  using Value = typename MemberOf<decltype(Member)>::Value;
  std::optional<Value> value = ValueReader<Value>::read(node, reader);
  if (!value) return false;
  record.*Member = std::move(*value);
  return true;
}
}  // namespace detail

/// An example that says: leave this key out of templates.
inline constexpr std::string_view kNoExample = "-";

/// A key that must be there, unless the member is an optional or a list. `example` is for templates
/// and schemas, where the type's own says too little.
template <auto Member>
constexpr auto field(std::string_view key, std::string_view doc, std::string_view example = {}) {
  using M = detail::MemberOf<decltype(Member)>;
  constexpr Presence kPresence =
      detail::kMayBeLeftOut<typename M::Value> ? Presence::optional : Presence::required;
  Field<typename M::Class> result{{key, doc, kPresence, ValueReader<typename M::Value>::kShape},
                                  &detail::read_member<Member>};
  if (!example.empty()) result.shape.example = example;
  return result;
}

/// A key that may be left out: the member keeps its default.
template <auto Member>
constexpr auto optional_field(std::string_view key, std::string_view doc,
                              std::string_view example = {}) {
  auto result = field<Member>(key, doc, example);
  result.presence = Presence::optional;
  return result;
}

/// Reports a key that no field has, with suggestions.
void report_unknown_key(NodeRef key, const std::vector<std::string>& known, const Reader& reader);
/// Reports that a map lacks a key.
void report_missing_key(NodeRef map, std::string_view key, std::string_view doc,
                        const Reader& reader);

template <class T>
std::vector<std::string> keys_of(std::span<const Field<T>> fields) {
  std::vector<std::string> keys;
  for (const Field<T>& f : fields) keys.emplace_back(f.key);
  return keys;
}

/// The keys of a field table, for the shape of a record.
template <const auto& Table>
std::vector<KeyShape> key_shapes() {
  std::vector<KeyShape> shapes;
  for (const KeyShape& shape : Table) shapes.push_back(shape);
  return shapes;
}

/// Keys of a map that the caller reads itself, beside the field table.
using OtherKeys = std::span<const std::string_view>;

/// A map as a record. Every fault is reported; nullopt after one.
template <class T, std::size_t N>
std::optional<T> read_record(NodeRef node, const Field<T> (&fields)[N], const Reader& reader,
                             OtherKeys other = {}) {
  if (!node.is_map()) {
    reader.error("data/wrong-kind", node.span(), "expected a map, found " + node.describe(),
                 "write 'key: value' pairs; a space follows the colon");
    return std::nullopt;
  }
  T record{};
  bool good = true;
  std::vector<bool> seen(N, false);
  for (auto it = node.begin(); it != node.end(); ++it) {
    const std::string_view key = it.key().text();
    std::size_t i = 0;
    while (i < N && fields[i].key != key) ++i;
    if (i < N) {
      seen[i] = true;
      good = detail::read_part(
                 reader, [&] { return reader.at(key).path(); },
                 [&](const Reader& part) { return fields[i].read(*it, record, part); }) &&
             good;
      continue;
    }
    bool known = false;
    for (const std::string_view k : other) known = known || k == key;
    if (!known) {
      std::vector<std::string> all = keys_of<T>(fields);
      all.insert(all.end(), other.begin(), other.end());
      report_unknown_key(it.key(), all, reader);
      good = false;
    }
  }
  for (std::size_t i = 0; i < N; ++i) {
    if (!seen[i] && fields[i].presence == Presence::required) {
      report_missing_key(node, fields[i].key, fields[i].doc, reader);
      good = false;
    }
  }
  if (!good) return std::nullopt;
  return record;
}

/// The column order of a table `{columns: [...], rows: [[...], …]}`: for each column the index of
/// its field.
std::optional<std::vector<std::size_t>> read_columns(NodeRef table,
                                                     const std::vector<std::string>& keys,
                                                     const std::vector<bool>& required,
                                                     const Reader& reader);
/// The rows list of a table, after a check of its kind.
std::optional<NodeRef> rows_of(NodeRef table, const Reader& reader);
void report_row_length(NodeRef row, std::size_t expected, const Reader& reader);

/// A table of rows: each row becomes a record by the same field table; `each(record, row node)` is
/// called for the good ones. False after a fault.
template <class T, std::size_t N, class F>
bool read_rows(NodeRef table, const Field<T> (&fields)[N], const Reader& reader, F&& each) {
  std::vector<bool> required;
  for (const Field<T>& f : fields) required.push_back(f.presence == Presence::required);
  const auto columns = read_columns(table, keys_of<T>(fields), required, reader);
  const auto rows = rows_of(table, reader);
  if (!columns || !rows) return false;
  bool good = true;
  std::size_t index = 0;
  for (const NodeRef row : *rows) {
    const std::size_t number = index++;
    if (!row.is_list() || row.size() != columns->size()) {
      report_row_length(row, columns->size(), reader.at("rows").at(number));
      good = false;
      continue;
    }
    T record{};
    bool row_good = true;
    std::size_t column = 0;
    for (const NodeRef cell : row) {
      const Field<T>& f = fields[(*columns)[column++]];
      if (cell.is_null() && f.presence == Presence::optional) continue;
      row_good = detail::read_part(
                     reader, [&] { return reader.at("rows").at(number).at(f.key).path(); },
                     [&](const Reader& part) { return f.read(cell, record, part); }) &&
                 row_good;
    }
    if (row_good) each(std::move(record), row);
    good = good && row_good;
  }
  return good;
}

}  // namespace gpusel::data
