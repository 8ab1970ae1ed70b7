#include "view_list.h"

#include "view.h"

#include "gpusel/base/suggest.h"
#include "gpusel/base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpusel::cli {
namespace {

using report::Value;

Value whole_value(const ListAnswer& answer) {
  Value v = report::object();
  v.set("schema_version", report::text(kSchemaVersion));
  v.set("gpusel_version", report::text(GPUSEL_VERSION));
  v.set("command", report::text(std::string(answer.command)));
  v.set("catalog", answer.catalog);
  for (const report::Member& member : answer.about) v.set(member.key, member.value);
  Value list = report::list();
  for (const Value& record : answer.records) list.add(record);
  v.set(std::string(answer.key), std::move(list));
  return v;
}

// Numbers order as numbers and before texts; what is unknown comes last.
struct SortKey {
  int group = 2;
  double number = 0;
  std::string text;
  friend bool operator<(const SortKey& a, const SortKey& b) {
    if (a.group != b.group) return a.group < b.group;
    return a.group == 0 ? a.number < b.number : a.text < b.text;
  }
};

SortKey sort_key(const Value& value) {
  if (const auto* whole = value.get<report::WholeNumber>())
    return {0, static_cast<double>(whole->value), {}};
  if (const auto* number = value.get<report::Number>()) return {0, number->value, {}};
  if (const auto* money = value.get<report::Money>()) {
    const Result<double> amount = parse_number(money->amount);
    if (amount) return {0, *amount, {}};
  }
  if (const auto* text = value.get<std::string>()) return {1, 0, *text};
  return {};
}

// The facts of a record: nested objects with their path, lists joined.
void add_facts(const Value& value, const std::string& path, std::vector<report::Fact>& facts) {
  if (const auto* members = value.get<report::Object>()) {
    for (const report::Member& m : *members) {
      if (m.key == "unknown") continue;  // each is shown where it stands
      add_facts(m.value, path.empty() ? m.key : path + "." + m.key, facts);
    }
    return;
  }
  if (const auto* list = value.get<report::List>()) {
    const bool plain = std::none_of(list->begin(), list->end(), [](const Value& v) {
      return v.get<report::Object>() != nullptr;
    });
    if (plain) {
      std::vector<std::string> parts;
      for (const Value& v : *list) parts.push_back(v.shown());
      facts.push_back({path, parts.empty() ? "none" : join(parts, ", ")});
      return;
    }
    for (std::size_t i = 0; i < list->size(); ++i)
      add_facts((*list)[i], fmt::format("{}[{}]", path, i), facts);
    return;
  }
  facts.push_back({path, value.shown()});
}

}  // namespace

Value member_at(const Value& record, std::string_view path) {
  const Value* at = &record;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    at = at->find(path.substr(begin, end - begin));
    begin = end + 1;
    if (at == nullptr) return report::null();
    if (at->get<report::Object>() == nullptr) break;
  }
  return *at;
}

void sort_records(ListAnswer& answer, Invocation& invocation) {
  const data::OptionReader read(invocation.options, invocation.diagnostics);
  const std::optional<std::string> asked = read.text("sort");
  if (!asked) return;
  const bool down = asked->starts_with('-');
  const std::string name = down ? asked->substr(1) : *asked;
  std::vector<std::string> known;
  std::string path;
  for (const ListColumn& column : answer.columns) {
    known.emplace_back(column.path);
    const bool last_word = column.path.ends_with("." + name);
    if (column.path == name || last_word) path = std::string(column.path);
  }
  if (path.empty()) {
    const std::string near = did_you_mean(name, known);
    read.report("sort", Error{"there is no column '" + name + "'",
                              near.empty() ? "columns: " + quoted_list(known, "and") : near, 0, 0});
    return;
  }
  std::stable_sort(answer.records.begin(), answer.records.end(),
                   [&](const Value& a, const Value& b) {
                     const SortKey x = sort_key(member_at(a, path));
                     const SortKey y = sort_key(member_at(b, path));
                     if (x.group == 2 || y.group == 2) return x.group < y.group;
                     return down ? y < x : x < y;
                   });
}

report::Document view_list(const ListAnswer& answer) {
  report::Section section;
  section.title = fmt::format("{}: {}", answer.title, answer.records.size());
  section.facts = answer.facts;
  report::Table table;
  table.empty_text = "none";
  for (const ListColumn& c : answer.columns) {
    table.columns.push_back(
        {replace_all(c.path, '.', '_'), std::string(c.title), c.align, c.priority});
  }
  for (const Value& record : answer.records) {
    std::vector<Value> row;
    for (const ListColumn& c : answer.columns) row.push_back(member_at(record, c.path));
    table.rows.push_back(std::move(row));
  }
  section.table = std::move(table);
  report::Document document;
  document.value = whole_value(answer);
  document.sections.push_back(std::move(section));
  return document;
}

report::Document view_show(const ListAnswer& answer) {
  report::Document document = view_list(answer);
  document.csv = document.sections.front().table;  // one row per record, as the list does
  document.sections.clear();
  for (const Value& record : answer.records) {
    report::Section section;
    const Value* id = record.find("id");
    section.title = id == nullptr ? std::string(answer.title) : id->shown();
    add_facts(record, "", section.facts);
    document.sections.push_back(std::move(section));
  }
  return document;
}

}  // namespace gpusel::cli
