#include "gpusel/data/field.h"

#include <algorithm>

namespace gpusel::data {

void report_unknown_key(NodeRef key, const std::vector<std::string>& known, const Reader& reader) {
  std::string help = did_you_mean(key.text(), known);
  if (help.empty()) help = "known keys: " + quoted_list(known, "and");
  reader.error("data/unknown-key", key.span(), "unknown key '" + std::string(key.text()) + "'",
               help);
}

void report_missing_key(NodeRef map, std::string_view key, std::string_view doc,
                        const Reader& reader) {
  reader.error("data/missing-key", map.span(), "key '" + std::string(key) + "' is missing",
               "add '" + std::string(key) + ":' (" + std::string(doc) + ")");
}

namespace {

std::optional<NodeRef> list_at(NodeRef table, std::string_view key, const Reader& reader) {
  const std::optional<NodeRef> list = table.find(key);
  if (list && list->is_list()) return list;
  reader.error("data/wrong-kind", list ? list->span() : table.span(),
               "expected a table with '" + std::string(key) + ": […]', found " +
                   (list ? *list : table).describe(),
               "a table is written as 'columns: [a, b]' and 'rows:' with one list per row");
  return std::nullopt;
}

}  // namespace

std::optional<NodeRef> rows_of(NodeRef table, const Reader& reader) {
  if (!table.is_map()) return std::nullopt;  // read_columns reports it
  return list_at(table, "rows", reader);
}

void report_row_length(NodeRef row, std::size_t expected, const Reader& reader) {
  reader.error("data/row-length", row.span(),
               row.is_list() ? "the row has " + std::to_string(row.size()) +
                                   " cells, the table has " + std::to_string(expected) + " columns"
                             : "expected a row, found " + row.describe(),
               "write one cell per column, in square brackets");
}

std::optional<std::vector<std::size_t>> read_columns(NodeRef table,
                                                     const std::vector<std::string>& keys,
                                                     const std::vector<bool>& required,
                                                     const Reader& reader) {
  const std::optional<NodeRef> list = list_at(table, "columns", reader);
  if (!list) return std::nullopt;
  bool good = true;
  for (auto it = table.begin(); it != table.end(); ++it) {
    if (it.key().text() == "columns" || it.key().text() == "rows") continue;
    report_unknown_key(it.key(), {"columns", "rows"}, reader);
    good = false;
  }
  std::vector<std::size_t> columns;
  for (const NodeRef name : *list) {
    const auto found = std::find(keys.begin(), keys.end(), name.text());
    const auto index = static_cast<std::size_t>(found - keys.begin());
    if (found == keys.end()) {
      report_unknown_key(name, keys, reader.at("columns"));
      good = false;
    } else if (std::find(columns.begin(), columns.end(), index) != columns.end()) {
      reader.at("columns").error(
          "data/duplicate-key", name.span(),
          "column '" + std::string(name.text()) + "' stands here a second time",
          "keep one of them");
      good = false;
    }
    columns.push_back(index);
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (required[i] && std::find(columns.begin(), columns.end(), i) == columns.end()) {
      reader.at("columns").error("data/missing-key", list->span(),
                                 "column '" + keys[i] + "' is missing",
                                 "add '" + keys[i] + "' to the columns and its value to every row");
      good = false;
    }
  }
  if (!good) return std::nullopt;
  return columns;
}

}  // namespace gpusel::data
