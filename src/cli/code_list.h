// Every code that `catalog check` can report.
#pragma once

#include "command.h"

#include "gpusel/cli/check_codes.h"

#include <string_view>
#include <vector>

namespace gpusel::cli {

/// The codes that say that a file could not be read or parsed.
std::vector<std::string_view> unreadable_codes();

/// `catalog check --list`.
diag::ExitCode list_codes(Invocation& invocation);

}  // namespace gpusel::cli
