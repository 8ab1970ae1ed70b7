// Models of every kind.
#include "options.h"
#include "records.h"
#include "view.h"

#include "gpusel/base/suggest.h"
#include "gpusel/units/format.h"
#include "gpusel/workload/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gpusel::cli {
namespace {

using report::Align;
using report::Value;

constexpr const char* kNotInCatalog = "not in the catalog";

constexpr ListColumn kColumns[] = {
    {"id", "model"},
    {"kind", "kind", Align::left, 1},
    {"params", "parameters", Align::right},
    {"active_params", "active", Align::right, 1},
    {"layers", "layers", Align::right, 2},
    {"hidden", "hidden", Align::right, 2},
    {"heads", "heads", Align::right, 4},
    {"kv_heads", "KV heads", Align::right, 4},
    {"max_context", "context", Align::right},
    {"kv_bytes_per_token", "KV bytes/token", Align::right, 1},
    {"native_dtype", "dtype", Align::left, 1},
    {"confidence", "confidence", Align::left, 5},
};

Value count_value(double count) {
  return report::whole_of(std::round(count), units::show_count(count));
}

// Zero stands for "has no such part" in a card.
Value part(int value) { return value > 0 ? report::whole(value) : report::null(); }

Value part_or_unknown(int value) {
  return value > 0 ? count_value(value) : report::unknown(kNotInCatalog);
}

Value wholes(const std::vector<int>& numbers) {
  Value v = report::list();
  for (const int n : numbers) v.add(report::whole(n));
  return v;
}

// The numbers that most kinds have; null where a kind has no such part.
struct Common {
  int layers = 0;
  int hidden = 0;
  int ffn = 0;
  int heads = 0;
  int kv_heads = 0;
  int head_dim = 0;
  int vocab = 0;
  int experts = 0;
  int experts_top_k = 0;
  Value max_context = report::null();
  Value kv_bytes_per_token = report::null();
  Value details = report::object();  // what only this kind has
};

Common common_of(const workload::ModelCard& m) {
  constexpr double kSixteenBit = 2;  // bytes per value
  Common c{m.layers, m.hidden, m.ffn, m.heads, m.kv_heads, m.head_dim, m.vocab, 0, 0};
  if (m.is_moe()) {
    c.experts = m.experts;
    c.experts_top_k = m.experts_top_k;
  }
  c.max_context = part_or_unknown(m.max_context);
  const double cache = in_bytes(workload::kv_bytes_per_token(m, kSixteenBit));
  const bool decodes = workload::is_decoder(m.kind) || m.cross_layers() > 0;
  if (decodes) c.kv_bytes_per_token = report::whole_of(cache);
  if (m.encoder_layers > 0) c.details.set("encoder_layers", report::whole(m.encoder_layers));
  if (m.decoder_layers > 0) c.details.set("decoder_layers", report::whole(m.decoder_layers));
  if (m.has_recurrent_layers()) {
    c.details.set("recurrent_layers", report::whole(m.linear_attn_layers + m.ssm_layers));
    c.details.set("recurrent_kind",
                  report::text(std::string(data::name_of(m.recurrence.value().kind))));
    c.details.set("state_bytes_per_sequence",
                  report::whole_of(workload::kv_shape(m, kSixteenBit).state_bytes));
  }
  return c;
}

Common common_of(const workload::ConvNet& m) {
  Common c;
  c.details.set("block", report::text(std::string(data::name_of(m.block))));
  c.details.set("depths", wholes(m.depths));
  c.details.set("widths", wholes(m.widths));
  c.details.set("classes", report::whole(m.classes));
  c.details.set("image_px", report::whole(m.image_px));
  return c;
}

Common common_of(const workload::Unet& m) {
  Common c;
  c.hidden = m.hidden;
  c.max_context = part_or_unknown(m.max_context);
  return c;
}

Common common_of(const workload::DiffusionTransformer& m) {
  Common c{m.layers, m.hidden, m.ffn, m.heads, m.heads, m.head_dim, 0, 0, 0};
  c.max_context = part_or_unknown(m.max_context);
  if (!m.conditioning) return c;
  c.details.set("patch", report::whole(m.conditioning->patch));
  c.details.set("in_channels", report::whole(m.conditioning->in_channels));
  c.details.set("out_channels", report::whole(m.conditioning->out_channels));
  c.details.set("classes", report::whole(m.conditioning->classes));
  return c;
}

Common common_of(const workload::Recommender& m) {
  Common c;
  c.details.set("tables", report::whole(static_cast<std::int64_t>(m.table_rows.size())));
  c.details.set("table_rows", wholes(m.table_rows));
  c.details.set("embed_dim", report::whole(m.embed_dim));
  c.details.set("lookups", wholes(m.lookups));
  c.details.set("dense_features", report::whole(m.dense_features));
  c.details.set("bottom_mlp", wholes(m.bottom_mlp));
  c.details.set("top_mlp", wholes(m.top_mlp));
  c.details.set("cross_layers", report::whole(m.cross_layers));
  c.details.set("cross_rank", part(m.cross_rank));
  return c;
}

Value forward_record(const std::vector<workload::ForwardPass>& passes) {
  Value list = report::list();
  for (const workload::ForwardPass& pass : passes) {
    Value v = report::object();
    v.set("flops", report::whole_of(pass.flops, units::show_count(pass.flops)));
    v.set("of", report::text(pass.of));
    list.add(std::move(v));
  }
  return list;
}

void add_head(Value& v, const workload::ModelHead& head, const workload::Model& model) {
  v.set("id", report::text(head.id.text()));
  Value aliases = report::list();
  for (const std::string& alias : head.aliases) aliases.add(report::text(alias));
  v.set("aliases", std::move(aliases));
  v.set("kind", report::text(std::string(data::name_of(head.kind))));
  v.set("params", count_value(head.params));
  v.set("active_params", count_value(head.active_params));
  const std::optional<double> counted = workload::counted_parameters(model);
  v.set("counted_params",
        counted ? count_value(*counted) : report::unknown("the card lacks dimensions for a count"));
}

Value model_record(const workload::Model& model) {
  const workload::ModelHead& head = workload::head_of(model);
  Common c = std::visit([](const auto& m) { return common_of(m); }, model);
  Value v = report::object();
  add_head(v, head, model);
  v.set("layers", part(c.layers));
  v.set("hidden", part(c.hidden));
  v.set("ffn", part(c.ffn));
  v.set("heads", part(c.heads));
  v.set("kv_heads", part(c.kv_heads));
  v.set("head_dim", part(c.head_dim));
  v.set("vocab", part(c.vocab));
  v.set("experts", part(c.experts));
  v.set("experts_top_k", part(c.experts_top_k));
  v.set("max_context", std::move(c.max_context));
  v.set("kv_bytes_per_token", std::move(c.kv_bytes_per_token));
  v.set("details", std::move(c.details));
  v.set("forward", forward_record(head.forward));
  v.set("native_dtype", head.native_dtype.empty() ? report::unknown(kNotInCatalog)
                                                  : report::text(head.native_dtype));
  v.set("training_tokens", head.training_tokens > 0 ? count_value(head.training_tokens)
                                                    : report::unknown(kNotInCatalog));
  v.set("source", report::text(head.source));
  v.set("confidence", report::text(std::string(data::name_of(head.confidence))));
  v.set("note", head.note.empty() ? report::null() : report::text(head.note));
  add_unknown(v);
  return v;
}

}  // namespace

