#include "code_list.h"

#include "view.h"

#include "gpusel/catalog/catalog.h"
#include "gpusel/data/allow.h"
#include "gpusel/data/codes.h"
#include "gpusel/rules/codes.h"
#include "gpusel/workload/codes.h"

#include <fmt/format.h>

namespace gpusel::cli {
namespace {

using report::Value;

report::Table code_table(const std::vector<diag::CodeTable>& tables) {
  report::Table table;
  table.columns = {{"code", "code"},
                   {"severity", "severity"},
                   {"group", "group"},
                   {"summary", "what is reported"}};
  for (const diag::CodeTable& group : tables) {
    for (const diag::CodeInfo& info : group.codes) {
      table.rows.push_back({report::text(std::string(info.code)),
                            report::text(std::string(diag::name_of(info.severity))),
                            report::text(std::string(group.group)),
                            report::text(std::string(info.summary))});
    }
  }
  return table;
}

Value code_value(const diag::CodeTable& group, const diag::CodeInfo& info) {
  return report::object()
      .set("code", report::text(std::string(info.code)))
      .set("severity", report::text(std::string(diag::name_of(info.severity))))
      .set("group", report::text(std::string(group.group)))
      .set("summary", report::text(std::string(info.summary)))
      .set("unreadable", report::boolean(info.meaning == diag::Meaning::unreadable));
}

}  // namespace

std::vector<diag::CodeTable> check_codes() {
  std::vector<diag::CodeTable> tables = {data::form_codes(), catalog::loader_codes()};
  for (const catalog::Check* check : catalog::checks()) tables.push_back({check->id, check->codes});
  tables.push_back(workload::software_codes());
  tables.push_back(rules::rule_codes());
  tables.push_back(data::allow_codes());
  return tables;
}

std::vector<std::string_view> unreadable_codes() {
  std::vector<std::string_view> codes;
  for (const diag::CodeTable& table : check_codes()) {
    for (const diag::CodeInfo& info : table.codes) {
      if (info.meaning == diag::Meaning::unreadable) codes.push_back(info.code);
    }
  }
  return codes;
}

diag::ExitCode list_codes(Invocation& invocation) {
  const std::vector<diag::CodeTable> tables = check_codes();
  Value codes = report::list();
  for (const diag::CodeTable& group : tables) {
    for (const diag::CodeInfo& info : group.codes) codes.add(code_value(group, info));
  }
  report::Document document;
  document.value = report::object();
  document.value.set("schema_version", report::text(kSchemaVersion))
      .set("gpusel_version", report::text(GPUSEL_VERSION))
      .set("command", report::text("catalog check --list"))
      .set("codes", std::move(codes));
  report::Section section;
  section.table = code_table(tables);
  section.title = fmt::format("Codes of catalog check: {}", section.table->rows.size());
  document.sections.push_back(std::move(section));
  return invocation.print(document, diag::ExitCode::answered);
}

}  // namespace gpusel::cli
