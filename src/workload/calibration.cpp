#include "gpusel/workload/calibration.h"

#include "data_shapes.h"

#include "gpusel/base/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace gpusel::workload {
namespace {

using data::field;

// A factor further from 1 than this is a mix-up of units or machines, not a correction.
constexpr double kMostFactor = 10;
/// As many series as the estimate itself is trusted like: few runs move it little.
constexpr double kPriorSeries = 2;

struct FileFields {
  std::string id;
  MeasuredKind kind = MeasuredKind::training;
  std::string source;
  Date date;
};
using F = FileFields;
constexpr data::Field<FileFields> kFile[] = {
    field<&F::id>("calibration", "short name of the file"),
    field<&F::kind>("kind", "training or serving"),
    field<&F::source>("source", "the file of measured runs"),
    field<&F::date>("date", "day on which it was written")};

struct Row {
  std::string gpu;
  std::string dtype;
  std::string software;
  Figure figure = Figure::time;
  double factor = 1;
  int n = 0;
  double spread = 0;
};
constexpr data::Field<Row> kRow[] = {
    field<&Row::gpu>("gpu", "id of the GPU"),
    field<&Row::dtype>("dtype", "format of the matrix products, or of the weights"),
    field<&Row::software>("software", "framework or engine"),
    field<&Row::figure>("figure", "time, throughput or memory"),
    field<&Row::factor>("factor", "what the estimate is multiplied by"),
    field<&Row::n>("n", "series of runs behind it"),
    field<&Row::spread>("spread",
                        "90th percentile of the distances of series from the middle one")};

constexpr data::FilePart kParts[] = {{"factors", "one row per GPU, format, software and figure",
                                      data::FilePart::Form::table, &data::key_shapes<kRow>,
                                      data::Presence::required}};

}  // namespace

constinit const data::FileShape kCalibrationShape{
    "calibration", "factors of measured runs on the estimates", &data::key_shapes<kFile>, kParts};

namespace {

std::optional<Calibration> read_calibration(const data::DataFile& file, diag::Sink& sink) {
  const data::NodeRef root = file.document->root();
  const data::Reader reader(sink, "$");
  auto fields =
      data::read_record<FileFields>(root, kFile, reader, data::other_keys(kCalibrationShape));
  const auto table = root.find("factors");
  if (!table) data::report_missing_key(root, "factors", "a table of factors", reader);
  if (!fields || !table) return std::nullopt;
  Calibration result{
      std::move(fields->id), fields->kind, std::move(fields->source), fields->date, {}};
  bool good = true;
  const auto take = [&](Row row, data::NodeRef node) {
    if (!(row.factor >= 1 / kMostFactor && row.factor <= kMostFactor)) {
      reader.error("calibration/bad-factor", node.span(), "a factor must lie between 0.1 and 10",
                   "check the units of the measured runs, and that they ran on this GPU");
      good = false;
      return;
    }
    result.factors.push_back({{std::move(row.gpu), std::move(row.dtype), std::move(row.software)},
                              row.figure,
                              row.factor,
                              row.n,
                              row.spread});
  };
  good = data::read_rows<Row>(*table, kRow, reader.at("factors"), take) && good;
  if (!good) return std::nullopt;
  return result;
}

std::optional<Figure> figure_of(Metric metric) {
  switch (metric) {
    case Metric::step_time:
    case Metric::tpot:
      return Figure::time;
    case Metric::throughput:
    case Metric::request_rate:
      return Figure::throughput;
    case Metric::peak_memory:
      return Figure::memory;
    default:
      return std::nullopt;
  }
}

// A loop's rate follows from its time per token, and a rate of training is a step time.
std::optional<std::pair<Figure, double>> share_of(const MeasuredRow& row, std::size_t index) {
  const Comparison& c = row.comparisons[index];
  const auto figure = figure_of(c.metric);
  if (!figure) return std::nullopt;
  const double ratio = std::log(c.measured / c.predicted);
  if (*figure != Figure::throughput) return std::pair{*figure, ratio};
  if (row.primary != index) return std::nullopt;
  if (row.kind == "training") return std::pair{Figure::time, -ratio};
  const bool open = row.kind == "offline-max" || row.kind == "online-inf";
  return open ? std::optional(std::pair{Figure::throughput, ratio}) : std::nullopt;
}

/// Sum and number of the logarithms of one series.
struct Mean {
  double sum = 0;
  double n = 0;
};

Factor factor_of(CalibrationKey key, Figure figure, const std::map<std::string, Mean>& series) {
  constexpr double kMiddle = 0.5;
  constexpr double kHigh = 0.9;
  std::vector<double> logs;
  for (const auto& entry : series) logs.push_back(entry.second.sum / entry.second.n);
  const double middle = quantile(logs, kMiddle);
  std::vector<double> distances;
  for (const double log : logs) distances.push_back(std::abs(log - middle));
  const auto n = static_cast<double>(logs.size());
  const double factor = std::exp(n / (n + kPriorSeries) * middle);
  return {std::move(key), figure, std::clamp(factor, 1 / kMostFactor, kMostFactor),
          static_cast<int>(logs.size()), std::expm1(quantile(distances, kHigh))};
}

std::string figure_text(MeasuredKind kind, Figure figure) {
  if (figure == Figure::memory) return "peak memory";
  if (figure == Figure::throughput) return "throughput without a given load";
  return kind == MeasuredKind::training ? "step time" : "time per output token";
}

// A text that YAML reads back as it is.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

}  // namespace

