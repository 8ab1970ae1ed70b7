// gpusel_docs_examples GPUSEL FILES PAGE...: runs every `$ command` of the console blocks of each
// page with the real program, in a copy of FILES, on the shipped catalog as of its newest price,
// and compares what is printed. GPUSEL_UPDATE_GOLDEN=1 rewrites the pages instead.
#include "page.h"
#include "support/diff.h"

#include "gpusel/catalog/catalog.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace gpusel;

// The day of the newest price: answers then depend on the data alone.
std::string newest_day() {
  diag::Buffer faults;
  data::DataSet set =
      data::DataSet::open({{data::Root::Kind::builtin, {}}}, memory_files({}), faults);
  const auto day = catalog::load_catalog(set, faults).newest_price();
  if (!day) throw std::runtime_error("the shipped catalog has no price");
  return day->text();
}

// A copy of the example files that nothing else sees; removed at the end.
class Workplace {
 public:
  explicit Workplace(const std::string& files) {
    std::string name = (fs::temp_directory_path() / "gpusel-docs-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder");
    folder_ = name;
    fs::copy(files, folder_, fs::copy_options::recursive);
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  ~Workplace() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  [[nodiscard]] std::vector<std::string> output_of(const std::string& command) const {
    const std::string line = "cd '" + folder_.string() + "' && { " + command + "\n} 2>&1";
    std::FILE* pipe = ::popen(line.c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error("cannot start a shell");
    std::string text;
    std::array<char, 4096> chunk{};
    while (const std::size_t n = std::fread(chunk.data(), 1, chunk.size(), pipe))
      text.append(chunk.data(), n);
    static_cast<void>(::pclose(pipe));
    return test::lines_of(text);
  }

 private:
  fs::path folder_;
};

// Other programs of a pipe may be missing on this machine.
bool can_run(const std::string& command) {
  return command.find("jq ") == std::string::npos ||
         std::system("command -v jq >/dev/null 2>&1") == 0;
}

std::size_t check_page(const std::string& path, const Workplace& workplace, std::size_t& count) {
  const test::Page page = test::read_page(path);
  std::vector<test::Example> examples = page.examples;
  std::size_t failed = 0;
  for (test::Example& example : examples) {
    if (!can_run(example.command)) {
      std::cout << path << ":" << example.line << ": left out, a program is not installed\n";
      continue;
    }
    ++count;
    const std::vector<std::string> actual = workplace.output_of(example.command);
    if (test::fits(example.expected, actual)) continue;
    if (test::updating()) {
      example.expected = test::renewed(example.expected, actual);
      if (test::fits(example.expected, actual)) continue;
    }
    ++failed;
    std::string expected_text;
    for (const std::string& line : example.expected) expected_text += line + "\n";
    std::string actual_text;
    for (const std::string& line : actual) actual_text += line + "\n";
    std::cout << path << ":" << example.line << ": $ " << example.command << "\n"
              << test::diff(expected_text, actual_text);
  }
  if (test::updating()) test::write_whole(path, test::rewritten(page, examples));
  return failed;
}

void set(const char* name, const std::string& value) { ::setenv(name, value.c_str(), 1); }

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cout << "usage: gpusel_docs_examples GPUSEL FILES PAGE...\n";
    return 2;
  }
  try {
    const Workplace workplace(argv[2]);
    set("PATH", fs::absolute(argv[1]).parent_path().string() + ":" + std::getenv("PATH"));
    set("GPUSEL_AS_OF", newest_day());
    set("COLUMNS", "100");
    for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "GPUSEL_CATALOG"})
      ::unsetenv(name);
    std::size_t count = 0;
    std::size_t failed = 0;
    for (int i = 3; i < argc; ++i) failed += check_page(argv[i], workplace, count);
    std::cout << count << " examples, " << failed << " failed\n";
    return failed == 0 && count > 0 ? 0 : 1;
  } catch (const std::exception& fault) {
    std::cout << fault.what() << '\n';
    return 1;
  }
}
