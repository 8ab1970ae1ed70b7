// Kinds of work and presets.
#include "options.h"
#include "records.h"
#include "view.h"

#include "gpusel/base/suggest.h"
#include "gpusel/base/text.h"

#include <fmt/format.h>

namespace gpusel::cli {
namespace {

using report::Value;

constexpr ListColumn kWorkloadColumns[] = {
    {"id", "workload"},
    {"kind", "kind"},
    {"preset", "preset"},
    {"summary", "what it is"},
};

Value options_record(const workload::WorkloadKind& kind) {
  Value list = report::list();
  for (const data::OptionSpec& spec : kind.options)
    list.add(report::text(data::snake_case(spec.name)));
  return list;
}

Value workload_record(const std::string& id, const workload::WorkloadKind& kind,
                      const std::string& summary, Value preset) {
  Value v = report::object();
  v.set("id", report::text(id));
  v.set("kind", report::text(std::string(kind.id)));
  v.set("preset", std::move(preset));
  v.set("summary", report::text(summary));
  v.set("options", options_record(kind));
  return v;
}

// What a preset sets, key by key.
Value preset_record(const data::Document& document) {
  Value v = report::object();
  const data::NodeRef root = document.root();
  for (auto it = root.begin(); it != root.end(); ++it) {
    const std::string key(it.key().text());
    if (key == "preset" || key == "workload" || key == "summary" || !(*it).is_scalar()) continue;
    v.set(key, report::text(std::string((*it).text())));
  }
  return v;
}

ListAnswer read_workloads(Session& session, Invocation&) {
  ListAnswer answer{{}, "workloads",     "Workloads", catalog_value(session.catalog),
                    {}, kWorkloadColumns};
  for (const workload::WorkloadKind* kind : workload::kinds()) {
    answer.records.push_back(
        workload_record(std::string(kind->id), *kind, std::string(kind->summary), report::null()));
  }
  for (const data::DataFile* file : session.data.files("preset")) {
    const auto name = file->document->root().find("workload");
    const auto summary = file->document->root().find("summary");
    const workload::WorkloadKind* kind = name ? workload::find_kind(name->text()) : nullptr;
    if (kind == nullptr) continue;
    answer.records.push_back(workload_record(file->id, *kind,
                                             summary ? std::string(summary->text()) : std::string(),
                                             preset_record(*file->document)));
  }
  return answer;
}

bool has_id(const Value& record, std::string_view name) {
  return record.find("id")->shown() == name;
}

}  // namespace

constinit const RecordKind kWorkloadRecords{"workloads list", "workloads show", &read_workloads,
                                            &ids_and_aliases, &has_id};

}  // namespace gpusel::cli