std::vector<workload::ModelKind> asked_kinds(Invocation& invocation) {
  const data::OptionReader read(invocation.options, invocation.diagnostics);
  std::vector<std::string> known;
  std::vector<workload::ModelKind> kinds;
  for (const auto& [name, kind] : data::EnumNames<workload::ModelKind>::kNames) {
    known.emplace_back(name);
    if (!read.given("kind")) kinds.push_back(kind);
  }
  for (const std::string& name : read.list("kind")) {
    if (const auto kind = data::enum_of<workload::ModelKind>(name)) {
      kinds.push_back(*kind);
      continue;
    }
    const std::string near = did_you_mean(name, known);
    read.report("kind", Error{"there is no kind of model '" + name + "'",
                              near.empty() ? "kinds: " + quoted_list(known, "and") : near, 0, 0});
  }
  return kinds;
}

namespace {

ListAnswer read_models(Session& session, Invocation& invocation) {
  ListAnswer answer{{}, "models", "Models", catalog_value(session.catalog), {}, kColumns};
  const std::vector<workload::ModelKind> kinds = asked_kinds(invocation);
  const workload::ModelSet models = workload::load_models(session.data, invocation.diagnostics);
  for (const workload::Model& model : models.models()) {
    const workload::ModelKind kind = workload::head_of(model).kind;
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) continue;
    answer.records.push_back(model_record(model));
  }
  return answer;
}

}  // namespace

std::vector<data::OptionSpec> model_list_options() {
  const data::OptionSpec kind{
      "kind", data::OptionKind::value,
      "LIST", "kinds of model, such as dense-llm,moe-llm or vision-cnn (default all)",
      {},     "Filters"};
  constexpr std::string_view kMachine = "The machine";
  const data::OptionSpec fits{
      "fits",
      data::OptionKind::value,
      "[Nx]GPU|INSTANCE",
      "the decoders that this machine holds instead: in which formats, how long a sequence",
      {},
      kMachine};
  const data::OptionSpec engine{"engine", data::OptionKind::value,
                                "NAME",   "with --fits: serving software (default vllm)",
                                {},       kMachine};
  const data::OptionSpec context{
      "context", data::OptionKind::value,
      "COUNT",   "with --fits: tokens of the sequences that are counted (default 8192)",
      {},        kMachine};
  return joined({{kind, fits, engine, context}, plain_list_options()});
}

constinit const RecordKind kModelRecords{"models list", "models show", &read_models,
                                         &ids_and_aliases, &has_id_or_alias};

}  // namespace gpusel::cli
