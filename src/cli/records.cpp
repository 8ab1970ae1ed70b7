#include "records.h"

#include "gpusel/base/suggest.h"
#include "gpusel/base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpusel::cli {
namespace {

using report::Value;

// Keeps the records that the arguments name; reports an argument that names none.
void keep_named(ListAnswer& answer, const RecordKind& kind, const Session& session,
                Invocation& invocation) {
  diag::Sink& sink = invocation.diagnostics;
  if (invocation.arguments.empty()) {
    sink.report(diag::error("usage/missing-argument", {},
                            fmt::format("say which of the {} to show", answer.key))
                    .with_help(fmt::format("see them all with 'gpusel {}'", kind.list)));
  }
  std::vector<Value> kept;
  for (const Argument& argument : invocation.arguments) {
    const std::size_t before = kept.size();
    std::copy_if(answer.records.begin(), answer.records.end(), std::back_inserter(kept),
                 [&](const Value& record) { return kind.is_named(record, argument.text); });
    if (kept.size() > before) continue;
    const std::vector<std::string> known = kind.known_names(session, answer);
    sink.report(diag::error("usage/unknown-name", argument.span,
                            fmt::format("there is no '{}' among the {}", argument.text, answer.key))
                    .with_help(did_you_mean(argument.text, known)));
  }
  answer.records = std::move(kept);
}

using View = report::Document (*)(const ListAnswer&);

diag::ExitCode print(ListAnswer& answer, View view, Invocation& invocation) {
  sort_records(answer, invocation);
  if (invocation.diagnostics.has_errors()) return diag::ExitCode::usage;
  return invocation.print(view(answer), diag::ExitCode::answered);
}

}  // namespace

diag::ExitCode list_records(const RecordKind& kind, Invocation& invocation) {
  std::optional<Session> session = open_session(invocation);
  if (!session) return diag::ExitCode::bad_data;
  ListAnswer answer = kind.read(*session, invocation);
  answer.command = kind.list;
  return print(answer, &view_list, invocation);
}

diag::ExitCode show_records(const RecordKind& kind, Invocation& invocation) {
  std::optional<Session> session = open_session(invocation);
  if (!session) return diag::ExitCode::bad_data;
  ListAnswer answer = kind.read(*session, invocation);
  answer.command = kind.show;
  keep_named(answer, kind, *session, invocation);
  if (kind.complete != nullptr) {
    for (Value& record : answer.records) kind.complete(*session, record);
  }
  return print(answer, &view_show, invocation);
}

Value citation_value(const catalog::Catalog& catalog, const catalog::Provenance& provenance) {
  const catalog::Citation& citation = catalog.citations[provenance.citation];
  Value v = report::object();
  v.set("url", report::text(citation.url));
  v.set("date", citation.date ? report::text(citation.date->text())
                              : report::unknown("the source is undated"));
  v.set("confidence", report::text(std::string(data::name_of(citation.confidence))));
  return v;
}

std::vector<std::string> ids_and_aliases(const Session&, const ListAnswer& answer) {
  std::vector<std::string> names;
  for (const Value& record : answer.records) {
    names.push_back(record.find("id")->shown());
    const Value* aliases = record.find("aliases");
    if (aliases == nullptr) continue;
    for (const Value& alias : *aliases->get<report::List>()) names.push_back(alias.shown());
  }
  return names;
}

bool has_id_or_alias(const Value& record, std::string_view name) {
  const std::string lower = to_lower(name);
  if (to_lower(record.find("id")->shown()) == lower) return true;
  const auto* aliases = record.find("aliases")->get<report::List>();
  return std::any_of(aliases->begin(), aliases->end(),
                     [&](const Value& alias) { return to_lower(alias.shown()) == lower; });
}

}  // namespace gpusel::cli
