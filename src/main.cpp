#include "gpusel/base/bug.h"
#include "gpusel/cli/run.h"

#include <exception>
#include <iostream>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  using gpusel::diag::ExitCode;
  try {
    std::ios::sync_with_stdio(false);
    gpusel::Io io = gpusel::system_io();
    return static_cast<int>(gpusel::cli::run(std::vector<std::string>(argv + 1, argv + argc), io));
  } catch (const gpusel::BugError& bug) {
    std::cerr << "gpusel: " << bug.what()
              << "\nthis is a fault of gpusel; please report it with the command line\n";
  } catch (const std::exception& fault) {
    std::cerr << "gpusel: internal error: " << fault.what() << '\n';
  }
  return static_cast<int>(ExitCode::bug);
}
