// `models list --fits`: the decoders that a machine holds, by format of the weights.
#include "records.h"
#include "request.h"
#include "view.h"

#include "gpusel/units/format.h"
#include "gpusel/workload/holding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <string>

namespace gpusel::cli {
namespace {

using report::Align;
using report::Value;
using workload::FormatHolding;

constexpr double kDefaultContext = 8192;
constexpr double kMostContext = 1e9;
constexpr std::string_view kDegrees[] = {"tp", "pp", "dp", "ep"};

// Formats that have columns in the order of the table; what few models come in gives way first.
struct FormatColumn {
  std::string_view format;
  int priority;
};
constexpr FormatColumn kFormats[] = {{"bf16", 0},  {"fp8", 0},   {"int8", 0}, {"int4", 0},
                                     {"mxfp4", 1}, {"nvfp4", 1}, {"q8_0", 0}, {"q4_k_m", 0}};

// Columns are views: of these texts.
class Columns {
 public:
  void add(ListColumn column) { all_.push_back(column); }
  void add_format(const FormatColumn& c) {
    const std::string format(c.format);
    add({keep("formats." + format + ".longest_context"), keep(format + " tokens"), Align::right,
         c.priority});
    add({keep("formats." + format + ".concurrency"), "at once", Align::right, 1});
  }
  [[nodiscard]] std::span<const ListColumn> all() const { return all_; }

 private:
  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }

  std::deque<std::string> texts_;
  std::vector<ListColumn> all_;
};

struct Asked {
  std::string engine;
  double context = kDefaultContext;
};

std::optional<Asked> read_asked(Invocation& invocation) {
  const data::OptionReader read(invocation.options, invocation.diagnostics);
  Asked asked{read.text("engine").value_or("vllm"), kDefaultContext};
  const auto context = read.quantity<units::Count>("context");
  if (!context) return read.given("context") ? std::nullopt : std::optional(asked);
  if (context->value < 1 || context->value > kMostContext) {
    read.report("context", {"must lie between 1 and 1B tokens", "such as 32k", 0, 0});
    return std::nullopt;
  }
  asked.context = std::floor(context->value);
  return asked;
}

Value bytes_or_null(double bytes) { return bytes > 0 ? report::whole_of(bytes) : report::null(); }

Value degrees_value(const std::vector<int>& degrees) {
  if (degrees.empty()) return report::null();
  Value v = report::object();
  for (std::size_t i = 0; i < degrees.size(); ++i)
    v.set(std::string(kDegrees[i]), report::whole(degrees[i]));
  return v;
}

Value format_record(const FormatHolding& h) {
  Value v = report::object();
  v.set("fits", report::boolean(h.sequences >= 1));
  set_verdict(h.judgement, v);
  v.set("context", report::whole_of(h.context));
  v.set("longest_context", h.longest >= 1 ? report::whole_of(h.longest) : report::null());
  v.set("bound_by",
        h.longest < 1 ? report::null() : report::text(h.bound_by_model ? "model" : "memory"));
  v.set("concurrency", report::whole_of(h.sequences));
  v.set("weights_bytes_per_gpu", bytes_or_null(in_bytes(h.weights)));
  v.set("parallelism", degrees_value(h.degrees));
  v.set("reason", h.misfit ? report::text("fit." + h.misfit->resource) : report::null());
  v.set("figure", h.misfit ? report::text(h.misfit->text) : report::null());
  v.set("needed_bytes_per_gpu", bytes_or_null(h.misfit ? h.misfit->needed : 0));
  v.set("available_bytes_per_gpu", bytes_or_null(h.misfit ? h.misfit->available : 0));
  v.set("remedy", h.misfit ? report::text(h.misfit->what_would_help) : report::null());
  return v;
}

// What stands in the way where no format fits: of the one that needs the least memory.
Value needs_value(const std::vector<FormatHolding>& formats) {
  const FormatHolding* least = nullptr;
  for (const FormatHolding& h : formats) {
    if (h.sequences >= 1) return report::null();
    const bool sized = h.misfit && h.misfit->needed > 0;
    const bool held = least != nullptr && least->misfit->needed > 0;
    if (least == nullptr || (sized && (!held || h.misfit->needed < least->misfit->needed)))
      least = &h;
  }
  if (least == nullptr) return report::null();
  const estimate::DoesNotFit& why = *least->misfit;
  if (why.needed <= 0) return report::text(why.text);
  return report::text(
      fmt::format("{} as {}", units::show_gib(units::bytes(why.needed)), least->format));
}

Value model_record(const workload::ModelCard& card, const std::vector<FormatHolding>& formats) {
  Value v = report::object();
  v.set("id", report::text(card.id.text()));
  Value aliases = report::list();
  for (const std::string& alias : card.aliases) aliases.add(report::text(alias));
  v.set("aliases", std::move(aliases));
  v.set("kind", report::text(std::string(data::name_of(card.kind))));
  v.set("params", report::whole_of(std::round(card.params), units::show_count(card.params)));
  v.set("max_context", card.max_context > 0 ? report::whole(card.max_context)
                                            : report::unknown("not in the catalog"));
  const auto widest = std::find_if(formats.begin(), formats.end(),
                                   [](const FormatHolding& h) { return h.sequences >= 1; });
  v.set("widest", widest == formats.end() ? report::null() : report::text(widest->format));
  v.set("needs", needs_value(formats));
  Value by_format = report::object();
  for (const FormatHolding& h : formats) by_format.set(h.format, format_record(h));
  v.set("formats", std::move(by_format));
  add_unknown(v);
  return v;
}

void add_columns(const std::vector<Value>& records, Columns& columns) {
  columns.add({"id", "model"});
  columns.add({"params", "parameters", Align::right, 2});
  columns.add({"widest", "widest", Align::left, 3});
  for (const FormatColumn& c : kFormats) {
    const bool occurs = std::any_of(records.begin(), records.end(), [&](const Value& record) {
      return record.find("formats")->find(c.format) != nullptr;
    });
    if (occurs) columns.add_format(c);
  }
  columns.add({"needs", "needs"});
}

void add_about(const workload::Holdings& holdings, const Target& target,
               const estimate::Machine& machine, const Asked& asked, ListAnswer& answer) {
  Value on = report::object();
  on.set("name", report::text(target.name));
  on.set("gpu", gpu_value(*machine.hardware, *machine.catalog));
  Value engine = report::object();
  engine.set("id", report::text(asked.engine));
  engine.set("versions", report::text(holdings.engine_versions()));
  engine.set("memory_share", report::number(holdings.memory_share()));
  answer.about = {{"on", std::move(on)},
                  {"engine", std::move(engine)},
                  {"context", report::whole_of(asked.context)}};
  const auto held = std::count_if(
      answer.records.begin(), answer.records.end(),
      [](const Value& record) { return record.find("widest")->get<std::string>() != nullptr; });
  const char* needs = "memory per GPU in the format that needs least, where no format fits";
  answer.facts = {
      {"on",
       fmt::format("{} ({} of one node), {} of them fit", target.name, gpus_text(machine), held)},
      {"engine", fmt::format("{}, {}; it fills {:.0f} % of each GPU, {}", holdings.engine_name(),
                             holdings.engine_versions(), holdings.memory_share() * 100,
                             units::show_gib(machine.gpu_memory() * holdings.memory_share()))},
      {"tokens", "the longest single sequence; the cache in the engine's own format"},
      {"at once", fmt::format("sequences of {} tokens, or of the model's longest where that is "
                              "shorter; 0: not one",
                              units::show_number(asked.context, 9))},
      {"needs", needs}};
}

}  // namespace

