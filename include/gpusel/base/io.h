// Io: the outside world as a value, so that every command runs in a test without touching it.
//
//   Io io = Io::system(argc, argv);      // the real one, in main only
//   Io fake; fake.files = memory_files({{"a.yaml", "provider: a\n"}});
#pragma once

#include "gpusel/base/date.h"
#include "gpusel/base/expected.h"

#include <functional>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpusel {

enum class PathKind { missing, file, folder, other };

/// File access. Errors carry the operating system's reason in `message`.
struct Files {
  std::function<PathKind(const std::string& path)> kind;
  std::function<Result<std::string>(const std::string& path)> read;
  /// Names of the entries of a folder, sorted; no `.` and `..`.
  std::function<Result<std::vector<std::string>>(const std::string& path)> list;
  /// Writes a whole file through a temporary neighbour, so that nothing half-written is left.
  std::function<Result<std::size_t>(const std::string& path, std::string_view text)> write;
};

/// Largest file that is read (data files, workload files): a guard against hostile input.
inline constexpr std::size_t kMaxFileBytes = std::size_t{64} * 1024 * 1024;

Files system_files();
/// An in-memory file system for tests; folders follow from the paths.
Files memory_files(std::map<std::string, std::string> files);

struct Io {
  Files files;
  std::map<std::string, std::string, std::less<>> env;
  std::function<Result<std::string>()> read_stdin;
  std::ostream* out = nullptr;
  std::ostream* err = nullptr;
  Date today;
  int width = 100;  // columns of the terminal, or 100 where there is none
  bool out_is_terminal = false;
  bool err_is_terminal = false;

  [[nodiscard]] std::optional<std::string> variable(std::string_view name) const;
};

/// The process's environment, standard streams, clock and file system.
Io system_io();

}  // namespace gpusel
