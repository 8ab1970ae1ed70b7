#include "cells.h"

#include "gpusel/base/number.h"

namespace gpusel::workload::measured {

std::optional<Cells> Cells::read(const data::CsvRow& row, std::span<const std::string_view> numbers,
                                 diag::Sink& sink) {
  Cells cells(row);
  bool good = true;
  for (const std::string_view column : numbers) {
    if (row.empty(column)) continue;
    const std::optional<double> value = row.number(column, sink);
    good = good && value.has_value();
    if (!value) continue;
    if (*value < 0) {
      row.report(column, "data/bad-number",
                 {"'" + std::string(row.text(column)) + "' is below zero",
                  "leave the cell empty where the figure is not known", 0, 0},
                 sink);
      good = false;
    }
    cells.numbers_.emplace(column, *value);
  }
  if (!good) return std::nullopt;
  return cells;
}

void RunOptions::set(std::string_view option, double value, std::string_view column) {
  set(option, shortest(value), column);
}

}  // namespace gpusel::workload::measured
