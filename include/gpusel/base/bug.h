// GPUSEL_BUG: a broken assumption of our own. Throws BugError, which only main catches (exit 4).
#pragma once

#include <stdexcept>

namespace gpusel {

class BugError : public std::logic_error {
  using std::logic_error::logic_error;
};

[[noreturn]] void throw_bug(const char* condition, const char* file, int line);

}  // namespace gpusel

#define GPUSEL_BUG(condition)                                           \
  do {                                                                  \
    if (condition) ::gpusel::throw_bug(#condition, __FILE__, __LINE__); \
  } while (false)
