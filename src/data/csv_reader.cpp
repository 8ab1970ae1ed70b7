#include "builder.h"

#include "gpusel/base/suggest.h"
#include "gpusel/data/csv.h"

#include <algorithm>
#include <utility>

namespace gpusel::data {

const CsvRow::Cell* CsvRow::find(std::string_view column) const {
  const auto found = std::find(names_->begin(), names_->end(), column);
  if (found == names_->end()) return nullptr;
  return &cells_[static_cast<std::size_t>(found - names_->begin())];
}

std::string_view CsvRow::text(std::string_view column) const {
  const Cell* cell = find(column);
  return cell == nullptr ? std::string_view() : cell->text;
}

diag::Span CsvRow::span(std::string_view column) const {
  const Cell* cell = find(column);
  if (cell == nullptr) return {source_, line_, 1, 1};
  return {source_, cell->line, cell->column, std::max<std::size_t>(cell->length, 1)};
}

std::optional<double> CsvRow::number(std::string_view column, diag::Sink& sink) const {
  return convert<double>(
      column, "data/bad-number", [](std::string_view cell) { return parse_number(cell); }, sink);
}

void CsvRow::report(std::string_view column, std::string_view code, const Error& error,
                    diag::Sink& sink) const {
  diag::Span place = span(column);
  const bool verbatim = place.length == text(column).size();
  if (verbatim && error.length > 0 && error.offset + error.length <= place.length) {
    place.column += error.offset;
    place.length = error.length;
  }
  sink.report(diag::error(std::string(code), std::move(place),
                          "column '" + std::string(column) + "': " + error.message)
                  .with_help(error.help));
}

CsvReader::CsvReader(diag::SourcePtr source, diag::Sink& sink)
    : source_(std::move(source)),
      sink_(&sink),
      text_(source_->text),
      columns_(std::make_unique<std::vector<std::string>>()) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
  row_.source_ = source_;
  row_.names_ = columns_.get();
}

std::optional<CsvReader> CsvReader::open(const diag::SourcePtr& source,
                                         std::span<const CsvColumn> known, UnknownColumns unknown,
                                         diag::Sink& sink) {
  if (!check_encoding(source, sink)) return std::nullopt;
  CsvReader reader(source, sink);
  const Outcome outcome = reader.read_row();
  if (outcome == Outcome::end || outcome == Outcome::blank) {
    reader.fail("data/empty", 1, 1, "the first line must name the columns, and there is none",
                "write the names of the columns, separated by commas");
  }
  if (reader.failed_ || !reader.check_header(known, unknown)) return std::nullopt;
  return reader;
}

bool CsvReader::has(std::string_view column) const {
  return std::find(columns_->begin(), columns_->end(), column) != columns_->end();
}

const CsvRow* CsvReader::next() {
  while (!failed_) {
    switch (read_row()) {
      case Outcome::end:
      case Outcome::fault:
        return nullptr;
      case Outcome::blank:
        continue;
      case Outcome::row:
        break;
    }
    if (row_.cells_.size() == columns_->size()) return &row_;
    sink_->report(diag::error("data/row-length", {source_, row_.line_, 1, 1},
                              "the row has " + std::to_string(row_.cells_.size()) +
                                  " cells, the table has " + std::to_string(columns_->size()) +
                                  " columns")
                      .with_help("write one cell per column; a cell with a comma needs quotes"));
  }
  return nullptr;
}

void CsvReader::fail(std::string_view code, std::size_t line, std::size_t column,
                     std::string message, std::string help) {
  failed_ = true;
  sink_->report(diag::error(std::string(code), {source_, line, column, 1}, std::move(message))
                    .with_help(std::move(help)));
}

void CsvReader::end_line() {
  ++line_;
  line_start_ = at_;
}

CsvReader::Outcome CsvReader::read_row() {
  row_.cells_.clear();
  row_.unescaped_.clear();
  row_.line_ = line_;
  row_start_ = at_;
  if (at_ >= text_.size()) return Outcome::end;
  while (true) {
    if (!read_cell()) return Outcome::fault;
    if (at_ >= text_.size()) break;
    const char separator = text_[at_++];
    if (separator == ',') continue;
    if (separator == '\r') ++at_;  // read_plain and read_quoted saw that '\n' follows
    end_line();
    break;
  }
  const bool blank = row_.cells_.size() == 1 && row_.cells_.front().length == 0;
  return blank ? Outcome::blank : Outcome::row;
}

