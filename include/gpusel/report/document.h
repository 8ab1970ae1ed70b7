// Document: an answer to print. JSON prints the tree; table and Markdown print the sections; CSV
// the main table.
#pragma once

#include "gpusel/report/value.h"

#include <optional>
#include <string>
#include <vector>

namespace gpusel::report {

enum class Align { left, right };

struct Column {
  std::string id;     // CSV header, snake_case with its unit: `cost_usd`
  std::string title;  // table header with its unit: "cost $"
  Align align = Align::left;
  int priority = 0;  // columns of the highest number are dropped first when a terminal is too
                     // narrow; 0 never is
};

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<Value>> rows;
  std::string empty_text;  // printed in place of a table without rows
};

/// One line of a list of facts: "label   text". Without a label: a plain line, or, after a fact
/// with a label, one more line of that fact.
struct Fact {
  std::string label;
  std::string text;
};

struct Section {
  std::string title;        // empty: no heading
  std::vector<Fact> facts;  // printed before the table; wrapped to the width
  std::optional<Table> table;
};

struct Document {
  Value value;
  std::vector<Section> sections;
  /// Index into sections of the one whose table CSV prints; a section without a table there is a
  /// bug.
  std::size_t main_section = 0;
  /// What CSV prints instead, where no section shows that table to people.
  std::optional<Table> csv;
};

}  // namespace gpusel::report
