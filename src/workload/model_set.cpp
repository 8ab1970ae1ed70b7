#include "data_shapes.h"
#include "models/reader.h"

#include "gpusel/base/bug.h"
#include "gpusel/base/text.h"
#include "gpusel/catalog/sources.h"
#include "gpusel/workload/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace gpusel::workload {
namespace {

using catalog::Citation;

// Every reader, those of language models first.
std::vector<models::KindReader> readers() {
  std::vector<models::KindReader> all;
  for (const auto& part : {models::kSequenceKinds, models::kVisionKinds, models::kDiffusionKinds,
                           models::kRecommenderKinds})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

// A key that the first kind doesn't have: a template shows it as a comment, without an example.
data::KeyShape without_example(data::KeyShape key) {
  static constexpr data::ValueShape kPlain{"whole number", "", {}, data::ValueType::whole};
  key.shape.example = {};
  key.presence = data::Presence::optional;
  if (key.shape.element == &data::ValueReader<int>::kShape) key.shape.element = &kPlain;
  return key;
}

// The keys of all kinds. A schema doesn't look at `kind`: what only some kinds need is optional.
std::vector<data::KeyShape> card_keys() {
  const std::vector<models::KindReader> all = readers();
  std::vector<data::KeyShape> keys = all.front().keys();
  using Texts = data::ValueReader<std::vector<std::string>>;
  keys.push_back({"source", "keys of 'sources'", data::Presence::optional, Texts::kShape});
  const auto same = [](std::string_view name) {
    return [name](const data::KeyShape& key) { return key.key == name; };
  };
  for (const models::KindReader& reader : all) {
    const std::vector<data::KeyShape> own = reader.keys();
    for (const data::KeyShape& key : own) {
      if (std::none_of(keys.begin(), keys.end(), same(key.key)))
        keys.push_back(without_example(key));
    }
    for (data::KeyShape& key : keys) {
      const auto at = std::find_if(own.begin(), own.end(), same(key.key));
      if (at == own.end() || at->presence == data::Presence::optional)
        key.presence = data::Presence::optional;
    }
  }
  return keys;
}
constexpr data::FilePart kParts[] = {catalog::kSourcesPart,
                                     {"entries", "one record per model", data::FilePart::Form::list,
                                      &card_keys, data::Presence::required}};

}  // namespace

constinit const data::FileShape kModelsShape{"models", "model cards", nullptr, kParts};

namespace {

// Published counts are rounded (GPT-3 13B by 1.8 %); more than this is a misread shape.
constexpr double kRecountTolerance = 0.02;

class Loader {
 public:
  explicit Loader(diag::Sink& sink) : sink_(sink) {}

  void read_file(const data::DataFile& file) {
    if (!file.document) return;
    const data::NodeRef root = file.document->root();
    const data::Reader reader(sink_, "$");
    data::check_keys(root, kModelsShape, reader);
    const Sources known = read_sources(root, reader);
    const std::optional<data::NodeRef> entries = root.find("entries");
    if (!entries || !entries->is_list()) {
      data::report_missing_key(root, "entries", "a list of models", reader);
      return;
    }
    std::size_t index = 0;
    for (const data::NodeRef entry : *entries) {
      read_entry(entry, reader.at("entries").at(index++), known);
    }
  }
  std::vector<Model> take() { return std::move(models_); }

 private:
  using Sources = std::map<std::string, Citation>;

  static Sources read_sources(data::NodeRef root, const data::Reader& reader) {
    Sources known;
    const std::optional<data::NodeRef> sources = root.find("sources");
    if (!sources || !sources->is_map()) return known;
    for (auto it = sources->begin(); it != sources->end(); ++it) {
      const std::string key(it.key().text());
      const auto citation =
          data::read_record<Citation>(*it, catalog::kCitationFields, reader.at("sources").at(key));
      if (citation) known.emplace(key, *citation);
    }
    return known;
  }

  void read_entry(data::NodeRef node, const data::Reader& reader, const Sources& known) {
    const std::optional<ModelKind> kind = kind_of(node, reader);
    if (!kind) return;
    const auto with = std::find_if(readers_.begin(), readers_.end(),
                                   [&](const models::KindReader& r) { return r.kind == *kind; });
    GPUSEL_BUG(with == readers_.end());
    std::optional<Model> model = with->read(node, reader);
    if (!model) return;
    ModelHead& head = std::visit([](auto& m) -> ModelHead& { return m; }, *model);
    if (const auto source = node.find("source")) {
      const auto weakest = cite(head, *source, reader.at("source"), known);
      if (!node.find("confidence")) head.confidence = weakest;
    }
    if (!check_params(*model, head, node, reader) || !check_names(head, node, reader)) return;
    models_.push_back(std::move(*model));
  }

