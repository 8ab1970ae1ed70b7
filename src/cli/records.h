// The records that lists and shows print.
#pragma once

#include "command.h"
#include "session.h"
#include "view_list.h"

#include "gpusel/recommend/recommend.h"

#include <vector>

namespace gpusel::cli {

std::vector<data::OptionSpec> offer_list_options();
std::vector<data::OptionSpec> gpu_list_options();
/// Sorting, catalog and output options alone.
std::vector<data::OptionSpec> plain_list_options();

/// The offers that pass the filters of the choice options.
ListAnswer offer_list(const catalog::Catalog& catalog, Invocation& invocation,
                      std::string_view command);
ListAnswer gpu_list(const catalog::Catalog& catalog, Invocation& invocation,
                    std::string_view command);
ListAnswer model_list(Session& session, Invocation& invocation, std::string_view command);
ListAnswer workload_list(Session& session, Invocation& invocation, std::string_view command);

/// Keeps the records that the command's arguments name (by id, or by a test of the caller); reports
/// an argument that names none.
void keep_named(ListAnswer& answer, const Invocation& invocation, diag::Sink& sink,
                const std::vector<std::string>& known_names,
                bool (*names)(const report::Value& record, std::string_view name));

}  // namespace gpusel::cli
