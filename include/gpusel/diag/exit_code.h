// Exit codes of the program; docs/diagnostics.md describes them.
#pragma once

namespace gpusel::diag {

enum class ExitCode : int {
  answered = 0,
  negative = 1,  // no feasible offer, or findings at or above --fail-on
  usage = 2,     // wrong command line
  bad_data = 3,  // a file that can't be read, written or parsed, or bad data in it
  bug = 4,
};

}  // namespace gpusel::diag
