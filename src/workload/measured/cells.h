// The cells of one measured run: numbers parsed once, with their faults reported.
#pragma once

#include "gpusel/base/expected.h"
#include "gpusel/data/csv.h"
#include "gpusel/data/option.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gpusel::workload::measured {

/// Why nothing can be said of a row.
struct Skip {
  std::string reason;
};
template <class T>
using OrSkip = Expected<T, Skip>;

class Cells {
 public:
  /// nullopt after a report.
  static std::optional<Cells> read(const data::CsvRow& row,
                                   std::span<const std::string_view> numbers, diag::Sink& sink);

  [[nodiscard]] std::string text(std::string_view column) const {
    return std::string(row_->text(column));
  }
  [[nodiscard]] bool has(std::string_view column) const { return !row_->empty(column); }
  [[nodiscard]] std::optional<double> number(std::string_view column) const {
    const auto found = numbers_.find(column);
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
  }
  [[nodiscard]] double number(std::string_view column, double otherwise) const {
    return number(column).value_or(otherwise);
  }
  /// A measurement: zero says nothing.
  [[nodiscard]] std::optional<double> positive(std::string_view column) const {
    const std::optional<double> value = number(column);
    return value && *value > 0 ? value : std::nullopt;
  }
  [[nodiscard]] diag::Span span(std::string_view column) const { return row_->span(column); }
  [[nodiscard]] std::size_t line() const { return row_->line(); }

 private:
  explicit Cells(const data::CsvRow& row) : row_(&row) {}
  const data::CsvRow* row_;
  std::map<std::string_view, double> numbers_;
};

/// Option values of one run, as if they had been given as flags; places are those of the cells.
class RunOptions {
 public:
  explicit RunOptions(const Cells& cells) : cells_(cells) {}
  void set(std::string_view option, std::string value, std::string_view column) {
    if (!value.empty())
      values_.set(option, {std::move(value), cells_.span(column), data::Origin::flag});
  }
  void set(std::string_view option, double value, std::string_view column);
  [[nodiscard]] const data::OptionValues& values() const { return values_; }

 private:
  const Cells& cells_;
  data::OptionValues values_;
};

/// More GPUs than any run had: a slip of the pen that products of degrees must not meet.
inline constexpr double kMostGpus = 1e6;

/// Degrees and counts; published ones lie far below the bound.
inline int whole(double value) { return static_cast<int>(std::clamp(value, 0.0, 1e9)); }

}  // namespace gpusel::workload::measured
