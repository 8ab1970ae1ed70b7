#include "report/table_layout.h"

#include "gpusel/base/text.h"
#include "gpusel/report/format.h"
#include "gpusel/report/wrap.h"

#include <algorithm>

namespace gpusel::report {
namespace {

constexpr std::string_view kBold = "1";
constexpr std::string_view kUnderlined = "4";
constexpr std::size_t kLabelGap = 3;         // cells
constexpr std::size_t kLeastFactWidth = 20;  // cells; with less, texts go below their labels

std::size_t width_of(const WriteOptions& options) {
  return static_cast<std::size_t>(std::max(options.width, 1));
}

std::string painted(const std::string& text, std::string_view code, diag::Colour colour) {
  if (colour == diag::Colour::no || text.empty()) return text;
  return "\x1b[" + std::string(code) + "m" + text + "\x1b[0m";
}

std::string line_of(const std::vector<std::string>& cells, const std::vector<GridColumn>& columns) {
  std::string line;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) line.append(kColumnGap, ' ');
    const std::string padding(columns[i].width - display_width(cells[i]), ' ');
    line += columns[i].align == Align::right ? padding + cells[i] : cells[i] + padding;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string lines_of(std::string_view text, std::size_t width) {
  return join(wrap(printable(text), width), "\n") + '\n';
}

std::string table_text(const Table& table, const WriteOptions& options) {
  if (table.rows.empty()) {
    return table.empty_text.empty() ? "" : lines_of(table.empty_text, width_of(options));
  }
  const Grid grid = lay_out(table, width_of(options));
  std::vector<std::string> titles;
  for (const GridColumn& column : grid.columns) titles.push_back(column.title);
  std::string out = painted(line_of(titles, grid.columns), kUnderlined, options.colour) + '\n';
  for (const std::vector<std::string>& row : grid.rows) out += line_of(row, grid.columns) + '\n';
  if (!grid.left_out.empty()) {
    out += lines_of("columns not shown: " + join(grid.left_out, ", ") +
                        " (use --format csv or a wider terminal)",
                    width_of(options));
  }
  return out;
}

// The cell at which the texts of facts begin.
std::size_t text_column(const std::vector<Fact>& facts, std::size_t width) {
  std::size_t widest = 0;
  for (const Fact& fact : facts) widest = std::max(widest, display_width(printable(fact.label)));
  constexpr std::size_t kNarrowIndent = 2;
  return widest + kLabelGap + kLeastFactWidth > width ? kNarrowIndent : widest + kLabelGap;
}

std::string fact_text(const Fact& fact, std::size_t indent, std::size_t width) {
  std::string out = printable(fact.label);
  const std::size_t label_width = display_width(out);
  std::size_t padding = indent;
  if (label_width > 0 && label_width < indent) padding -= label_width;
  if (label_width >= indent && label_width > 0 && !fact.text.empty()) out += '\n';
  for (const std::string& line : wrap(printable(fact.text), width > indent ? width - indent : 1)) {
    if (!line.empty()) out.append(padding, ' ');
    out += line + '\n';
    padding = indent;
  }
  return out;
}

std::string facts_text(const std::vector<Fact>& facts, std::size_t width) {
  const std::size_t column = text_column(facts, width);
  bool labelled = false;
  std::string out;
  for (const Fact& fact : facts) {
    labelled = labelled || !fact.label.empty();
    out += fact_text(fact, labelled ? column : 0, width);
  }
  return out;
}

std::string section_text(const Section& section, const WriteOptions& options) {
  std::string out;
  if (!section.title.empty()) out = painted(printable(section.title), kBold, options.colour) + '\n';
  out += facts_text(section.facts, width_of(options));
  const std::string table = section.table ? table_text(*section.table, options) : std::string();
  if (!section.facts.empty() && !table.empty()) out += '\n';
  return out + table;
}

std::string write(const Document& document, const WriteOptions& options) {
  std::string out;
  for (const Section& section : document.sections) {
    const std::string text = section_text(section, options);
    if (!out.empty() && !text.empty()) out += '\n';
    out += text;
  }
  return out;
}

}  // namespace

extern const Format format_table;
constinit const Format format_table{"table", "facts and tables for a terminal", &write};

}  // namespace gpusel::report
