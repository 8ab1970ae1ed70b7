#include "view_validate.h"

#include "view.h"

#include "gpusel/units/format.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpusel::cli {
namespace {

using report::Align;
using report::Value;
using workload::Metric;
using workload::Slice;
using workload::Summary;

std::string_view name_of_kind(workload::MeasuredKind kind) {
  return kind == workload::MeasuredKind::training ? "training" : "serving";
}

std::string percent(double share, std::string_view form = "{:.1f} %") {
  return fmt::format(fmt::runtime(form), share * 100);
}
std::string signed_percent(double share) { return percent(share, "{:+.1f} %"); }

std::string metric_text(const std::optional<Metric>& metric) {
  return metric ? std::string(data::name_of(*metric)) : "";
}

// "s", "tokens/s", "bytes": what a figure of the metric is in.
std::string_view unit_of(Metric metric) {
  switch (metric) {
    case Metric::throughput:
    case Metric::total_throughput:
      return "tokens/s";
    case Metric::request_rate:
      return "requests/s";
    case Metric::peak_memory:
      return "bytes";
    default:
      return "s";
  }
}

Value figure(Metric metric, double value) {
  if (metric == Metric::peak_memory)
    return report::whole_of(value, units::show_gib(units::bytes(value)));
  const std::string_view unit = unit_of(metric);
  return report::number(value, unit == "s"
                                   ? units::show_duration(units::seconds(value))
                                   : fmt::format("{} {}", units::show_number(value, 4), unit));
}

Value name_value(const std::string& name) {
  return name.empty() ? report::unknown("the rows do not say") : report::text(name);
}

void set_errors(const Slice& slice, Value& v) {
  v.set("n", report::whole(static_cast<std::int64_t>(slice.rows)));
  v.set("series", report::whole(static_cast<std::int64_t>(slice.series)));
  const auto error = [&](double value) {
    return slice.rows > 0 ? report::number(value) : report::unknown("no row could be predicted");
  };
  v.set("median_abs_error", error(slice.median));
  v.set("p90_abs_error", error(slice.p90));
  v.set("bias", error(slice.bias));
  v.set("skipped", report::whole(static_cast<std::int64_t>(slice.skipped)));
}

Value metric_value(const Slice& slice, std::string_view otherwise) {
  if (slice.metric) return report::text(metric_text(slice.metric));
  return slice.rows > 0 ? report::text(std::string(otherwise))
                        : report::unknown("no row could be predicted");
}

Value slice_value(const Slice& slice) {
  Value v = report::object();
  v.set("slice", name_value(slice.name));
  v.set("metric", metric_value(slice, "primary"));
  set_errors(slice, v);
  return v;
}

Value rows_value(const ValidateAnswer& answer) {
  Value list = report::list();
  for (const workload::MeasuredRow& row : answer.rows) {
    for (std::size_t i = 0; i < row.comparisons.size(); ++i) {
      const workload::Comparison& c = row.comparisons[i];
      Value v = report::object();
      v.set("id", report::text(row.id));
      v.set("metric", report::text(metric_text(c.metric)));
      v.set("unit", report::text(std::string(unit_of(c.metric))));
      v.set("measured", figure(c.metric, c.measured));
      v.set("predicted", figure(c.metric, c.predicted));
      v.set("error", report::number(c.error()));
      v.set("primary", report::boolean(row.primary == i));
      list.add(std::move(v));
    }
  }
  return list;
}

Value skipped_rows_value(const ValidateAnswer& answer) {
  Value list = report::list();
  for (const workload::MeasuredRow& row : answer.rows) {
    if (row.skipped.empty()) continue;
    Value v = report::object();
    v.set("id", report::text(row.id));
    v.set("line", report::whole(static_cast<std::int64_t>(row.line)));
    v.set("reason", report::text(row.skipped));
    list.add(std::move(v));
  }
  return list;
}

Value whole_value(const ValidateAnswer& answer, const Summary& summary) {
  Value v = report::object();
  v.set("schema_version", report::text(kSchemaVersion));
  v.set("gpusel_version", report::text(GPUSEL_VERSION));
  v.set("command", report::text("validate"));
  v.set("file", report::text(answer.file));
  v.set("fingerprint", report::text(answer.fingerprint));
  v.set("kind", report::text(std::string(name_of_kind(answer.kind))));
  v.set("by", report::text(std::string(data::name_of(answer.by))));
  v.set("rows_read", report::whole(static_cast<std::int64_t>(answer.rows.size())));
  Value slices = report::list();
  for (const Slice& slice : summary.slices) slices.add(slice_value(slice));
  v.set("slices", std::move(slices));
  Value overall = report::object();
  overall.set("metric", metric_value(summary.overall, "primary"));
  set_errors(summary.overall, overall);
  v.set("overall", std::move(overall));
  Value skipped = report::list();
  for (const workload::SkipCount& skip : summary.skipped) {
    Value s = report::object();
    s.set("reason", report::text(skip.reason));
    s.set("n", report::whole(static_cast<std::int64_t>(skip.rows)));
    skipped.add(std::move(s));
  }
  v.set("skipped_by", std::move(skipped));
  Value pairs = report::object();
  pairs.set("n", report::whole(static_cast<std::int64_t>(summary.pairs.pairs)));
  pairs.set("right", report::whole(static_cast<std::int64_t>(summary.pairs.right)));
  v.set("pairs", std::move(pairs));
  v.set("assumptions", assumptions_value(answer.assumptions));
  if (answer.written) {
    Value written = report::object();
    written.set("file", report::text(answer.written->file));
    written.set("factors", report::whole(static_cast<std::int64_t>(answer.written->factors)));
    v.set("written_calibration", std::move(written));
  }
  if (answer.detail == RowDetail::listed) {
    v.set("rows", rows_value(answer));
    v.set("skipped_rows", skipped_rows_value(answer));
  }
  return v;
}

report::Section headline(const ValidateAnswer& answer, const Summary& summary) {
  report::Section section;
  section.title = "Estimates against measured runs";
  const Slice& all = summary.overall;
  const std::size_t predicted = answer.rows.size() - all.skipped;
  section.facts.push_back(
      {"file", fmt::format("{}: {} {} {}", answer.file, answer.rows.size(),
                           name_of_kind(answer.kind), answer.rows.size() == 1 ? "run" : "runs")});
  section.facts.push_back(
      {"predicted", predicted == 0 ? "none: every row was skipped, for the reasons below"
                                   : fmt::format("{}, {} skipped", predicted, all.skipped)});
  if (all.rows > 0) {
    const std::string metric = all.metric ? metric_text(all.metric) : "primary metric of each row";
    section.facts.push_back(
        {"overall",
         fmt::format("median error {}, 90th percentile {}, bias {} ({}; {} rows in {} series)",
                     percent(all.median), percent(all.p90), signed_percent(all.bias), metric,
                     all.rows, all.series)});
  }
  if (summary.pairs.pairs > 0) {
    section.facts.push_back(
        {"order of GPUs",
         fmt::format("{} of {} pairs of runs that differ only in the GPU are in the measured order",
                     summary.pairs.right, summary.pairs.pairs)});
  }
  if (answer.written) {
    section.facts.push_back(
        {"calibration",
         fmt::format("{} {} written to {}; use it with --calibration", answer.written->factors,
                     answer.written->factors == 1 ? "factor" : "factors", answer.written->file)});
  }
  return section;
}

report::Section slices_section(const ValidateAnswer& answer, const Summary& summary) {
  report::Section section;
  const std::string by(data::name_of(answer.by));
  section.title = "Errors by " + by;
  section.facts.push_back({"",
                           "error = predicted / measured - 1; errors of one series are averaged "
                           "first; bias is the median with its sign"});
  report::Table table;
  table.columns = {{"slice", by},
                   {"metric", "metric"},
                   {"n", "rows", Align::right},
                   {"series", "series", Align::right, 2},
                   {"median_abs_error", "median", Align::right},
                   {"p90_abs_error", "p90", Align::right},
                   {"bias", "bias", Align::right},
                   {"skipped", "skipped", Align::right, 1}};
  for (const Slice& s : summary.slices) {
    const auto error = [&](double value, std::string shown) {
      return s.rows > 0 ? report::number(value, std::move(shown)) : report::null();
    };
    table.rows.push_back(
        {name_value(s.name), s.metric ? report::text(metric_text(s.metric)) : report::null(),
         report::whole(static_cast<std::int64_t>(s.rows)),
         report::whole(static_cast<std::int64_t>(s.series)), error(s.median, percent(s.median)),
         error(s.p90, percent(s.p90)), error(s.bias, signed_percent(s.bias)),
         report::whole(static_cast<std::int64_t>(s.skipped))});
  }
  table.empty_text = "the file has no rows";
  section.table = std::move(table);
  return section;
}

report::Section skipped_section(const Summary& summary) {
  report::Section section;
  section.title = "Skipped";
  report::Table table;
  table.columns = {{"rows", "rows", Align::right}, {"reason", "reason"}};
  for (const workload::SkipCount& skip : summary.skipped) {
    table.rows.push_back(
        {report::whole(static_cast<std::int64_t>(skip.rows)), report::text(skip.reason)});
  }
  section.table = std::move(table);
  return section;
}

report::Section rows_section(const ValidateAnswer& answer) {
  report::Section section;
  section.title = "Rows";
  report::Table table;
  table.columns = {{"id", "id"},
                   {"metric", "metric"},
                   {"measured", "measured", Align::right},
                   {"predicted", "predicted", Align::right},
                   {"error", "error", Align::right}};
  for (const workload::MeasuredRow& row : answer.rows) {
    for (const workload::Comparison& c : row.comparisons) {
      table.rows.push_back({report::text(row.id), report::text(metric_text(c.metric)),
                            figure(c.metric, c.measured), figure(c.metric, c.predicted),
                            report::number(c.error(), signed_percent(c.error()))});
    }
  }
  table.empty_text = "no row could be predicted";
  section.table = std::move(table);
  return section;
}

}  // namespace

report::Document view_validate(const ValidateAnswer& answer) {
  const Summary summary = workload::summarize(answer.rows, answer.by);
  report::Document document;
  document.value = whole_value(answer, summary);
  document.sections.push_back(headline(answer, summary));
  document.sections.push_back(slices_section(answer, summary));
  document.main_section = 1;
  if (!summary.skipped.empty()) document.sections.push_back(skipped_section(summary));
  if (!answer.assumptions.empty())
    document.sections.push_back(assumptions_section(answer.assumptions));
  if (answer.detail == RowDetail::listed) {
    document.sections.push_back(rows_section(answer));
    document.main_section = document.sections.size() - 1;
  }
  return document;
}

}  // namespace gpusel::cli
