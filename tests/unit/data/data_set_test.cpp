// Data sets: which files are in force, and what is said of the others.
#include "gpusel/data/data_set.h"

#include "catch.h"
#include "unit/data/faults.h"

#include <map>
#include <string>
#include <vector>

using namespace gpusel;
using namespace gpusel::data;

namespace {

Root at(const std::string& path) { return {Root::Kind::path, path}; }

struct Opened {
  DataSet set;
  std::string faults;
  std::vector<std::string> helps;
};

Opened open(const std::map<std::string, std::string>& files,
            const std::vector<std::string>& roots) {
  diag::Buffer sink;
  std::vector<Root> all;
  for (const std::string& root : roots) all.push_back(at(root));
  DataSet set = DataSet::open(all, memory_files(files), sink);
  Opened result{std::move(set), test::faults_of(sink), {}};
  for (const diag::Diagnostic& d : sink.sorted()) result.helps.push_back(d.help);
  return result;
}

std::string in_force(const DataSet& set) {
  std::string text;
  for (const DataFile& file : set.all()) text += file.kind + ":" + file.id + "=" + file.path + " ";
  return text;
}

}  // namespace

TEST_CASE("a file of the same kind and id in a higher root replaces the lower one whole",
          "[data]") {
  Opened o = open({{"low/a.yaml", "provider: aws\nname: low\nold: 1\n"},
                   {"low/b.yaml", "provider: gcp\n"},
                   {"low/c.yaml", "fabric: aws\n"},
                   {"high/x.yml", "provider: aws\nname: high\n"}},
                  {"low", "high"});
  CHECK(o.faults.empty());
  CHECK_FALSE(o.set.faulty());
  CHECK(in_force(o.set) ==
        "fabric:aws=low/c.yaml provider:aws=high/x.yml provider:gcp=low/b.yaml ");
  const std::vector<const DataFile*> providers = o.set.files("provider");
  REQUIRE(providers.size() == 2);
  CHECK(providers[0]->document->root().find("name")->text() == "high");
  CHECK_FALSE(providers[0]->document->root().find("old"));
  CHECK(providers[0]->root == 1);
  CHECK(o.set.files("rule").empty());
}

TEST_CASE("folders are read deep, hidden and foreign files are not", "[data]") {
  const Opened o = open({{"d/x/y/a.yaml", "provider: a\n"},
                         {"d/b.json", "{\"provider\": \"b\"}"},
                         {"d/.git/c.yaml", "provider: c\n"},
                         {"d/.d.yaml", "provider: d\n"},
                         {"d/notes.txt", "provider: e\n"}},
                        {"d/"});
  CHECK(o.faults.empty());
  CHECK(in_force(o.set) == "provider:a=d/x/y/a.yaml provider:b=d/b.json ");
}

TEST_CASE("a root may be one file, of any name", "[data]") {
  CHECK(in_force(open({{"f", "provider: a\n"}}, {"f"}).set) == "provider:a=f ");
}

TEST_CASE("two files of one kind and id in one root are an error", "[data]") {
  const Opened o =
      open({{"d/a.yaml", "# c\nprovider: aws\n"}, {"d/b.yaml", "provider: aws\n"}}, {"d"});
  CHECK(o.set.faulty());
  CHECK(o.faults == "1:1+1 data/duplicate-file: provider 'aws' stands in two files of one root");
  CHECK(o.helps == std::vector<std::string>{"the other is 'd/a.yaml'; keep one of them"});
  CHECK(in_force(o.set) == "provider:aws=d/a.yaml ");
}

TEST_CASE("the first key says what a file is, after comments and blank lines", "[data]") {
  const std::string before = GENERATE("", "# c\n", "\n\n", "# a: b\n\n  # c\n\n", "---\n");
  CHECK(in_force(open({{"d/a.yaml", before + "provider: x\nfabric: y\n"}}, {"d"}).set) ==
        "provider:x=d/a.yaml ");
}

TEST_CASE("a file that does not say what it is is refused", "[data]") {
  const auto [text, fault] = GENERATE(table<std::string, std::string>({
      {"provder: aws\n",
       "1:1+7 data/no-kind: the first key 'provder' does not say what the file is"},
      {"zzzzzz: 1\nprovider: aws\n",
       "1:1+6 data/no-kind: the first key 'zzzzzz' does not say what the file is"},
      {"- a\n", "1:1+1 data/no-kind: expected a map whose first key says what the file is"},
      {"{}", "1:1+1 data/no-kind: expected a map whose first key says what the file is"},
      {"provider:\n", "2:1+1 data/empty-value: expected an id, found nothing"},
      {"provider: [a]\n", "1:11+1 data/wrong-kind: expected an id, found a list"},
      {"provider: a b\n", "1:11+3 data/bad-id: 'a b' is not an id"},
      {"provider: {\n", ""},
      {"", "1:1+1 data/empty: the file is empty"},
  }));
  CAPTURE(text);
  const Opened o = open({{"d/a.yaml", text}, {"d/b.yaml", "provider: good\n"}}, {"d"});
  CHECK(o.set.faulty());
  if (!fault.empty()) CHECK(o.faults == fault);
  CHECK_FALSE(o.faults.empty());
  CHECK(in_force(o.set) == "provider:good=d/b.yaml ");
}

