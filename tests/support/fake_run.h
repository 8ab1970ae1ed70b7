// One run of the whole program in process, in a world made of values.
//
//   const RunResult r = fake_run({.args = {"recommend", "--workload", "llm-train"}});
#pragma once

#include "gpusel/base/date.h"

#include <map>
#include <string>
#include <vector>

namespace gpusel::test {

struct FakeWorld {
  std::vector<std::string> args;
  std::map<std::string, std::string> files = {};
  std::map<std::string, std::string, std::less<>> env = {};
  std::string input = {};
  std::string today = "2026-11-20";
  int width = 100;
};

struct RunResult {
  int exit_code = 0;
  std::string out;
  std::string err;
  std::map<std::string, std::string> written;  // files that were made or changed
};

/// Runs cli::run as main does; an internal fault gives exit code 4 and its text in `err`.
RunResult fake_run(const FakeWorld& world);

}  // namespace gpusel::test
