// Settings beside the command line: environment and config files, each value with its origin.
#pragma once

#include "command.h"

namespace gpusel::cli {

/// Adds what GPUSEL_* variables, ./gpusel.yaml (or --config) and the user's config file say to the
/// options that a command takes. Flags win over the environment, that over the project's file, that
/// over the user's.
void add_settings(const CommandSpec& command, Invocation& invocation);

}  // namespace gpusel::cli