TEST_CASE("an unknown first key is suggested a known one, or all", "[data]") {
  CHECK(open({{"d/a.yaml", "provder: aws\n"}}, {"d"}).helps ==
        std::vector<std::string>{"did you mean 'provider'?"});
  const Opened far = open({{"d/a.yaml", "zzzzzz: aws\n"}}, {"d"});
  for (const DataKind& kind : data_kinds()) {
    CHECK(far.helps.front().find("'" + std::string(kind.key) + "'") != std::string::npos);
  }
}

TEST_CASE("what cannot be read makes the set faulty", "[data]") {
  const Opened missing = open({}, {"none"});
  CHECK(missing.set.faulty());
  CHECK(missing.faults == "data/unreadable: there is no file or folder 'none'");

  diag::Buffer sink;
  Files files = memory_files({{"d/a.yaml", "provider: a\n"}, {"d/sub/b.yaml", "provider: b\n"}});
  files.list = [list = files.list](const std::string& path) -> Result<std::vector<std::string>> {
    if (path == "d/sub") return Error{"cannot list 'd/sub': Permission denied", "", 0, 0};
    return list(path);
  };
  files.read = [](const std::string& path) -> Result<std::string> {
    return Error{"cannot read '" + path + "': Permission denied", "", 0, 0};
  };
  const DataSet set = DataSet::open({at("d")}, files, sink);
  CHECK(set.faulty());
  CHECK(test::faults_of(sink) ==
        "data/unreadable: cannot list 'd/sub': Permission denied\n"
        "data/unreadable: cannot read 'd/a.yaml': Permission denied");
}

TEST_CASE("an unreadable folder alone makes the set faulty", "[data]") {
  diag::Buffer sink;
  Files files = memory_files({{"d/sub/b.yaml", "provider: b\n"}});
  files.list = [list = files.list](const std::string& path) -> Result<std::vector<std::string>> {
    if (path == "d/sub") return Error{"cannot list", "", 0, 0};
    return list(path);
  };
  CHECK(DataSet::open({at("d")}, files, sink).faulty());
}

TEST_CASE("folders nested without end are refused", "[data]") {
  std::string deep = "d";
  for (int i = 0; i < 12; ++i) deep += "/x";
  const Opened o =
      open({{deep + "/a.yaml", "provider: a\n"}, {"d/b.yaml", "provider: b\n"}}, {"d"});
  CHECK(o.set.faulty());
  CHECK(o.faults.starts_with("data/too-deep: folders below 'd/x"));
  CHECK(in_force(o.set) == "provider:b=d/b.yaml ");
}

TEST_CASE("the fingerprint changes with any byte and with nothing else", "[data]") {
  const std::string text = "provider: aws\nname: AWS\n";
  const std::string print = open({{"d/a.yaml", text}}, {"d"}).set.fingerprint();
  CHECK(print.size() == 16);
  CHECK(open({{"other/place.yml", text}}, {"other"}).set.fingerprint() == print);
  for (std::size_t i = text.find("name"); i + 1 < text.size(); ++i) {
    std::string changed = text;
    changed[i] = changed[i] == 'x' ? 'y' : 'x';
    if (changed.find(':', i) == std::string::npos && changed[text.rfind(':')] != ':')
      continue;  // no map any more
    const Opened o = open({{"d/a.yaml", changed}}, {"d"});
    CAPTURE(changed);
    CHECK(o.set.fingerprint() != print);
  }
  CHECK(open({{"d/a.yaml", text + "\n"}}, {"d"}).set.fingerprint() != print);
  CHECK(open({{"d/a.yaml", text}, {"d/b.yaml", "provider: b\n"}}, {"d"}).set.fingerprint() !=
        print);
  CHECK(open({{"d/a.yaml", "provider: a\nx: 12\n"}, {"d/b.yaml", "provider: b\n"}}, {"d"})
            .set.fingerprint() !=
        open({{"d/a.yaml", "provider: a\nx: 1\n"}, {"d/b.yaml", "provider: b\n"}}, {"d"})
            .set.fingerprint());
}

TEST_CASE("the fingerprint tells one file from two that hold the same bytes", "[data]") {
  const Opened one = open({{"d/a.yaml", "provider: a\nproviderbprovider: b\n"}}, {"d"});
  const Opened two = open({{"d/a.yaml", "provider: a\n"}, {"d/b.yaml", "provider: b\n"}}, {"d"});
  CHECK(one.set.fingerprint() != two.set.fingerprint());
}

TEST_CASE("the built-in files are what their texts say", "[data]") {
  diag::Buffer sink;
  DataSet set = DataSet::open({{Root::Kind::builtin, ""}}, memory_files({}), sink);
  CHECK(test::faults_of(sink).empty());
  CHECK_FALSE(set.faulty());
  for (const DataKind& kind : data_kinds()) {
    for (const DataFile* file : set.files(kind.key)) {
      CAPTURE(file->path);
      CHECK(file->path.starts_with("<builtin>/" + std::string(kind.folder) + "/"));
      CHECK(file->document->root().find(file->kind)->text() == file->id);
    }
  }
}
