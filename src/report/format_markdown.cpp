#include "gpusel/base/bug.h"
#include "gpusel/base/text.h"
#include "gpusel/report/format.h"

namespace gpusel::report {
namespace {

bool is_word_char(const std::string& text, std::size_t at) {
  if (at >= text.size()) return false;
  const auto c = static_cast<unsigned char>(text[at]);
  return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

std::string escaped_line(std::string_view line) {
  const std::string text = printable(line);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    // An underscore inside a word is no emphasis in this dialect, and ids are full of them.
    const bool inside_word = i > 0 && is_word_char(text, i - 1) && is_word_char(text, i + 1);
    const bool special = std::string_view("\\|<*`[").find(c) != std::string_view::npos;
    if (special || (c == '_' && !inside_word)) out += '\\';
    out += c;
  }
  return out;
}

// Names from data must not bring markup, links or cells of their own.
std::string escaped(std::string_view text) {
  std::vector<std::string> lines;
  for (std::string_view line : split(text, '\n')) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(escaped_line(line));
  }
  return join(lines, "<br>");
}

// At the beginning of a line these would make a heading, a list or a quotation.
std::string escaped_paragraph(std::string_view text) {
  const std::string line = escaped(text);
  const bool block =
      !line.empty() && std::string_view("#-+>=~").find(line[0]) != std::string_view::npos;
  return block ? '\\' + line : line;
}

std::string facts_text(const std::vector<Fact>& facts) {
  std::string out;
  bool labelled = false;
  for (const Fact& fact : facts) {
    if (!fact.label.empty()) {
      labelled = true;
      out += "- **" + escaped(fact.label) + "**";
      out += (fact.text.empty() ? "" : ": " + escaped(fact.text)) + '\n';
    } else if (labelled) {
      out += "  - " + escaped_paragraph(fact.text) + '\n';
    } else {
      out += escaped_paragraph(fact.text) + "\n\n";
    }
  }
  if (labelled) out += '\n';
  return out;
}

std::string row_text(const std::vector<std::string>& cells) {
  return "| " + join(cells, " | ") + " |\n";
}

std::string table_text(const Table& table) {
  if (table.rows.empty()) {
    return table.empty_text.empty() ? "" : escaped_paragraph(table.empty_text) + "\n\n";
  }
  std::vector<std::string> titles;
  std::vector<std::string> rules;
  for (const Column& column : table.columns) {
    titles.push_back(escaped(column.title));
    rules.emplace_back(column.align == Align::right ? "---:" : "---");
  }
  std::string out = row_text(titles) + row_text(rules);
  for (const std::vector<Value>& row : table.rows) {
    GPUSEL_BUG(row.size() != table.columns.size());
    std::vector<std::string> cells;
    for (const Value& value : row) cells.push_back(escaped(value.shown()));
    out += row_text(cells);
  }
  return out + '\n';
}

std::string write(const Document& document, const WriteOptions&) {
  std::string out;
  for (const Section& section : document.sections) {
    if (!section.title.empty()) out += "## " + escaped(section.title) + "\n\n";
    out += facts_text(section.facts);
    if (section.table) out += table_text(*section.table);
  }
  if (!out.empty()) out.pop_back();  // each block ends with an empty line, the text does not
  return out;
}

}  // namespace

extern const Format format_markdown;
constinit const Format format_markdown{"markdown", "facts and tables as GitHub-flavoured Markdown",
                                       &write};

}  // namespace gpusel::report
