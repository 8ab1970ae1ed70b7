// The records that lists and shows print.
#pragma once

#include "command.h"
#include "session.h"
#include "view_list.h"

#include "gpusel/recommend/recommend.h"
#include "gpusel/workload/model_head.h"

#include <vector>

namespace gpusel::cli {

std::vector<data::OptionSpec> offer_list_options();
std::vector<data::OptionSpec> gpu_list_options();
std::vector<data::OptionSpec> model_list_options();
/// Sorting, catalog and output options alone.
std::vector<data::OptionSpec> plain_list_options();

/// One kind of record: how `<key> list` and `<key> show` read it, and what names one of them.
struct RecordKind {
  std::string_view list;  // the commands: "gpus list"
  std::string_view show;
  ListAnswer (*read)(Session&, Invocation&);
  std::vector<std::string> (*known_names)(const Session&, const ListAnswer&);  // for suggestions
  bool (*is_named)(const report::Value& record, std::string_view name);
  /// What `show` adds to a record; null: nothing.
  void (*complete)(const Session&, report::Value& record) = nullptr;
};
extern const RecordKind kOfferRecords;  // those that pass the filters of the choice options
extern const RecordKind kGpuRecords;
extern const RecordKind kModelRecords;
extern const RecordKind kFileRecords;  // the data files in force
extern const RecordKind kWorkloadRecords;

/// Every record of a kind, or those that the command's arguments name.
diag::ExitCode list_records(const RecordKind& kind, Invocation& invocation);
diag::ExitCode show_records(const RecordKind& kind, Invocation& invocation);

/// `models list --fits`: which decoders a machine holds, in which formats.
diag::ExitCode list_model_fits(Invocation& invocation);

/// The offers by --group: how many, and the spread of their prices.
diag::ExitCode list_groups(std::string_view by, Invocation& invocation);

/// {url, date, confidence} of the source of a record.
report::Value citation_value(const catalog::Catalog& catalog,
                             const catalog::Provenance& provenance);

/// The kinds of model that --kind asks for; all where it is not given.
std::vector<workload::ModelKind> asked_kinds(Invocation& invocation);

/// Names of records with an `id` and `aliases`; case is ignored.
std::vector<std::string> ids_and_aliases(const Session& session, const ListAnswer& answer);
bool has_id_or_alias(const report::Value& record, std::string_view name);

}  // namespace gpusel::cli
