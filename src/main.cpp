#include "gpusel/base/bug.h"
#include "gpusel/cli/run.h"

#include <exception>
#include <iostream>
#include <string>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace {

// A run is short and gives nothing back before its end: each page that is taken again costs more
// than what is done with it.
void keep_memory() {
#ifdef __GLIBC__
  constexpr int kAtOnce = 1 << 23;  // bytes
  mallopt(M_MMAP_THRESHOLD, kAtOnce);
  mallopt(M_TRIM_THRESHOLD, 4 * kAtOnce);
  mallopt(M_TOP_PAD, kAtOnce);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  using gpusel::diag::ExitCode;
  keep_memory();
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
