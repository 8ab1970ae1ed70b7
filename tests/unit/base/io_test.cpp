// Files, in memory and real, and the environment.
#include "gpusel/base/io.h"

#include "catch.h"

#include "gpusel/base/bug.h"

#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

using namespace gpusel;
namespace fs = std::filesystem;

namespace {

// An empty folder that goes with the test.
class Scratch {
 public:
  Scratch() : path_(fs::temp_directory_path() / ("gpusel-io-" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    fs::create_directory(path_);
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] std::string at(const std::string& name) const { return (path_ / name).string(); }
  [[nodiscard]] std::string text() const { return path_.string(); }

 private:
  fs::path path_;
};

}  // namespace

TEST_CASE("memory files form folders from their paths", "[base]") {
  const Files files =
      memory_files({{"a/b/x.yaml", "1"}, {"a/y.yaml", "2"}, {"a-z", "3"}, {"/root/f", "4"}});
  CHECK(files.kind("a") == PathKind::folder);
  CHECK(files.kind("a/") == PathKind::folder);
  CHECK(files.kind("a/b") == PathKind::folder);
  CHECK(files.kind("a/y.yaml") == PathKind::file);
  CHECK(files.kind("a/c") == PathKind::missing);
  CHECK(files.kind("a/y") == PathKind::missing);  // a beginning of a name is no folder
  CHECK(files.kind("/") == PathKind::folder);
  CHECK(*files.list("a") == std::vector<std::string>{"b", "y.yaml"});
  CHECK(*files.list("a//") == std::vector<std::string>{"b", "y.yaml"});
  CHECK(*files.list("/") == std::vector<std::string>{"root"});
  CHECK(*files.read("a/y.yaml") == "2");
}

TEST_CASE("memory files say what is missing as the system does", "[base]") {
  const Files files = memory_files({{"a/x", "1"}});
  CHECK(files.read("a/y").error().message == "cannot read 'a/y': No such file or directory");
  CHECK(files.list("b").error().message == "cannot list 'b': No such file or directory");
}

TEST_CASE("memory files keep what is written", "[base]") {
  const Files files = memory_files({});
  CHECK(*files.write("out/a", "text") == 4);
  CHECK(*files.read("out/a") == "text");
  CHECK(files.kind("out") == PathKind::folder);
}

TEST_CASE("system files are read, listed and written whole", "[base]") {
  const Scratch folder;
  const Files files = system_files();
  const std::string text =
      "a\nb\0c"
      "云";
  REQUIRE(files.write(folder.at("b.yaml"), text));
  REQUIRE(files.write(folder.at("a.yaml"), ""));
  REQUIRE(files.write(folder.at("b.yaml"), "again"));
  CHECK(*files.read(folder.at("b.yaml")) == "again");
  CHECK(*files.read(folder.at("a.yaml")) == "");
  CHECK(*files.list(folder.text()) == std::vector<std::string>{"a.yaml", "b.yaml"});
  CHECK(files.kind(folder.text()) == PathKind::folder);
  CHECK(files.kind(folder.at("a.yaml")) == PathKind::file);
  CHECK(files.kind(folder.at("none")) == PathKind::missing);
}

TEST_CASE("a write that fails leaves nothing half-written", "[base]") {
  const Scratch folder;
  const Files files = system_files();
  fs::create_directory(folder.at("taken"));
  fs::create_directory(folder.at("taken/inside"));
  const Result<std::size_t> over_folder = files.write(folder.at("taken"), "text");
  REQUIRE_FALSE(over_folder);
  CHECK(over_folder.error().message.find("cannot write '" + folder.at("taken") + "': ") == 0);
  CHECK(*files.list(folder.text()) == std::vector<std::string>{"taken"});
  const Result<std::size_t> no_folder = files.write(folder.at("none/x"), "text");
  REQUIRE_FALSE(no_folder);
  CHECK(no_folder.error().message ==
        "cannot write '" + folder.at("none/x") + "': No such file or directory");
  CHECK(*files.list(folder.text()) == std::vector<std::string>{"taken"});
}

TEST_CASE("a device is written to and stays a device", "[base]") {
  const Files files = system_files();
  REQUIRE(files.kind("/dev/null") == PathKind::other);
  CHECK(*files.write("/dev/null", "text") == 4);
  CHECK(files.kind("/dev/null") == PathKind::other);
}

TEST_CASE("what cannot be read gives the system's reason", "[base]") {
  const Scratch folder;
  const Files files = system_files();
  CHECK(files.read(folder.at("none")).error().message ==
        "cannot read '" + folder.at("none") + "': No such file or directory");
  CHECK(files.read(folder.text()).error().message ==
        "cannot read '" + folder.text() + "': it is a folder");
  CHECK(files.list(folder.at("none")).error().message ==
        "cannot list '" + folder.at("none") + "': No such file or directory");
}

TEST_CASE("a file above the limit is not read", "[base]") {
  const Scratch folder;
  const Files files = system_files();
  REQUIRE(files.write(folder.at("big"), ""));
  fs::resize_file(folder.at("big"), kMaxFileBytes);
  CHECK(files.read(folder.at("big")).has_value());
  fs::resize_file(folder.at("big"), kMaxFileBytes + 1);
  CHECK(files.read(folder.at("big")).error().message ==
        "cannot read '" + folder.at("big") + "': larger than 64 MiB");
}

TEST_CASE("an empty variable is one that is not set", "[base]") {
  Io io;
  io.env = {{"A", "x"}, {"B", ""}};
  CHECK(io.variable("A") == std::optional<std::string>("x"));
  CHECK_FALSE(io.variable("B"));
  CHECK_FALSE(io.variable("C"));
}

TEST_CASE("a broken assumption of our own names its place", "[base]") {
  const int found = 3;
  CHECK_NOTHROW([&] { GPUSEL_BUG(found != 3); }());
  try {
    GPUSEL_BUG(found == 3);
    FAIL("no bug was thrown");
  } catch (const BugError& bug) {
    const std::string text = bug.what();
    CHECK(text.find("internal error: found == 3 at io_test.cpp:") == 0);
  }
}
