#include "training_fixture.h"

#include "gpusel/base/io.h"

namespace gpusel::test {

Data::Data()
    : set(data::DataSet::open({{data::Root::Kind::builtin, ""}}, system_files(), faults)),
      catalog(catalog::load_catalog(set, faults)),
      models(workload::load_models(set, faults)) {}

Data& data() {
  static Data shared;
  return shared;
}

catalog::Hardware hardware(std::string_view gpu, int count, double gbps_per_gpu) {
  catalog::Hardware h;
  h.gpu = data().catalog.gpus_named(gpu).at(0);
  h.count = count;
  if (gbps_per_gpu > 0) h.network = units::gbps(gbps_per_gpu * count);
  return h;
}

std::unique_ptr<const workload::Workload> made(std::string_view kind, const Options& options,
                                               std::string* why) {
  data::OptionValues values;
  for (const auto& [name, value] : options) values.set(name, {value, {}, data::Origin::flag});
  diag::Buffer faults;
  static const Files kFiles = memory_files({});
  const workload::Context context{&data().catalog, &data().set, &kFiles};
  auto work = workload::find_kind(kind)->make(values, context, faults);
  if (why != nullptr) {
    why->clear();
    for (const diag::Diagnostic& d : faults.all()) *why += d.message + "; " + d.help + "\n";
  }
  return work;
}

std::unique_ptr<const workload::Workload> training(
    std::initializer_list<std::pair<const char*, const char*>> options, std::string* why) {
  return made("llm-train", Options(options.begin(), options.end()), why);
}

}  // namespace gpusel::test
