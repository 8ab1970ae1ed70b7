#include "command.h"
#include "diff.h"
#include "options.h"
#include "records.h"
#include "request.h"
#include "view.h"

#include "gpusel/base/number.h"

#include <fmt/format.h>

namespace gpusel::cli {
namespace {

using diag::ExitCode;
using report::Value;

constexpr std::string_view kExamples[] = {
    "catalog diff builtin mine.yaml",
    "catalog diff last-month this-month --no-builtin-catalog --threshold '5 %'",
    "catalog diff builtin patches/acme.yaml --provider aws --format csv",
};
constexpr data::OptionSpec kThreshold{
    "threshold", data::OptionKind::value,
    "SHARE",     "leave price moves below this share out, such as 5 % (default 0 %)",
    {},          "Comparison"};

std::vector<data::OptionSpec> options() {
  std::vector<data::OptionSpec> all = offer_list_options();
  std::erase_if(all,
                [](const data::OptionSpec& s) { return s.name == "sort" || s.name == "like"; });
  return joined({{kThreshold}, all});
}

// The records of one side, by kind. `builtin` is the catalog in force without a path.
struct Side {
  Value catalog;
  std::vector<std::vector<Value>> records;  // as kKinds
};
constexpr const RecordKind* kKinds[] = {&kOfferRecords, &kGpuRecords, &kModelRecords};
constexpr std::string_view kNouns[] = {"offer", "gpu", "model"};

std::optional<Side> read_side(const Argument& path, Invocation& invocation) {
  std::vector<data::Root> roots = roots_of(invocation);
  if (path.text != "builtin") roots.push_back({data::Root::Kind::path, path.text});
  std::optional<Session> session = open_session(invocation, std::move(roots));
  if (!session) return std::nullopt;
  Side side{catalog_value(session->catalog), {}};
  for (const RecordKind* kind : kKinds)
    side.records.push_back(kind->read(*session, invocation).records);
  return side;
}

report::Section list_section(std::string_view title, const std::vector<Change>& changes,
                             std::initializer_list<report::Column> columns,
                             std::vector<Value> (*row)(const Change&)) {
  report::Section section;
  section.title = fmt::format("{}: {}", title, changes.size());
  report::Table table;
  table.columns = columns;
  table.empty_text = "none";
  for (const Change& change : changes) table.rows.push_back(row(change));
  section.table = std::move(table);
  return section;
}

Value change_value(const Change& change) {
  Value v = report::object();
  v.set("record", report::text(change.record));
  v.set("id", report::text(change.id));
  v.set("field", change.field.empty() ? report::null() : report::text(change.field));
  v.set("was", change.was);
  v.set("now", change.now);
  v.set("share", change.share ? report::number(*change.share) : report::null());
  return v;
}

Value list_value(const std::vector<Change>& changes) {
  Value list = report::list();
  for (const Change& change : changes) list.add(change_value(change));
  return list;
}

Value share_cell(const Change& change) {
  if (!change.share) return report::unknown("one of the prices is not known");
  return report::number(*change.share, fmt::format("{:+.1f} %", *change.share * 100));
}

// CSV has one row per change, whatever it is.
report::Table csv_table(const Difference& difference) {
  report::Table table;
  table.columns = {{"change", "change"}, {"record", "record"}, {"id", "id"},
                   {"field", "field"},   {"was", "was"},       {"now", "now"},
                   {"share", "share"}};
  const auto add = [&](std::string_view what, const std::vector<Change>& changes) {
    for (const Change& c : changes) {
      table.rows.push_back({report::text(std::string(what)), report::text(c.record),
                            report::text(c.id), report::text(c.field), c.was, c.now,
                            c.share ? report::number(*c.share) : report::null()});
    }
  };
  add("added", difference.added);
  add("removed", difference.removed);
  add("price", difference.prices);
  add("changed", difference.changed);
  return table;
}

report::Document view(const Side& old_side, const Side& new_side, const Difference& d) {
  report::Document document;
  document.value = report::object();
  document.value.set("schema_version", report::text(kSchemaVersion));
  document.value.set("gpusel_version", report::text(GPUSEL_VERSION));
  document.value.set("command", report::text("catalog diff"));
  document.value.set("old", old_side.catalog);
  document.value.set("new", new_side.catalog);
  document.value.set("added", list_value(d.added));
  document.value.set("removed", list_value(d.removed));
  document.value.set("prices", list_value(d.prices));
  document.value.set("changed", list_value(d.changed));
  using report::Align;
  document.sections.push_back(
      list_section("Prices that moved", d.prices,
                   {{"id", "offer"},
                    {"was", "was $/h", Align::right},
                    {"now", "now $/h", Align::right},
                    {"share", "change", Align::right}},
                   [](const Change& c) {
                     return std::vector<Value>{report::text(c.id), c.was, c.now, share_cell(c)};
                   }));
  document.sections.push_back(list_section(
      "Figures that changed", d.changed,
      {{"record", "record"}, {"id", "id"}, {"field", "field"}, {"was", "was"}, {"now", "now"}},
      [](const Change& c) {
        return std::vector<Value>{report::text(c.record), report::text(c.id), report::text(c.field),
                                  c.was, c.now};
      }));
  const auto id_row = [](const Change& c) {
    return std::vector<Value>{report::text(c.record), report::text(c.id)};
  };
  document.sections.push_back(
      list_section("Added", d.added, {{"record", "record"}, {"id", "id"}}, id_row));
  document.sections.push_back(
      list_section("Removed", d.removed, {{"record", "record"}, {"id", "id"}}, id_row));
  document.csv = csv_table(d);
  return document;
}

ExitCode run(Invocation& invocation) {
  constexpr std::size_t kSides = 2;
  const data::OptionReader read(invocation.options, invocation.diagnostics);
  const auto threshold = read.quantity<units::Ratio>("threshold");
  if (invocation.arguments.size() != kSides) {
    invocation.diagnostics.report(
        diag::error("usage/missing-argument", {}, "say which two catalogs to compare")
            .with_help("write 'gpusel catalog diff builtin mine.yaml'; 'builtin' is the catalog in "
                       "force"));
  }
  if (invocation.diagnostics.has_errors()) return ExitCode::usage;
  const std::optional<Side> old_side = read_side(invocation.arguments[0], invocation);
  const std::optional<Side> new_side =
      old_side ? read_side(invocation.arguments[1], invocation) : std::nullopt;
  if (!new_side) return ExitCode::bad_data;
  if (invocation.diagnostics.has_errors()) return ExitCode::usage;
  Difference difference;
  for (std::size_t i = 0; i < std::size(kKinds); ++i) {
    add_difference(kNouns[i], old_side->records[i], new_side->records[i],
                   threshold ? threshold->value : 0, difference);
  }
  return invocation.print(view(*old_side, *new_side, difference), ExitCode::answered);
}

}  // namespace

extern const CommandSpec cmd_catalog_diff;
constinit const CommandSpec cmd_catalog_diff{
    "catalog diff",
    "what changed between two catalogs: prices, figures, what came and went",
    "Compares two catalogs: each PATH is a folder or file that overlays the catalog in force, or "
    "'builtin' for that catalog alone. With --no-builtin-catalog the two stand on their own. The "
    "filters of 'catalog list' choose the offers.",
    kExamples,
    {"OLD NEW", "builtin, a folder or a data file", 2},
    &options,
    &run};

}  // namespace gpusel::cli
