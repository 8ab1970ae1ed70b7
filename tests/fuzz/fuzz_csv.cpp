// Tables: any bytes are read to the end or to a fault with a place, and a row has a cell for every
// column, each inside the text.
#include "input.h"

#include "gpusel/data/csv.h"
#include "gpusel/diag/render.h"

#include <string>

using namespace gpusel;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const diag::SourcePtr source = diag::make_source("in.csv", fuzz::text_of(data, size));
  constexpr data::CsvColumn kKnown[] = {{"id", true}, {"value"}};
  diag::Buffer faults;
  auto table = data::CsvReader::open(source, kKnown, data::UnknownColumns::warn, faults);
  fuzz::require(table.has_value() != faults.has_errors(), "either a table or an error");
  std::size_t lines = 0;
  while (table) {
    const data::CsvRow* row = table->next();
    if (row == nullptr) break;
    fuzz::require(row->line() > lines, "rows go forward");
    lines = row->line();
    for (const std::string& column : table->columns()) {
      const diag::Span span = row->span(column);
      fuzz::require(span.line >= lines && span.line <= source->line_starts.size(),
                    "a cell lies in a line");
      fuzz::require(row->text(column).size() <= span.length, "a cell is not longer than written");
    }
    static_cast<void>(row->number("value", faults));
  }
  static_cast<void>(diag::render(faults.sorted(), {}));
  return 0;
}
