// The whole program as a function of its arguments and the outside world.
#pragma once

#include "gpusel/base/io.h"
#include "gpusel/diag/exit_code.h"

#include <string>
#include <vector>

namespace gpusel::cli {

/// Runs one command line (without the program's name). Results go to io.out, everything else to
/// io.err.
diag::ExitCode run(const std::vector<std::string>& args, Io& io);

}  // namespace gpusel::cli
