#include "loader.h"

#include "gpusel/catalog/sources.h"

namespace gpusel::catalog {
namespace {

using data::field;
using data::Field;
using data::optional_field;

constexpr Field<Family> kFamily[] = {
    field<&Family::family>("family", "as it stands in the id: gn7i"),
    field<&Family::pattern>("pattern", "glob of the whole id: ecs.gn7i-*"),
    field<&Family::also>("also", "other globs of the same family"),
    field<&Family::gpus>("gpu", "the GPUs of the family, any of them"),
    field<&Family::source>("source", "keys of 'sources'")};

constexpr Field<PeakException> kPeak[] = {
    field<&PeakException::gpu>("gpu", "glob of GPU ids"),
    field<&PeakException::format>("format", "the number format"),
    field<&PeakException::over>("over", "the number format that it is compared with"),
    field<&PeakException::times>("times", "the ratio of their dense peak rates"),
    field<&PeakException::reason>("reason", "why it is no mistake")};

struct NoticeRow {
  units::Seconds notice;
  std::vector<std::string> source;
};
constexpr Field<NoticeRow> kNotice[] = {
    field<&NoticeRow::notice>("notice", "documented warning before an interruption"),
    field<&NoticeRow::source>("source", "keys of 'sources'")};

std::vector<data::KeyShape> file_keys() {
  return {{"spot",
           "documented warning before an interruption",
           data::Presence::optional,
           {"record", "", {}, data::ValueType::record, &data::key_shapes<kNotice>}}};
}
constexpr data::FilePart kParts[] = {kSourcesPart,
                                     {"families", "families of instances and their GPUs",
                                      data::FilePart::Form::list, &data::key_shapes<kFamily>},
                                     {"peaks", "peak rates that look wrong and are not",
                                      data::FilePart::Form::list, &data::key_shapes<kPeak>}};

}  // namespace

constinit const data::FileShape kLintShape{"lint", "what catalog check knows beside the catalog",
                                           &file_keys, kParts};

namespace {

void load_file(FileLoader& loader, const std::string& provider) {
  Catalog& catalog = loader.catalog();
  data::check_keys(loader.root(), kLintShape, loader.reader());
  loader.for_each("families", [&](data::NodeRef node, const data::Reader& reader) {
    auto family = data::read_record<Family>(node, kFamily, reader);
    if (!family) return;
    family->provider = provider;
    family->provenance = loader.provenance(node, family->source);
    catalog.families.push_back(std::move(*family));
  });
  loader.for_each("peaks", [&](data::NodeRef node, const data::Reader& reader) {
    auto peak = data::read_record<PeakException>(node, kPeak, reader);
    if (!peak) return;
    peak->provenance = loader.place_of(node);
    catalog.peak_exceptions.push_back(std::move(*peak));
  });
  const auto spot = loader.root().find("spot");
  if (!spot) return;
  const auto notice = data::read_record<NoticeRow>(*spot, kNotice, loader.reader().at("spot"));
  if (!notice) return;
  catalog.notices.push_back(
      {provider, notice->notice, notice->source, loader.provenance(*spot, notice->source)});
}

}  // namespace

void load_lint(Catalog& catalog, data::DataSet& set, diag::Sink& sink) {
  for (const data::DataFile* file : set.files("lint")) {
    FileLoader loader(catalog, *file, sink);
    load_file(loader, file->id);
  }
}

}  // namespace gpusel::catalog
