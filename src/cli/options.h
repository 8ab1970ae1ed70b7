// The option tables that commands share.
#pragma once

#include "gpusel/data/option.h"

#include <vector>

namespace gpusel::cli {

/// --format, --json, --color, --output, --quiet, --verbose, --as-of, --config, --help
std::vector<data::OptionSpec> output_options();
/// --catalog, --no-builtin-catalog, --rules
std::vector<data::OptionSpec> catalog_options();
/// The same and --calibration, for commands that estimate.
std::vector<data::OptionSpec> estimate_options();
/// --optimize, --weights, --deadline, … --top, --all, --show-rejected
std::vector<data::OptionSpec> choice_options();
/// --workload and every option of every kind
std::vector<data::OptionSpec> workload_options();

/// The tables one after the other.
std::vector<data::OptionSpec> joined(std::initializer_list<std::vector<data::OptionSpec>> tables);

}  // namespace gpusel::cli
