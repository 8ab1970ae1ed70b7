// gpusel_golden_tests FOLDER...: runs every .test file of each folder and compares what the program
// prints. GPUSEL_UPDATE_GOLDEN=1 rewrites the files instead. The folder `help` has one file for
// each command.
#include "case.h"
#include "command.h"
#include "support/diff.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace gpusel::test;

struct Tally {
  std::size_t runs = 0;
  std::size_t failed = 0;
  std::size_t updated = 0;
};

void compare(const std::string& what, const std::string& expected, const std::string& actual,
             std::string& faults) {
  if (expected != actual) faults += "  " + what + " differs:\n" + diff(expected, actual);
}

std::string faults_of(const GoldenRun& run, const RunResult& actual) {
  std::string faults;
  compare("exit code", std::to_string(run.expected.exit_code), std::to_string(actual.exit_code),
          faults);
  compare("stdout", run.expected.out, actual.out, faults);
  compare("stderr", run.expected.err, actual.err, faults);
  for (const auto& [name, text] : actual.written) {
    const auto wanted = run.expected.written.find(name);
    compare("written file '" + name + "'",
            wanted == run.expected.written.end() ? "" : wanted->second, text, faults);
  }
  for (const auto& [name, text] : run.expected.written) {
    if (actual.written.count(name) == 0) faults += "  file '" + name + "' was not written\n";
  }
  return faults;
}

void check_file(const std::string& path, Tally& tally) {
  const std::string text = read_whole(path);
  GoldenFile file = read_golden(path, text);
  for (GoldenRun& run : file.runs) {
    ++tally.runs;
    const RunResult actual = fake_run(run.world);
    // Warnings beside an answer are easy to overlook in a rewritten file: they must be asked for.
    if (updating() && actual.exit_code == 0 && !actual.err.empty() && !run.says_stderr) {
      std::cout
          << path << ":" << run.line << ": run " << run.command
          << "\n  answers with a text on stderr; write an empty 'stderr' block to accept it:\n"
          << actual.err;
      ++tally.failed;
      continue;
    }
    const std::string faults = updating() ? "" : faults_of(run, actual);
    if (updating()) run.expected = actual;
    if (faults.empty()) continue;
    ++tally.failed;
    std::cout << path << ":" << run.line << ": run " << run.command << "\n" << faults;
  }
  if (!updating()) return;
  const std::string rewritten = write_golden(file);
  if (rewritten == text) return;
  write_whole(path, rewritten);
  ++tally.updated;
}

// A command that comes needs a help page here; one that goes leaves a page behind.
void check_help(const fs::path& folder, Tally& tally) {
  std::vector<std::string> wanted = {"overview.test"};
  for (const gpusel::cli::CommandSpec* command : gpusel::cli::commands()) {
    std::string name(command->name);
    std::replace(name.begin(), name.end(), ' ', '-');
    wanted.push_back(name + ".test");
    const fs::path path = folder / wanted.back();
    if (fs::exists(path)) continue;
    if (updating()) {
      write_whole(path.string(),
                  "# Help of the command.\nrun " + std::string(command->name) + " --help\nend\n");
    } else {
      std::cout << path.string() << " is missing: run with GPUSEL_UPDATE_GOLDEN=1\n";
      ++tally.failed;
    }
  }
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (std::find(wanted.begin(), wanted.end(), name) != wanted.end()) continue;
    std::cout << entry.path().string() << " belongs to no command\n";
    ++tally.failed;
  }
}

void check_folder(const fs::path& folder, Tally& tally) {
  if (folder.filename() == "help") check_help(folder, tally);
  std::vector<std::string> paths;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".test") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) check_file(path, tally);
}

}  // namespace

int main(int argc, char** argv) {
  Tally tally;
  try {
    for (int i = 1; i < argc; ++i) check_folder(fs::canonical(argv[i]), tally);
  } catch (const std::exception& fault) {
    std::cout << fault.what() << '\n';
    ++tally.failed;
  }
  std::cout << tally.runs << " runs, " << tally.failed << " failed";
  if (updating()) std::cout << ", " << tally.updated << " files rewritten";
  std::cout << '\n';
  return tally.failed > 0 || tally.runs == 0 ? 1 : 0;
}
