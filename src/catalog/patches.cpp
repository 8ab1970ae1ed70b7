#include "patches.h"

#include "gpusel/base/suggest.h"
#include "gpusel/base/text.h"

#include <algorithm>

namespace gpusel::catalog {
namespace {

constexpr data::Field<Selector> kSelector[] = {
    data::optional_field<&Selector::provider>("provider", "glob of the provider's id", "aws"),
    data::optional_field<&Selector::instance>("instance", "glob of the instance's id", "p5.*"),
    data::optional_field<&Selector::region>("region", "glob of the region's id"),
    data::optional_field<&Selector::zone>("zone", "glob of the zone"),
    data::optional_field<&Selector::purchase>("purchase", "way of buying", "on-demand"),
    data::optional_field<&Selector::gpu>("gpu", "glob of the GPU's id")};

}  // namespace
}  // namespace gpusel::catalog

template <>
struct gpusel::data::ValueReader<gpusel::catalog::Selector> {
  static constexpr ValueShape kShape{"record",
                                     "{provider: aws, purchase: on-demand}",
                                     {},
                                     ValueType::record,
                                     &key_shapes<gpusel::catalog::kSelector>};
  static std::optional<gpusel::catalog::Selector> read(NodeRef node, const Reader& reader) {
    return read_record<gpusel::catalog::Selector>(node, gpusel::catalog::kSelector, reader);
  }
};

