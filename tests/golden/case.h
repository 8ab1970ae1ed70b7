// A golden file: several runs of the program with what each must print.
//
//   # What the run is about.
//   env GPUSEL_TOP=3              any number of these
//   width 60                      columns of the terminal; 100 unless said
//   run recommend --workload work.yaml
//   file work.yaml                a file in memory; any number of these
//   workload: llm-train
//   stdin                         what standard input holds
//   exit 0
//   stdout
//   …
//   stderr
//   …
//   written answer.json           a file that the run must have written
//   …
//   end
//
// `env` and `width` stand before their `run`. A block that is left out is empty. A line of a block
// that looks like one of these words, or begins with a backslash, gets a backslash in front; `\ no
// line feed` ends a text without one.
#pragma once

#include "support/fake_run.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpusel::test {

struct GoldenRun {
  std::vector<std::string> prologue;  // comments and empty lines before the run
  std::string command;                // the text after `run`
  FakeWorld world;
  std::vector<std::pair<std::string, std::string>> files;  // in the order of the file
  bool has_stdin = false;
  bool says_stderr = false;  // a `stderr` block is there, even an empty one
  RunResult expected;
  std::size_t line = 0;  // of `run`
};

struct GoldenFile {
  std::vector<GoldenRun> runs;
  std::vector<std::string> epilogue;  // comments after the last run
};

/// Reads a file; throws std::runtime_error with `path:line: message` on a fault of form.
GoldenFile read_golden(const std::string& path, std::string_view text);
/// The text of a file; reading it gives the same runs.
std::string write_golden(const GoldenFile& file);

}  // namespace gpusel::test
