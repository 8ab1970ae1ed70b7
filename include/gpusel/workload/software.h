// Names of training software in published tables.
#pragma once

#include "gpusel/data/data_set.h"
#include "gpusel/diag/diagnostic.h"

#include <optional>
#include <string>
#include <string_view>

namespace gpusel::workload {

/// The id of the framework that a free text means ("Megatron-Bridge 25.04" is megatron-bridge): the
/// one whose longest name the text contains; empty where none does.
std::optional<std::string> framework_named(data::DataSet& set, std::string_view text,
                                           diag::Sink& sink);

}  // namespace gpusel::workload