namespace gpusel::catalog {
namespace {

constexpr data::Field<PatchEntry> kEntry[] = {
    data::field<&PatchEntry::on>("on", "the record that is changed"),
    data::field<&PatchEntry::where>("where", "which of them; all conditions hold"),
    data::optional_field<&PatchEntry::because>("because", "the reason, shown with the figure",
                                               "enterprise agreement of 2026"),
    data::field<&PatchEntry::source>("source", "keys of 'sources'", "price-page")};
constexpr std::string_view kSet = "set";
constexpr std::string_view kOther[] = {kSet};

std::vector<data::KeyShape> entry_keys() {
  std::vector<data::KeyShape> keys = data::key_shapes<kEntry>();
  keys.insert(keys.begin() + 2,
              {kSet,
               "fields of that record and their new values; of a price: price or discount",
               data::Presence::required,
               {"fields", "{discount: 12 %}", {}, data::ValueType::record}});
  return keys;
}
constexpr data::FilePart kParts[] = {
    kSourcesPart,
    {"patches", "what is changed, in this order", data::FilePart::Form::list, &entry_keys,
     data::Presence::required}};

// Names of a record tell which one it is; a patch changes what it is like.
std::vector<std::string> fields_of(PatchOn on) {
  std::vector<data::KeyShape> keys;
  switch (on) {
    case PatchOn::price:
      keys = data::key_shapes<kPricePatch>();
      break;
    case PatchOn::instance:
      keys = data::key_shapes<kInstance>();
      break;
    case PatchOn::region:
      keys = data::key_shapes<kRegion>();
      break;
    case PatchOn::provider:
      keys = data::key_shapes<kProvider>();
      break;
    case PatchOn::gpu:
      keys = gpu_keys();
      break;
  }
  std::vector<std::string> names;
  for (const data::KeyShape& key : keys) {
    if (key.key != "id" && key.key != "source" && key.key != "spot") names.emplace_back(key.key);
  }
  return names;
}

bool accepts(std::string_view glob, std::string_view name) {
  return glob.empty() || glob_match(glob, name);
}

}  // namespace

constinit const data::FileShape kPatchShape{
    "patch", "changes to records in force: negotiated prices, corrections", nullptr, kParts};

bool Selector::takes(const RecordNames& names) const {
  return accepts(provider, names.provider) && accepts(instance, names.instance) &&
         accepts(region, names.region) && accepts(zone, names.zone) &&
         accepts(purchase, names.purchase) && accepts(gpu, names.gpu);
}

Patches::Patches(Catalog& catalog, data::DataSet& set, diag::Sink& sink)
    : catalog_(&catalog), sink_(&sink) {
  for (const data::DataFile* file : set.files("patch")) load_file(*file, data::Reader(sink, "$"));
  std::stable_sort(entries_.begin(), entries_.end(),
                   [](const PatchEntry& a, const PatchEntry& b) { return a.root < b.root; });
}

void Patches::load_file(const data::DataFile& file, const data::Reader& reader) {
  FileLoader loader(*catalog_, file, *sink_);
  data::check_keys(loader.root(), kPatchShape, reader);
  loader.for_each("patches", [&](data::NodeRef node, const data::Reader& at) {
    load_entry(loader, file, node, at);
  });
}

void Patches::load_entry(FileLoader& loader, const data::DataFile& file, data::NodeRef node,
                         const data::Reader& reader) {
  auto entry = data::read_record<PatchEntry>(node, kEntry, reader, kOther);
  if (!entry) return;
  const std::optional<data::NodeRef> set = node.find(kSet);
  if (!set || !set->is_map() || set->size() == 0) {
    reader.at(kSet).error("data/wrong-kind", (set ? *set : node).span(),
                          "expected the fields to set, found " + (set ? *set : node).describe(),
                          "write 'set: {discount: 12 %}'");
    return;
  }
  const std::vector<std::string> known = fields_of(entry->on);
  for (auto it = set->begin(); it != set->end(); ++it) {
    if (std::find(known.begin(), known.end(), it.key().text()) != known.end()) continue;
    data::report_unknown_key(it.key(), known, reader.at(kSet));
  }
  entry->file = file.id;
  entry->root = file.root;
  entry->data = &file;
  entry->set = set->index();
  entry->path = reader.at(kSet).path();
  entry->provenance = loader.provenance(node, entry->source);
  ++count_[static_cast<std::size_t>(entry->on)];
  entries_.push_back(std::move(*entry));
}

data::NodeRef Patches::values(const PatchEntry& entry) {
  return {*entry.data->document, entry.set};
}

// Within one root the order of files is no decision of the user's, so two answers are a fault; a
// higher root is meant to win.
bool Patches::may_set(PatchEntry& entry, data::NodeRef key, const std::string& record,
                      std::map<std::string, const PatchEntry*, std::less<>>& setters) {
  const auto [at, fresh] = setters.emplace(std::string(key.text()), &entry);
  if (fresh) return true;
  const PatchEntry& other = *at->second;
  at->second = &entry;
  if (other.root != entry.root) return true;
  if (!entry.faulty.emplace(key.text()).second) return false;
  const diag::Span first = catalog_->span_of(other.provenance);
  data::Reader(*sink_, entry.path)
      .at(key.text())
      .error("catalog/patch-conflict", key.span(),
             "'" + std::string(key.text()) + "' of '" + record + "' is patched a second time",
             "the other patch is at " + first.source->name + ":" + std::to_string(first.line) +
                 "; keep one, or narrow its 'where'");
  return false;
}

void Patches::keep_mark(const PatchEntry& entry, const std::string& record, std::string_view field,
                        std::string was, data::NodeRef value) {
  PatchMark mark;
  mark.record = record;
  mark.field = std::string(field);
  mark.was = std::move(was);
  mark.now = value.is_scalar() ? std::string(value.text()) : value.describe();
  mark.patch = entry.file;
  mark.because = entry.because;
  mark.provenance = entry.provenance;
  // A record that is read twice (a row and a price sheet), or patched by two roots, has one mark.
  const auto [at, fresh] =
      marks_.emplace(record + '\n' + std::string(field), catalog_->patched.size());
  if (fresh) {
    catalog_->patched.push_back(std::move(mark));
  } else {
    catalog_->patched[at->second] = std::move(mark);
  }
}

void Patches::report_unused() const {
  for (const PatchEntry& entry : entries_) {
    if (entry.used) continue;
    sink_->report(diag::warning("catalog/unused-patch", catalog_->span_of(entry.provenance),
                                "this patch selects nothing")
                      .with_help("compare its 'where' with 'gpusel catalog list'"));
  }
}

}  // namespace gpusel::catalog
