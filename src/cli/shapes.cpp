#include "shapes.h"

#include "gpusel/base/suggest.h"
#include "gpusel/catalog/catalog.h"
#include "gpusel/data/data_set.h"
#include "gpusel/rules/rule.h"
#include "gpusel/workload/workload.h"

#include <algorithm>

namespace gpusel::cli {

std::vector<const data::FileShape*> file_shapes() {
  std::vector<const data::FileShape*> all;
  for (const data::FileShape* shape : catalog::file_shapes()) all.push_back(shape);
  for (const data::FileShape* shape : workload::file_shapes()) all.push_back(shape);
  all.push_back(&rules::kRuleShape);
  std::sort(all.begin(), all.end(),
            [](const data::FileShape* a, const data::FileShape* b) { return a->kind < b->kind; });
  return all;
}

const data::FileShape* find_shape(std::string_view kind, const diag::Span& span, diag::Sink& sink) {
  for (const data::DataKind& known : data::data_kinds()) {
    if (known.folder == kind) kind = known.key;
  }
  std::vector<std::string> names;
  for (const data::FileShape* shape : file_shapes()) {
    if (shape->kind == kind) return shape;
    names.emplace_back(shape->kind);
  }
  std::string help = did_you_mean(kind, names);
  if (help.empty()) help = "kinds: " + quoted_list(names, "and");
  sink.report(diag::error("usage/unknown-name", span,
                          "there is no data file of kind '" + std::string(kind) + "'")
                  .with_help(help));
  return nullptr;
}

}  // namespace gpusel::cli
