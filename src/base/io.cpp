#include "gpusel/base/io.h"

#include "gpusel/base/number.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <set>
#include <sstream>
#include <sys/ioctl.h>
#include <unistd.h>

namespace gpusel {
namespace fs = std::filesystem;
namespace {

Error failure(const std::string& action, const std::string& path, const std::string& reason) {
  return Error{"cannot " + action + " '" + path + "': " + reason, "", 0, 0};
}

Result<std::string> read_stream(std::istream& in, const std::string& name) {
  std::string text;
  std::string chunk(std::size_t{64} * 1024, '\0');
  while (in) {
    in.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    text.append(chunk, 0, static_cast<std::size_t>(in.gcount()));
    if (text.size() > kMaxFileBytes) return failure("read", name, "larger than 64 MiB");
  }
  if (in.bad()) return failure("read", name, std::strerror(errno));
  return text;
}

Result<std::string> read_file(const std::string& path) {
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (code) return failure("read", path, code.message());
  if (fs::is_directory(status)) return failure("read", path, "it is a folder");
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) return failure("read", path, std::strerror(errno));
  return read_stream(in, path);
}

PathKind kind_of(const std::string& path) {
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (!fs::exists(status)) return PathKind::missing;
  if (fs::is_regular_file(status)) return PathKind::file;
  return fs::is_directory(status) ? PathKind::folder : PathKind::other;
}

Result<std::vector<std::string>> list_folder(const std::string& path) {
  std::error_code code;
  std::vector<std::string> names;
  fs::directory_iterator entry(path, code);
  for (; !code && entry != fs::directory_iterator(); entry.increment(code)) {
    names.push_back(entry->path().filename().string());
  }
  if (code) return failure("list", path, code.message());
  std::sort(names.begin(), names.end());
  return names;
}

// True when all of the text went to the file.
bool write_through(const std::string& path, std::string_view text) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.flush();
  return out.good();
}

Result<std::size_t> write_file(const std::string& path, std::string_view text) {
  errno = 0;
  // A device or pipe is written to, never replaced by a file.
  if (kind_of(path) == PathKind::other) {
    if (!write_through(path, text)) return failure("write", path, std::strerror(errno));
    return text.size();
  }
  const std::string temporary = path + ".tmp" + std::to_string(::getpid());
  std::string reason;
  if (write_through(temporary, text)) {
    std::error_code code;
    fs::rename(temporary, path, code);
    if (!code) return text.size();
    reason = code.message();
  } else {
    reason = std::strerror(errno);
  }
  std::error_code ignored;
  fs::remove(temporary, ignored);
  return failure("write", path, reason);
}

// What the paths below a folder begin with: `a/` for `a` and `a//`.
std::string prefix_of(std::string folder) {
  while (!folder.empty() && folder.back() == '/') folder.pop_back();
  return folder + "/";
}

int terminal_width(const Io& io) {
  constexpr int kDefault = 100;
  constexpr int kNarrowest = 40;
  if (const auto columns = io.variable("COLUMNS")) {
    const Result<std::int64_t> value = parse_integer(*columns, kNarrowest, 1000);
    if (value) return static_cast<int>(*value);
  }
  winsize size{};
  if (io.out_is_terminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    return std::max<int>(size.ws_col, kNarrowest);
  }
  return kDefault;
}

}  // namespace

Files system_files() {
  return {.kind = kind_of, .read = read_file, .list = list_folder, .write = write_file};
}

Files memory_files(std::map<std::string, std::string> files) {
  auto store = std::make_shared<std::map<std::string, std::string>>(std::move(files));
  Files result;
  const auto holds = [store](const std::string& folder) {
    const auto next = store->lower_bound(folder);
    return next != store->end() && next->first.starts_with(folder);
  };
  result.kind = [store, holds](const std::string& path) {
    if (store->count(path) > 0) return PathKind::file;
    return holds(prefix_of(path)) ? PathKind::folder : PathKind::missing;
  };
  result.read = [store](const std::string& path) -> Result<std::string> {
    const auto found = store->find(path);
    if (found == store->end()) return failure("read", path, "No such file or directory");
    return found->second;
  };
  result.list = [store, holds](const std::string& path) -> Result<std::vector<std::string>> {
    const std::string folder = prefix_of(path);
    if (!holds(folder)) return failure("list", path, "No such file or directory");
    std::set<std::string> names;
    for (auto it = store->lower_bound(folder); it != store->end() && it->first.starts_with(folder);
         ++it) {
      names.insert(
          it->first.substr(folder.size(), it->first.find('/', folder.size()) - folder.size()));
    }
    return std::vector<std::string>(names.begin(), names.end());
  };
  result.write = [store](const std::string& path, std::string_view text) -> Result<std::size_t> {
    (*store)[path] = std::string(text);
    return text.size();
  };
  return result;
}

std::optional<std::string> Io::variable(std::string_view name) const {
  const auto found = env.find(name);
  if (found == env.end() || found->second.empty()) return std::nullopt;
  return found->second;
}

Io system_io() {
  Io io;
  io.files = system_files();
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos) {
      io.env.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
  }
  io.read_stdin = [] { return read_stream(std::cin, "<standard input>"); };
  io.out = &std::cout;
  io.err = &std::cerr;
  io.today = Date(std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  io.out_is_terminal = ::isatty(STDOUT_FILENO) == 1;
  io.err_is_terminal = ::isatty(STDERR_FILENO) == 1;
  io.width = terminal_width(io);
  return io;
}

}  // namespace gpusel