  // The kind comes first: it says by which table the entry is read.
  static std::optional<ModelKind> kind_of(data::NodeRef node, const data::Reader& reader) {
    if (!node.is_map()) {
      reader.error("data/wrong-kind", node.span(), "expected a map, found " + node.describe(),
                   "write 'key: value' pairs; a space follows the colon");
      return std::nullopt;
    }
    const auto kind = node.find("kind");
    if (kind) return data::ValueReader<ModelKind>::read(*kind, reader.at("kind"));
    data::report_missing_key(node, "kind", "what sort of model it is", reader);
    return std::nullopt;
  }

  // The first source is shown; the weakest one says how far the card can be trusted.
  static catalog::Confidence cite(ModelHead& head, data::NodeRef node, const data::Reader& reader,
                                  const Sources& known) {
    catalog::Confidence weakest = catalog::Confidence::verified;
    const auto keys = data::ValueReader<std::vector<std::string>>::read(node, reader);
    if (!keys || keys->empty()) return weakest;
    head.source = keys->front();
    for (const std::string& key : *keys) {
      const auto found = known.find(key);
      if (found == known.end()) {
        reader.error("model/unknown-source", node.span(),
                     "'" + key + "' is not among the file's sources",
                     "add it to 'sources' or correct the name");
        continue;
      }
      if (key == keys->front()) head.source = found->second.url;
      weakest = std::max(weakest, found->second.confidence);
    }
    return weakest;
  }

  static bool check_params(const Model& model, const ModelHead& head, data::NodeRef node,
                           const data::Reader& reader) {
    if (head.params < 1 || head.active_params < 1) {
      return models::bad_shape(head, "'params' and 'active_params' must be at least 1", node,
                               reader);
    }
    const std::optional<double> counted = counted_parameters(model);
    if (counted && std::abs(*counted / head.params - 1) > kRecountTolerance) {
      sink_warn(reader, node,
                fmt::format("'{}' states {:.0f} parameters, its shape gives {:.0f}", head.id.text(),
                            head.params, *counted));
    }
    return true;
  }

  static void sink_warn(const data::Reader& reader, data::NodeRef node, std::string message) {
    reader.sink().report(diag::warning("model/params-mismatch", node.span(), std::move(message))
                             .with_help("check the shape against its source")
                             .with_path(reader.path()));
  }

  bool check_names(const ModelHead& c, data::NodeRef node, const data::Reader& reader) {
    std::vector<std::string> names = {c.id.text()};
    names.insert(names.end(), c.aliases.begin(), c.aliases.end());
    for (const std::string& name : names) {
      const auto [at, fresh] = taken_.emplace(to_lower(name), c.id.text());
      if (fresh || at->second == c.id.text()) continue;
      reader.error("model/duplicate-name", node.span(),
                   "'" + name + "' already names '" + at->second + "'",
                   "every id and alias names one model");
      return false;
    }
    return true;
  }

  diag::Sink& sink_;
  std::vector<models::KindReader> readers_ = readers();
  std::vector<Model> models_;
  std::map<std::string, std::string> taken_;
};

}  // namespace

ModelSet::ModelSet(std::vector<Model> models) : models_(std::move(models)) {
  std::sort(models_.begin(), models_.end(),
            [](const Model& a, const Model& b) { return head_of(a).id < head_of(b).id; });
  for (std::size_t i = 0; i < models_.size(); ++i) {
    const ModelHead& head = head_of(models_[i]);
    index_.emplace_back(to_lower(head.id.text()), i);
    for (const std::string& alias : head.aliases) index_.emplace_back(to_lower(alias), i);
  }
  std::sort(index_.begin(), index_.end());
}

const Model* ModelSet::find_model(std::string_view name) const {
  const std::string key = to_lower(name);
  const auto at =
      std::lower_bound(index_.begin(), index_.end(), key,
                       [](const auto& entry, const std::string& k) { return entry.first < k; });
  return at == index_.end() || at->first != key ? nullptr : &models_[at->second];
}

const ModelCard* ModelSet::find(std::string_view name) const {
  const Model* model = find_model(name);
  const ModelCard* card = model == nullptr ? nullptr : std::get_if<ModelCard>(model);
  return card == nullptr || !is_decoder(card->kind) ? nullptr : card;
}

std::vector<std::string> ModelSet::names() const {
  std::vector<std::string> names;
  for (const Model& model : models_) {
    const ModelHead& head = head_of(model);
    names.push_back(head.id.text());
    names.insert(names.end(), head.aliases.begin(), head.aliases.end());
  }
  return names;
}

ModelSet load_models(data::DataSet& set, diag::Sink& sink) {
  Loader loader(sink);
  for (const data::DataFile* file : set.files("models")) loader.read_file(*file);
  return ModelSet(loader.take());
}

}  // namespace gpusel::workload
