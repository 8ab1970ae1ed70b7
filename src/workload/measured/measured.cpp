#include "gpusel/workload/measured.h"

#include "columns.h"
#include "run.h"

#include "gpusel/base/number.h"
#include "gpusel/base/suggest.h"

#include <algorithm>
#include <iterator>

namespace gpusel::workload {
namespace measured {

OrSkip<std::size_t> gpu_of(const Cells& cells, const catalog::Catalog& catalog) {
  const std::string name = cells.text("gpu_id");
  if (name.empty()) return Skip{"gpu_id is missing"};
  const std::vector<std::uint32_t> found = catalog.gpus_named(name);
  if (found.size() == 1) return std::size_t{found.front()};
  return Skip{found.empty() ? "gpu '" + name + "' is not in the catalog"
                            : "gpu '" + name + "' is a family, not one GPU"};
}

std::optional<int> year_of(std::string_view text) {
  constexpr std::size_t kDigits = 4;
  const Result<std::int64_t> year = parse_integer(text.substr(0, kDigits), 1990, 2100);
  if (!year) return std::nullopt;
  return static_cast<int>(*year);
}

namespace {

// Training rows name a framework, serving rows an engine.
std::optional<MeasuredKind> kind_of(const diag::SourcePtr& source, diag::Sink& sink) {
  const auto table = data::CsvReader::open(source, {}, data::UnknownColumns::keep, sink);
  if (!table) return std::nullopt;
  const bool training = table->has("framework") || table->has("seq_len");
  const bool serving = table->has("engine") || table->has("input_len");
  if (training != serving) return training ? MeasuredKind::training : MeasuredKind::serving;
  sink.report(
      diag::error("data/missing-key", {source, 1, 1, 1},
                  training ? "the columns are those of training and of serving rows"
                           : "the columns are neither those of training nor of serving rows")
          .with_help("training rows have the columns 'framework' and 'seq_len', serving rows "
                     "'engine' and 'input_len'; see docs/validate.md"));
  return std::nullopt;
}

// Figures of no run: a slip of the pen, or a load that no formula can follow.
bool can_compare(const Comparison& c) {
  constexpr double kLeast = 1e-12;
  constexpr double kMost = 1e18;
  const auto sane = [&](double value) { return value >= kLeast && value <= kMost; };
  return sane(c.measured) && sane(c.predicted);
}

std::string alike_of(const data::CsvRow& row, MeasuredKind kind) {
  std::string key;
  for (const std::string_view column : alike_columns(kind)) {
    key += row.text(column);
    key += '\n';
  }
  return key;
}

// Rows that their own file calls unfit for a comparison.
std::string disowned(const Cells& cells) {
  if (cells.text("confidence") == "recalled")
    return "confidence is 'recalled': not read in the source";
  const std::string notes = cells.text("notes");
  const bool marked =
      notes.find("ANOMALOUS") != std::string::npos || notes.find("do not use") != std::string::npos;
  return marked ? "the notes call the row anomalous" : "";
}

MeasuredRow identity_of(const data::CsvRow& row, MeasuredKind kind) {
  MeasuredRow result;
  const bool training = kind == MeasuredKind::training;
  const auto text = [&](std::string_view column) { return std::string(row.text(column)); };
  result.id = text("id");
  result.line = row.line();
  result.source = text("source");
  result.series = text("series");
  result.model = text("model");
  result.gpu = text("gpu_id");
  result.dtype = text(training ? "dtype" : "weights_dtype");
  result.software = text(training ? "framework" : "engine");
  result.workload = training ? text("workload") : "llm-inference";
  if (result.workload.empty()) result.workload = "llm-pretrain";
  result.kind = training ? "training" : text("kind");
  result.alike = alike_of(row, kind);
  return result;
}

}  // namespace
}  // namespace measured

struct MeasuredRows::Parts {
  Context context;
  diag::Sink* sink = nullptr;
  MeasuredKind kind = MeasuredKind::training;
  std::optional<data::CsvReader> table;
  ModelSet models;
  std::unique_ptr<measured::ModelNames> names;
  std::unique_ptr<measured::Predictor> predictor;
};

MeasuredRows::MeasuredRows(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
MeasuredRows::MeasuredRows(MeasuredRows&&) noexcept = default;
MeasuredRows::~MeasuredRows() = default;

MeasuredKind MeasuredRows::kind() const { return parts_->kind; }

std::optional<MeasuredRows> MeasuredRows::open(const diag::SourcePtr& source,
                                               const Context& context, diag::Sink& sink) {
  const auto kind = measured::kind_of(source, sink);
  if (!kind) return std::nullopt;
  auto parts = std::make_unique<Parts>();
  parts->context = context;
  parts->sink = &sink;
  parts->kind = *kind;
  parts->table =
      data::CsvReader::open(source, measured::columns_of(*kind), data::UnknownColumns::warn, sink);
  if (!parts->table) return std::nullopt;
  const auto results = measured::result_columns(*kind);
  if (std::none_of(results.begin(), results.end(),
                   [&](std::string_view column) { return parts->table->has(column); })) {
    const std::vector<std::string> names(results.begin(), results.end());
    sink.report(diag::error("data/missing-key", {source, 1, 1, 1}, "no column has a measurement")
                    .with_help("add one of " + quoted_list(names)));
    return std::nullopt;
  }
  parts->models = load_models(*context.data, sink);
  parts->names = std::make_unique<measured::ModelNames>(parts->models);
  parts->predictor = *kind == MeasuredKind::training
                         ? measured::training_predictor(parts->context, *parts->names, sink)
                         : measured::serving_predictor(parts->context, *parts->names, sink);
  return MeasuredRows(std::move(parts));
}

std::optional<MeasuredRow> MeasuredRows::next() {
  while (const data::CsvRow* row = parts_->table->next()) {
    const auto cells =
        measured::Cells::read(*row, measured::number_columns(parts_->kind), *parts_->sink);
    if (!cells) continue;
    MeasuredRow result = measured::identity_of(*row, parts_->kind);
    result.skipped = measured::disowned(*cells);
    if (!result.skipped.empty()) return result;
    auto predicted = parts_->predictor->predict(*cells);
    if (!predicted) {
      result.skipped = predicted.error().reason;
      return result;
    }
    const auto gpu = measured::gpu_of(*cells, *parts_->context.catalog);
    if (gpu) result.gpu = parts_->context.catalog->gpus[*gpu].id.text();
    result.software = predicted->software;
    result.dtype = predicted->dtype;
    std::copy_if(predicted->comparisons.begin(), predicted->comparisons.end(),
                 std::back_inserter(result.comparisons), measured::can_compare);
    if (result.comparisons.empty()) result.skipped = "no measurement that can be compared";
    for (const Metric metric : parts_->predictor->primaries(*cells)) {
      const auto at = std::find_if(result.comparisons.begin(), result.comparisons.end(),
                                   [&](const Comparison& c) { return c.metric == metric; });
      if (at == result.comparisons.end()) continue;
      result.primary = static_cast<std::size_t>(at - result.comparisons.begin());
      break;
    }
    return result;
  }
  return std::nullopt;
}

}  // namespace gpusel::workload
