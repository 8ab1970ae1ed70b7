// Models and workloads.
#include "options.h"
#include "records.h"
#include "view.h"

#include "gpusel/base/suggest.h"
#include "gpusel/base/text.h"
#include "gpusel/units/format.h"
#include "gpusel/workload/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gpusel::cli {
namespace {

using report::Align;
using report::Value;

constexpr ListColumn kModelColumns[] = {
    {"id", "model"},
    {"kind", "kind", Align::left, 3},
    {"params", "parameters", Align::right},
    {"active_params", "active", Align::right, 1},
    {"layers", "layers", Align::right, 2},
    {"hidden", "hidden", Align::right, 2},
    {"heads", "heads", Align::right, 4},
    {"kv_heads", "KV heads", Align::right, 4},
    {"max_context", "context", Align::right},
    {"kv_bytes_per_token", "KV bytes/token", Align::right, 1},
    {"native_dtype", "dtype", Align::left, 1},
};

constexpr ListColumn kWorkloadColumns[] = {
    {"id", "workload"},
    {"kind", "kind"},
    {"preset", "preset"},
    {"summary", "what it is"},
};

Value count_value(double count) {
  return report::whole_of(std::round(count), units::show_count(count));
}

Value model_record(const workload::ModelCard& card) {
  constexpr double kSixteenBit = 2;  // bytes per value
  Value v = report::object();
  v.set("id", report::text(card.id.text()));
  Value aliases = report::list();
  for (const std::string& alias : card.aliases) aliases.add(report::text(alias));
  v.set("aliases", std::move(aliases));
  v.set("kind", report::text(std::string(data::name_of(card.kind))));
  v.set("params", count_value(card.params));
  v.set("active_params", count_value(card.active_params));
  v.set("counted_params", count_value(workload::count_parameters(card).total));
  v.set("layers", report::whole(card.layers));
  v.set("hidden", report::whole(card.hidden));
  v.set("ffn", report::whole(card.ffn));
  v.set("heads", report::whole(card.heads));
  v.set("kv_heads", report::whole(card.kv_heads));
  v.set("head_dim", report::whole(card.head_dim));
  v.set("vocab", report::whole(card.vocab));
  v.set("experts", card.is_moe() ? report::whole(card.experts) : report::null());
  v.set("experts_top_k", card.is_moe() ? report::whole(card.experts_top_k) : report::null());
  v.set("max_context", card.max_context > 0 ? count_value(card.max_context)
                                            : report::unknown("not in the catalog"));
  v.set("kv_bytes_per_token",
        report::whole_of(in_bytes(workload::kv_bytes_per_token(card, kSixteenBit))));
  v.set("native_dtype", card.native_dtype.empty() ? report::unknown("not in the catalog")
                                                  : report::text(card.native_dtype));
  v.set("training_tokens", card.training_tokens > 0 ? count_value(card.training_tokens)
                                                    : report::unknown("not in the catalog"));
  v.set("source", report::text(card.source));
  add_unknown(v);
  return v;
}

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

ListAnswer read_models(Session& session, Invocation& invocation) {
  ListAnswer answer{{}, "models", "Models", catalog_value(session.catalog), {}, kModelColumns};
  const workload::ModelSet models = workload::load_models(session.data, invocation.diagnostics);
  for (const workload::ModelCard& card : models.cards())
    answer.records.push_back(model_record(card));
  return answer;
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

constinit const RecordKind kModelRecords{"models list", "models show", &read_models,
                                         &ids_and_aliases, &has_id_or_alias};
constinit const RecordKind kWorkloadRecords{"workloads list", "workloads show", &read_workloads,
                                            &ids_and_aliases, &has_id};

}  // namespace gpusel::cli
