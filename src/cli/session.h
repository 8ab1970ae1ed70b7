// What commands work on: the data in force, opened once.
#pragma once

#include "command.h"

#include "gpusel/catalog/catalog.h"
#include "gpusel/data/data_set.h"
#include "gpusel/rules/rule.h"
#include "gpusel/workload/workload.h"

#include <memory>
#include <optional>

namespace gpusel::cli {

struct Session {
  data::DataSet data;
  catalog::Catalog catalog;
};

/// The roots of the run, lowest first: built in, the user's data folder, GPUSEL_CATALOG, --catalog,
/// --rules.
std::vector<data::Root> roots_of(const Invocation& invocation);

/// Opens the data and loads the catalog. Nullopt after an error: nothing is answered from a
/// half-read catalog.
std::optional<Session> open_session(Invocation& invocation);
/// The same over roots of the caller's.
std::optional<Session> open_session(Invocation& invocation, std::vector<data::Root> roots);

/// Loads the rules in force; nullopt after an error.
std::optional<rules::RuleSet> load_rules(Session& session, Invocation& invocation);

/// The work that --workload and its flags describe; null after a report. `code` is then the exit
/// code.
std::unique_ptr<const workload::Workload> resolve_workload(Session& session, Invocation& invocation,
                                                           diag::ExitCode& code);

}  // namespace gpusel::cli
