// The columns of files of measured runs; docs/validate.md describes each.
#pragma once

#include "gpusel/data/csv.h"
#include "gpusel/workload/measured.h"

#include <span>
#include <string_view>

namespace gpusel::workload::measured {

std::span<const data::CsvColumn> columns_of(MeasuredKind kind);
std::span<const std::string_view> number_columns(MeasuredKind kind);
/// Columns with a measurement: a file has one of them at least.
std::span<const std::string_view> result_columns(MeasuredKind kind);
/// Columns that decide what is predicted, the GPU left out.
std::span<const std::string_view> alike_columns(MeasuredKind kind);

}  // namespace gpusel::workload::measured
