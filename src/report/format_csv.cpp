#include "report/numbers.h"

#include "gpusel/base/bug.h"
#include "gpusel/base/number.h"
#include "gpusel/base/text.h"
#include "gpusel/report/format.h"

#include <algorithm>
#include <array>

namespace gpusel::report {
namespace {

// Tabs and line ends are data that CSV can carry; other control characters would reach a terminal.
std::string printable_but_space(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t stop = std::min(text.find_first_of("\t\r\n"), text.size());
    out += printable(text.substr(0, stop));
    if (stop < text.size()) out += text[stop];
    text.remove_prefix(std::min(stop + 1, text.size()));
  }
  return out;
}

// CSV injection: spreadsheets run a text as a formula when it begins with one of these (OWASP, "CSV
// Injection").
std::string without_formula(std::string text) {
  constexpr std::array<std::string_view, 10> kStarts = {"=",  "+",  "-",  "@",  "\t",
                                                        "\r", "＝", "＋", "－", "＠"};
  const bool starts = std::any_of(kStarts.begin(), kStarts.end(),
                                  [&](std::string_view start) { return text.starts_with(start); });
  return starts && !parse_number(text) ? "'" + text : text;
}

struct RawText {
  std::string operator()(std::nullptr_t) const { return {}; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const WholeNumber& n) const { return std::to_string(n.value); }
  std::string operator()(const Number& n) const { return number_text(n.value); }
  std::string operator()(const Money& m) const { return (*this)(m.amount); }
  std::string operator()(const Unknown&) const { return {}; }
  std::string operator()(const std::string& text) const {
    return without_formula(printable_but_space(text));
  }
  std::string operator()(const List& list) const { return json_line(Value(Value::Variant(list))); }
  std::string operator()(const Object& object) const {
    return json_line(Value(Value::Variant(object)));
  }
};

std::string quoted(const std::string& text) {
  const bool outer_space = text.starts_with(' ') || text.ends_with(' ');
  if (!outer_space && text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string record(const std::vector<std::string>& cells) {
  // A lone empty cell would be an empty line, which readers skip.
  if (cells.size() == 1 && cells.front().empty()) return "\"\"\n";
  std::vector<std::string> fields;
  for (const std::string& cell : cells) fields.push_back(quoted(cell));
  return join(fields, ",") + '\n';
}

std::string write(const Document& document, const WriteOptions&) {
  GPUSEL_BUG(!document.csv && document.main_section >= document.sections.size());
  const std::optional<Table>& table =
      document.csv ? document.csv : document.sections[document.main_section].table;
  GPUSEL_BUG(!table);
  std::vector<std::string> cells;
  for (const Column& column : table->columns) cells.push_back(column.id);
  std::string out = record(cells);
  for (const std::vector<Value>& row : table->rows) {
    GPUSEL_BUG(row.size() != table->columns.size());
    cells.clear();
    for (const Value& value : row) cells.push_back(std::visit(RawText(), value.variant()));
    out += record(cells);
  }
  return out;
}

}  // namespace

extern const Format format_csv;
constinit const Format format_csv{"csv", "the main table as raw values, for spreadsheets", &write};

}  // namespace gpusel::report
