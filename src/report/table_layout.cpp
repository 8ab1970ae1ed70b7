#include "report/table_layout.h"

#include "gpusel/base/bug.h"
#include "gpusel/base/text.h"

#include <algorithm>

namespace gpusel::report {
namespace {

constexpr std::size_t kLeastTextWidth = 12;  // cells; a shorter rest of a name tells nothing

bool is_number(const Value& value) {
  return value.get<WholeNumber>() != nullptr || value.get<Number>() != nullptr ||
         value.get<Money>() != nullptr;
}

GridColumn column_of(const Table& table, std::size_t index) {
  const Column& column = table.columns[index];
  GridColumn grid{printable(column.title), column.align, column.priority, 0, 0};
  const std::size_t title_width = display_width(grid.title);
  grid.width = title_width;
  bool numbers = false;
  for (const std::vector<Value>& row : table.rows) {
    GPUSEL_BUG(row.size() != table.columns.size());
    grid.width = std::max(grid.width, display_width(printable(row[index].shown())));
    numbers = numbers || is_number(row[index]);
  }
  const bool whole = numbers || column.align == Align::right;
  grid.least_width =
      whole ? grid.width : std::min(grid.width, std::max(kLeastTextWidth, title_width));
  return grid;
}

std::size_t total_width(const std::vector<GridColumn>& columns) {
  std::size_t total = 0;
  for (const GridColumn& column : columns) total += column.width + kColumnGap;
  return columns.empty() ? 0 : total - kColumnGap;
}

// Removes the columns that are left out and returns the indexes of those that stay.
std::vector<std::size_t> drop_columns(std::vector<GridColumn>& columns, std::size_t width) {
  std::vector<std::size_t> kept(columns.size());
  for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = i;
  while (total_width(columns) > width) {
    std::size_t worst = 0;
    for (std::size_t i = 1; i < columns.size(); ++i) {
      if (columns[i].priority >= columns[worst].priority) worst = i;
    }
    if (columns[worst].priority <= 0) break;
    columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(worst));
    kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(worst));
  }
  return kept;
}

void narrow_columns(std::vector<GridColumn>& columns, std::size_t width) {
  for (std::size_t total = total_width(columns); total > width; --total) {
    GridColumn* widest = nullptr;
    for (GridColumn& column : columns) {
      const bool can_shrink = column.width > column.least_width;
      if (can_shrink && (widest == nullptr || column.width > widest->width)) widest = &column;
    }
    if (widest == nullptr) return;
    --widest->width;
  }
}

std::string shortened(std::string text, std::size_t cells) {
  if (display_width(text) <= cells) return text;
  return std::string(prefix_of_width(text, cells - 1)) + "…";
}

}  // namespace

Grid lay_out(const Table& table, std::size_t width) {
  Grid grid;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    grid.columns.push_back(column_of(table, i));
  const std::vector<std::size_t> kept = drop_columns(grid.columns, width);
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (!std::binary_search(kept.begin(), kept.end(), i)) {
      grid.left_out.push_back(printable(table.columns[i].title));
    }
  }
  narrow_columns(grid.columns, width);
  for (const std::vector<Value>& row : table.rows) {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      cells.push_back(shortened(printable(row[kept[i]].shown()), grid.columns[i].width));
    }
    grid.rows.push_back(std::move(cells));
  }
  return grid;
}

}  // namespace gpusel::report
