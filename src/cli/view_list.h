// Lists of records (offers, GPUs, models, workloads): one JSON array, one table over it.
#pragma once

#include "command.h"

#include "gpusel/catalog/catalog.h"
#include "gpusel/report/document.h"

#include <span>
#include <string_view>
#include <vector>

namespace gpusel::cli {

/// A column of the table: the member of a record that it shows, as a path such as
/// `price.usd_per_hour`.
struct ListColumn {
  std::string_view path;
  std::string_view title;
  report::Align align = report::Align::left;
  int priority = 0;
};

struct ListAnswer {
  std::string_view command;  // "gpus list"
  std::string_view key;      // of the array in JSON: "gpus"
  std::string_view title;    // of the table
  report::Value catalog;
  std::vector<report::Value> records;
  std::span<const ListColumn> columns;
  std::vector<report::Member> about = {};  // members beside the records
  std::vector<report::Fact> facts = {};    // printed above the table
};

/// The member at a path; null where a part of it is missing.
report::Value member_at(const report::Value& record, std::string_view path);

/// Sorts by --sort PATH (or the title or last word of a column); `-PATH` turns the order round.
/// Reports an unknown one.
void sort_records(ListAnswer& answer, Invocation& invocation);

/// One row per record.
report::Document view_list(const ListAnswer& answer);
/// Every member of each record, a section each.
report::Document view_show(const ListAnswer& answer);

}  // namespace gpusel::cli
