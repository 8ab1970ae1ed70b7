#include "data_shapes.h"
#include "llm/framework.h"
#include "rendering/scores.h"
#include "serving/api_prices.h"
#include "serving/engine.h"

#include "gpusel/base/suggest.h"
#include "gpusel/catalog/sources.h"
#include "gpusel/workload/calibration.h"
#include "gpusel/workload/model.h"
#include "gpusel/workload/workload.h"

#include <map>

namespace gpusel::workload {
namespace {

constexpr std::string_view kPresetKeys[] = {"preset", "workload", "summary", "sources", "source"};

constexpr data::ValueShape kOptionText{"text", "", {}};

data::KeyShape key_of(const data::OptionSpec& option, const std::string& name) {
  data::KeyShape key{name, option.help, data::Presence::optional, kOptionText};
  key.shape.choices = option.choices;
  if (option.kind == data::OptionKind::flag)
    key.shape = data::ValueReader<bool>::kShape;
  else if (option.kind == data::OptionKind::repeated)
    key.shape.element = &kOptionText;
  return key;
}

// Every option of every kind of work, under its name in files.
std::vector<data::KeyShape> preset_keys() {
  static const std::map<std::string, const data::OptionSpec*> kOptions = [] {
    std::map<std::string, const data::OptionSpec*> all;
    for (const WorkloadKind* kind : kinds()) {
      for (const data::OptionSpec& option : kind->options)
        all.emplace(data::snake_case(option.name), &option);
    }
    return all;
  }();
  std::vector<data::KeyShape> keys{
      {"workload", "kind of work", data::Presence::required, kOptionText},
      {"summary", "what it is, in a line", data::Presence::optional, kOptionText},
      {"source", "keys of 'sources'", data::Presence::optional,
       data::ValueReader<std::vector<std::string>>::kShape}};
  for (const auto& [name, option] : kOptions) keys.push_back(key_of(*option, name));
  return keys;
}
constexpr data::FilePart kPresetParts[] = {catalog::kSourcesPart};

}  // namespace

constinit const data::FileShape kPresetShape{"preset", "a named workload", &preset_keys,
                                             kPresetParts};

std::span<const data::FileShape* const> file_shapes() {
  static constexpr const data::FileShape* kAll[] = {
      &kApiPricesShape, &kCalibrationShape, &kEngineShape, &kFrameworkShape,
      &kModelsShape,    &kPresetShape,      &kScoresShape};
  return kAll;
}

namespace {

void check_preset(const data::DataFile& file, const Context& context, diag::Sink& sink) {
  const data::NodeRef root = file.document->root();
  const data::Reader reader(sink, "$");
  const auto name = root.find("workload");
  const WorkloadKind* kind = name ? find_kind(name->text()) : nullptr;
  if (kind == nullptr) {
    std::vector<std::string> ids;
    for (const WorkloadKind* k : kinds()) ids.emplace_back(k->id);
    reader.at("workload")
        .error("workload/unknown", (name ? *name : root).span(),
               name ? "there is no workload " + name->describe() : "key 'workload' is missing",
               "workloads: " + quoted_list(ids, "and"));
    return;
  }
  data::OptionValues options;
  data::read_options(root, kind->options, data::Origin::preset, kPresetKeys, options, sink);
  static_cast<void>(kind->make(options, context, sink));
}

void check_scores(const rendering::ScoreTable& table, const catalog::Catalog& catalog,
                  diag::Sink& sink) {
  for (const GpuId& id : table.gpus()) {
    if (catalog.gpus_named(id.text()).size() == 1) continue;
    sink.report(
        diag::error("catalog/unknown-gpu", {}, "a render score names GPU '" + id.text() + "'")
            .with_help(did_you_mean(id.text(), catalog.gpu_names())));
  }
}

}  // namespace

void check_data(data::DataSet& data, const catalog::Catalog& catalog, diag::Sink& sink) {
  static_cast<void>(load_models(data, sink));
  static_cast<void>(llm::load_frameworks(data, sink));
  static_cast<void>(serving::load_engines(data, sink));
  static_cast<void>(serving::load_api_prices(data, sink));
  static_cast<void>(load_calibrations(data, sink));
  check_scores(rendering::load_scores(data, sink), catalog, sink);
  const Files none = memory_files({});
  const Context context{&catalog, &data, &none};
  for (const data::DataFile* preset : data.files("preset")) check_preset(*preset, context, sink);
}

}  // namespace gpusel::workload
