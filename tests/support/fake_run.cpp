#include "support/fake_run.h"

#include "gpusel/base/io.h"
#include "gpusel/cli/run.h"

#include <exception>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace gpusel::test {

RunResult fake_run(const FakeWorld& world) {
  RunResult result;
  std::ostringstream out;
  std::ostringstream err;
  Io io;
  io.files = memory_files(world.files);
  const auto written = std::make_shared<std::map<std::string, std::string>>();
  io.files.write = [write = io.files.write, written](const std::string& path,
                                                     std::string_view text) {
    (*written)[path] = std::string(text);
    return write(path, text);
  };
  io.env = world.env;
  io.read_stdin = [&world]() -> Result<std::string> { return world.input; };
  io.out = &out;
  io.err = &err;
  const Result<Date> today = Date::parse(world.today);
  if (!today) throw std::runtime_error(today.error().message);
  io.today = *today;
  io.width = world.width;
  try {
    result.exit_code = static_cast<int>(cli::run(world.args, io));
  } catch (const std::exception& fault) {
    result.exit_code = static_cast<int>(diag::ExitCode::bug);
    err << "internal error: " << fault.what() << '\n';
  }
  result.out = out.str();
  result.err = err.str();
  result.written = *written;
  return result;
}

}  // namespace gpusel::test