diag::ExitCode list_model_fits(Invocation& invocation) {
  std::optional<Session> session = open_session(invocation);
  if (!session) return diag::ExitCode::bad_data;
  const std::optional<Target> target = read_target(session->catalog, "fits", invocation);
  const std::optional<Asked> asked = read_asked(invocation);
  const std::vector<workload::ModelKind> kinds = asked_kinds(invocation);
  if (!target || !asked || invocation.diagnostics.has_errors()) return diag::ExitCode::usage;
  const data::OptionReader read(invocation.options, invocation.diagnostics);
  const auto holdings = workload::Holdings::open(session->data, {asked->engine, asked->context},
                                                 invocation.diagnostics);
  if (!holdings) {
    read.report("engine", holdings.error());
    return diag::ExitCode::usage;
  }
  const estimate::Machine machine = estimate::make_machine(session->catalog, target->hardware, 1);
  ListAnswer answer{
      kModelRecords.list, "fits", "Decoder models", catalog_value(session->catalog), {}, {}};
  const workload::ModelSet models = workload::load_models(session->data, invocation.diagnostics);
  for (const workload::Model& model : models.models()) {
    const auto* card = std::get_if<workload::ModelCard>(&model);
    if (card == nullptr || !workload::is_decoder(card->kind)) continue;
    if (std::find(kinds.begin(), kinds.end(), card->kind) == kinds.end()) continue;
    answer.records.push_back(model_record(*card, holdings->of(*card, machine)));
  }
  Columns columns;
  add_columns(answer.records, columns);
  answer.columns = columns.all();
  add_about(*holdings, *target, machine, *asked, answer);
  sort_records(answer, invocation);
  if (invocation.diagnostics.has_errors()) return diag::ExitCode::usage;
  return invocation.print(view_list(answer), diag::ExitCode::answered);
}

}  // namespace gpusel::cli
