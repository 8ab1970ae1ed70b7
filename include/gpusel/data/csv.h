// CsvReader: comma-separated tables (RFC 4180), one row at a time, with a place for every cell.
//
//   constexpr CsvColumn kColumns[] = {{"instance", true}, {"price", true}, {"date"}};
//   std::optional<CsvReader> table = CsvReader::open(source, kColumns, UnknownColumns::refuse,
//   sink); while (const CsvRow* row = table->next()) use(row->text("instance"));
#pragma once

#include "gpusel/base/number.h"
#include "gpusel/diag/diagnostic.h"
#include "gpusel/diag/source.h"

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpusel::data {

/// Bounds against hostile input.
inline constexpr std::size_t kMaxCsvColumns = 256;
inline constexpr std::size_t kMaxCsvRowBytes = std::size_t{1024} * 1024;

/// A column that the reader's owner knows.
struct CsvColumn {
  std::string_view name;
  bool required = false;
};

/// What becomes of a column that is not known.
enum class UnknownColumns { refuse, warn, keep };

/// One row, valid until the next is read. A column that the file lacks reads as empty.
class CsvRow {
 public:
  [[nodiscard]] std::string_view text(std::string_view column) const;
  [[nodiscard]] bool empty(std::string_view column) const { return text(column).empty(); }
  /// The cell with its quotes; the row where the file lacks the column.
  [[nodiscard]] diag::Span span(std::string_view column) const;
  [[nodiscard]] std::size_t line() const { return line_; }

  /// A finite number; nullopt where the cell is empty, and after a report where it is no number.
  [[nodiscard]] std::optional<double> number(std::string_view column, diag::Sink& sink) const;
  /// Any parser of a text; its faults are reported under `code` at their place.
  template <class T, class F>
  [[nodiscard]] std::optional<T> convert(std::string_view column, std::string_view code, F&& parse,
                                         diag::Sink& sink) const {
    const std::string_view cell = text(column);
    if (cell.empty()) return std::nullopt;
    Result<T> result = parse(cell);
    if (result) return *std::move(result);
    report(column, code, result.error(), sink);
    return std::nullopt;
  }
  /// A fault of a cell: the column's name comes before the message.
  void report(std::string_view column, std::string_view code, const Error& error,
              diag::Sink& sink) const;

 private:
  friend class CsvReader;
  struct Cell {
    std::string_view text;
    std::size_t line = 0;
    std::size_t column = 0;  // from 1, bytes
    std::size_t length = 0;  // in the file, quotes included
  };
  [[nodiscard]] const Cell* find(std::string_view column) const;

  diag::SourcePtr source_;
  const std::vector<std::string>* names_ = nullptr;
  std::vector<Cell> cells_;
  std::deque<std::string> unescaped_;  // cells with doubled quotes
  std::size_t line_ = 0;
};

class CsvReader {
 public:
  /// Reads the first row as the names of the columns. nullopt after an error: not UTF-8, no header,
  /// a column twice, a required one missing, an unknown one where it is refused.
  static std::optional<CsvReader> open(const diag::SourcePtr& source,
                                       std::span<const CsvColumn> known, UnknownColumns unknown,
                                       diag::Sink& sink);

  CsvReader(CsvReader&&) = default;
  CsvReader& operator=(CsvReader&&) = default;
  CsvReader(const CsvReader&) = delete;
  CsvReader& operator=(const CsvReader&) = delete;
  ~CsvReader() = default;

  /// The next good row; nullptr at the end. Rows of another length than the header are reported and
  /// left out; broken quotes end the table.
  [[nodiscard]] const CsvRow* next();

  [[nodiscard]] const std::vector<std::string>& columns() const { return *columns_; }
  [[nodiscard]] bool has(std::string_view column) const;

 private:
  CsvReader(diag::SourcePtr source, diag::Sink& sink);
  enum class Outcome { row, blank, fault, end };
  Outcome read_row();
  bool read_cell();
  bool read_plain(CsvRow::Cell& cell);
  bool read_quoted(CsvRow::Cell& cell);
  void fail(std::string_view code, std::size_t line, std::size_t column, std::string message,
            std::string help);
  [[nodiscard]] std::size_t column_at(std::size_t offset) const { return offset - line_start_ + 1; }
  void end_line();
  bool check_header(std::span<const CsvColumn> known, UnknownColumns unknown);
  void check_known(std::size_t index, std::span<const CsvColumn> known, UnknownColumns unknown);

  diag::SourcePtr source_;
  diag::Sink* sink_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t row_start_ = 0;
  std::size_t line_ = 1;
  std::size_t line_start_ = 0;
  bool failed_ = false;
  std::unique_ptr<std::vector<std::string>> columns_;  // in place when the reader moves
  CsvRow row_;
};

}  // namespace gpusel::data