CalibrationSet::Found CalibrationSet::find(MeasuredKind kind, const CalibrationKey& key,
                                           Figure figure) const {
  for (const Calibration& file : all_) {
    if (file.kind != kind) continue;
    for (const Factor& f : file.factors) {
      if (f.figure == figure && f.key == key) return {&file, &f};
    }
  }
  return {};
}

double CalibrationSet::factor(MeasuredKind kind, const CalibrationKey& key, Figure figure) const {
  const Found found = find(kind, key, figure);
  return found.factor == nullptr ? 1 : found.factor->factor;
}

std::vector<estimate::Assumption> CalibrationSet::assumptions(MeasuredKind kind,
                                                              const CalibrationKey& key) const {
  std::vector<estimate::Assumption> all;
  for (const auto& [name, figure] : data::EnumNames<Figure>::kNames) {
    const Found found = find(kind, key, figure);
    if (found.factor == nullptr) continue;
    all.push_back({"calibration_" + std::string(name),
                   fmt::format("{} of {} in {} on {}, multiplied as measured: {} series of runs, "
                               "spread {:.1f} %",
                               figure_text(kind, figure), key.software, key.dtype, key.gpu,
                               found.factor->n, found.factor->spread * 100),
                   fmt::format("x {:.3f}", found.factor->factor),
                   fmt::format("calibration {} of {}, {}", found.file->id, found.file->source,
                               found.file->date.text())});
  }
  return all;
}

CalibrationSet load_calibrations(data::DataSet& set, diag::Sink& sink) {
  std::vector<Calibration> all;
  std::vector<const data::DataFile*> files = set.files("calibration");
  std::reverse(files.begin(), files.end());  // the later id first, where roots are equal
  std::stable_sort(
      files.begin(), files.end(),
      [](const data::DataFile* a, const data::DataFile* b) { return a->root > b->root; });
  for (const data::DataFile* file : files) {
    if (!file->document) continue;
    if (auto calibration = read_calibration(*file, sink)) all.push_back(*std::move(calibration));
  }
  return CalibrationSet(std::move(all));
}

Calibration calibrate(std::span<const MeasuredRow> rows, std::string id, MeasuredKind kind,
                      std::string source, Date date) {
  using Key = std::tuple<std::string, std::string, std::string, Figure>;
  std::map<Key, std::map<std::string, Mean>> groups;
  for (const MeasuredRow& row : rows) {
    for (std::size_t i = 0; i < row.comparisons.size(); ++i) {
      const auto share = share_of(row, i);
      if (!share) continue;
      // Rows without a series stand alone.
      const std::string series =
          row.series.empty() ? "#" + std::to_string(row.line) : "s" + row.series;
      Mean& mean = groups[{row.gpu, row.dtype, row.software, share->first}][series];
      mean.sum += share->second;
      ++mean.n;
    }
  }
  Calibration result{std::move(id), kind, std::move(source), date, {}};
  for (const auto& [key, series] : groups) {
    result.factors.push_back(factor_of({std::get<0>(key), std::get<1>(key), std::get<2>(key)},
                                       std::get<3>(key), series));
  }
  return result;
}

std::string calibration_text(const Calibration& c) {
  std::string text = fmt::format(
      "# Written by gpusel validate --write-calibration. Each factor multiplies an estimate.\n"
      "calibration: {}\nkind: {}\nsource: {}\ndate: {}\nfactors:\n"
      "  columns: [gpu, dtype, software, figure, factor, n, spread]\n",
      c.id, data::name_of(c.kind), quoted(c.source), c.date.text());
  text += c.factors.empty() ? "  rows: []\n" : "  rows:\n";
  constexpr int kDigits = 4;
  for (const Factor& f : c.factors) {
    text +=
        fmt::format("    - [{}, {}, {}, {}, {}, {}, {}]\n", f.key.gpu, f.key.dtype, f.key.software,
                    data::name_of(f.figure), shortest(round_significant(f.factor, kDigits)), f.n,
                    shortest(round_significant(f.spread, 2)));
  }
  return text;
}

}  // namespace gpusel::workload
