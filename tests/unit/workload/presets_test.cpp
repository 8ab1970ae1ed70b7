// Every shipped preset makes a workload of its kind.
#include "catch.h"
#include "serving_sample.h"

#include <set>

using namespace gpusel;
using namespace gpusel::workload;
using workload::test::shipped;

TEST_CASE("every preset resolves without a fault", "[workload]") {
  auto& s = shipped();
  constexpr std::string_view kOther[] = {"preset", "workload", "summary"};
  std::set<std::string> kinds;
  for (const data::DataFile* file : s.set.files("preset")) {
    const data::NodeRef root = file->document->root();
    const WorkloadKind* kind = find_kind(root.find("workload")->text());
    INFO(file->id);
    REQUIRE(kind != nullptr);
    CHECK_FALSE(root.find("summary")->text().empty());
    diag::Buffer faults;
    data::OptionValues values;
    data::read_options(root, kind->options, data::Origin::preset, kOther, values, faults);
    const auto work = kind->make(values, {&s.catalog, &s.set, &s.files}, faults);
    for (const diag::Diagnostic& fault : faults.all()) FAIL(fault.message);
    REQUIRE(work != nullptr);
    CHECK(work->kind() == kind->id);
    kinds.insert(std::string(kind->id));
  }
  CHECK(kinds.size() >= 3);
}