bool CsvReader::read_cell() {
  if (row_.cells_.size() >= kMaxCsvColumns) {
    fail("data/too-long", line_, column_at(at_),
         "a row of more than " + std::to_string(kMaxCsvColumns) + " cells",
         "check for a missing line end or quote before this place");
    return false;
  }
  CsvRow::Cell cell;
  cell.line = line_;
  cell.column = column_at(at_);
  const bool quoted = at_ < text_.size() && text_[at_] == '"';
  if (!(quoted ? read_quoted(cell) : read_plain(cell))) return false;
  if (at_ - row_start_ > kMaxCsvRowBytes) {
    fail("data/too-long", row_.line_, 1, "a row longer than 1 MiB",
         "check for a quote that is not closed");
    return false;
  }
  row_.cells_.push_back(cell);
  return true;
}

bool CsvReader::read_plain(CsvRow::Cell& cell) {
  const std::size_t end = std::min(text_.find_first_of(",\n\r\"", at_), text_.size());
  const bool lone_return = end < text_.size() && text_[end] == '\r' &&
                           (end + 1 >= text_.size() || text_[end + 1] != '\n');
  if (end < text_.size() && (text_[end] == '"' || lone_return)) {
    fail("data/syntax", line_, column_at(end),
         lone_return ? "a carriage return without a line feed"
                     : "a quote stands inside a cell that does not begin with one",
         lone_return ? "end lines with a line feed"
                     : "put the whole cell in quotes, and double each quote inside it");
    return false;
  }
  cell.text = text_.substr(at_, end - at_);
  cell.length = cell.text.size();
  at_ = end;
  return true;
}

bool CsvReader::read_quoted(CsvRow::Cell& cell) {
  const std::size_t start = at_++;
  std::string unescaped;
  std::size_t part = at_;
  while (true) {
    const std::size_t stop = text_.find_first_of("\"\n", at_);
    if (stop == std::string_view::npos || stop - row_start_ > kMaxCsvRowBytes) {
      fail("data/syntax", cell.line, cell.column, "a quoted cell is not closed",
           "add the closing quote; a quote inside a cell is written twice");
      return false;
    }
    at_ = stop + 1;
    if (text_[stop] == '\n') {
      end_line();
    } else if (at_ < text_.size() && text_[at_] == '"') {
      unescaped += text_.substr(part, at_ - part);
      part = ++at_;
    } else {
      break;
    }
  }
  cell.text = text_.substr(part, at_ - 1 - part);
  if (!unescaped.empty()) {
    row_.unescaped_.push_back(unescaped + std::string(cell.text));
    cell.text = row_.unescaped_.back();
  }
  cell.length = at_ - start;
  const bool ends = at_ >= text_.size() || text_[at_] == ',' || text_[at_] == '\n' ||
                    text_.substr(at_, 2) == "\r\n";
  if (!ends) {
    fail("data/syntax", line_, column_at(at_), "text stands after a closing quote",
         "put a comma here, or write a quote inside a cell twice");
  }
  return ends;
}

void CsvReader::check_known(std::size_t index, std::span<const CsvColumn> known,
                            UnknownColumns unknown) {
  const CsvRow::Cell& cell = row_.cells_[index];
  std::vector<std::string> names;
  for (const CsvColumn& column : known) {
    if (column.name == cell.text) return;
    names.emplace_back(column.name);
  }
  if (unknown == UnknownColumns::keep) return;
  const diag::Span place{source_, cell.line, cell.column, std::max<std::size_t>(cell.length, 1)};
  const std::string message = "unknown column '" + std::string(cell.text) + "'";
  std::string help = did_you_mean(cell.text, names);
  if (unknown == UnknownColumns::warn) {
    if (help.empty()) help = "it is not used";
    sink_->report(diag::warning("data/unknown-key", place, message).with_help(std::move(help)));
    return;
  }
  if (help.empty()) help = "known columns: " + quoted_list(names, "and");
  failed_ = true;
  sink_->report(diag::error("data/unknown-key", place, message).with_help(std::move(help)));
}

bool CsvReader::check_header(std::span<const CsvColumn> known, UnknownColumns unknown) {
  for (std::size_t i = 0; i < row_.cells_.size(); ++i) {
    const CsvRow::Cell& cell = row_.cells_[i];
    if (has(cell.text)) {
      fail("data/duplicate-key", cell.line, cell.column,
           "column '" + std::string(cell.text) + "' stands here a second time", "keep one of them");
    } else {
      check_known(i, known, unknown);
    }
    columns_->emplace_back(cell.text);
  }
  for (const CsvColumn& column : known) {
    if (!column.required || has(column.name)) continue;
    fail("data/missing-key", row_.line_, 1, "column '" + std::string(column.name) + "' is missing",
         "add '" + std::string(column.name) + "' to the first line and its value to every row");
  }
  return !failed_;
}

}  // namespace gpusel::data
