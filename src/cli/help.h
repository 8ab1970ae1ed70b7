// Help texts, generated from the command and option tables.
#pragma once

#include "command.h"

#include <string>

namespace gpusel::cli {

std::string help_overview(int width);
std::string help_of(const CommandSpec& command, int width);
std::string version_text();

}  // namespace gpusel::cli
