// A table fitted to a terminal: which columns are shown, how wide, with which text in each cell.
#pragma once

#include "gpusel/report/document.h"

#include <cstddef>
#include <string>
#include <vector>

namespace gpusel::report {

struct GridColumn {
  std::string title;
  Align align = Align::left;
  int priority = 0;
  std::size_t width = 0;
  std::size_t least_width = 0;  // equal to width where nothing may be cut
};

struct Grid {
  std::vector<GridColumn> columns;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> left_out;  // titles, in the order of the table
};

inline constexpr std::size_t kColumnGap = 2;  // cells

/// Every text is printable. Columns go by priority first, then the widest texts are shortened;
/// numbers never are, so that the result may still be wider than `width`.
Grid lay_out(const Table& table, std::size_t width);

}  // namespace gpusel::report
