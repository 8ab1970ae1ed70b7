// Patches: fields of records in force that a user's file sets: negotiated prices, corrections, own
// compliance marks. Read before the records; each record asks for its patches when it is read.
#pragma once

#include "loader.h"
#include "provider_rows.h"

#include "gpusel/base/text.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gpusel::catalog {

/// The record that a patch changes.
enum class PatchOn { price, instance, region, provider, gpu };

/// The names of a record; those that it does not have are empty.
struct RecordNames {
  std::string_view provider = {};
  std::string_view instance = {};
  std::string_view region = {};
  std::string_view zone = {};
  std::string_view purchase = {};
  std::string_view gpu = {};
};

/// Which records: globs such as `p5*`; an empty one takes any name.
struct Selector {
  std::string provider;
  std::string instance;
  std::string region;
  std::string zone;
  std::string purchase;
  std::string gpu;
  [[nodiscard]] bool takes(const RecordNames& names) const;
};

/// What a patch may set of a price.
struct PricePatch {
  ListedText price;
  std::optional<units::Ratio> discount;
  std::optional<Date> date;
  std::optional<Confidence> confidence;
};

struct PatchEntry {
  PatchOn on = PatchOn::price;
  Selector where;
  std::string because;
  std::vector<std::string> source;
  // Of the loader:
  std::string file;  // id of the patch file
  std::size_t root = 0;
  const data::DataFile* data = nullptr;
  std::size_t set = 0;  // index of the node of the new values
  std::string path;     // `$.patches[2].set`
  Provenance provenance;
  bool used = false;
  std::set<std::string, std::less<>> faulty;  // fields reported already
};

class Patches {
 public:
  /// Reads every file of kind `patch`.
  Patches(Catalog& catalog, data::DataSet& set, diag::Sink& sink);

  [[nodiscard]] bool any(PatchOn on) const { return count_[static_cast<std::size_t>(on)] > 0; }

  /// Sets the fields that patches give to a record, in the order of roots and files, and keeps a
  /// mark of each. `was` tells the old text of a field. The last patch that set something, or null.
  template <class Row, std::size_t N, class Was>
  const PatchEntry* apply(PatchOn on, const RecordNames& names, const std::string& record, Row& row,
                          const data::Field<Row> (&fields)[N], Was&& was) {
    const PatchEntry* last = nullptr;
    std::map<std::string, const PatchEntry*, std::less<>> setters;
    for (PatchEntry& entry : entries_) {
      if (entry.on != on || !entry.where.takes(names)) continue;
      entry.used = true;
      const data::NodeRef set = values(entry);
      for (auto it = set.begin(); it != set.end(); ++it) {
        const std::string_view key = it.key().text();
        for (const data::Field<Row>& f : fields) {
          if (f.key != key || !may_set(entry, it.key(), record, setters)) continue;
          if (!read(entry, *it, key, [&](const data::Reader& r) { return f.read(*it, row, r); }))
            continue;
          keep_mark(entry, record, key, was(key), *it);
          last = &entry;
        }
      }
    }
    return last;
  }

  /// Reports the patches that no record asked for.
  void report_unused() const;

 private:
  void load_file(const data::DataFile& file, const data::Reader& reader);
  void load_entry(FileLoader& loader, const data::DataFile& file, data::NodeRef node,
                  const data::Reader& reader);
  static data::NodeRef values(const PatchEntry& entry);
  bool may_set(PatchEntry& entry, data::NodeRef key, const std::string& record,
               std::map<std::string, const PatchEntry*, std::less<>>& setters);
  // Reports a faulty value once, not for every record.
  template <class F>
  bool read(PatchEntry& entry, data::NodeRef, std::string_view key, F&& f) {
    if (entry.faulty.count(key) != 0) return false;
    if (f(data::Reader(*sink_, entry.path).at(key))) return true;
    entry.faulty.emplace(key);
    return false;
  }
  void keep_mark(const PatchEntry& entry, const std::string& record, std::string_view field,
                 std::string was, data::NodeRef value);

  Catalog* catalog_;
  diag::Sink* sink_;
  std::vector<PatchEntry> entries_;  // in the order in which they are applied
  std::array<std::size_t, 5> count_{};
  std::map<std::string, std::size_t> marks_;  // record and field: index into Catalog::patched
};

inline constexpr data::Field<PricePatch> kPricePatch[] = {
    data::optional_field<&PricePatch::price>("price", "a price of one's own", "60.00 USD/h"),
    data::field<&PricePatch::discount>("discount", "off the listed price", "12 %"),
    data::field<&PricePatch::date>("date", "since when it holds; left out: the source's date"),
    data::field<&PricePatch::confidence>("confidence", "left out: the source's")};

}  // namespace gpusel::catalog

template <>
struct gpusel::data::EnumNames<gpusel::catalog::PatchOn> {
  using P = gpusel::catalog::PatchOn;
  static constexpr std::array<std::pair<std::string_view, P>, 5> kNames = {
      {{"price", P::price},
       {"instance", P::instance},
       {"region", P::region},
       {"provider", P::provider},
       {"gpu", P::gpu}}};
};
