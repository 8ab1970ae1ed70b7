// The checks over a whole catalog, each passing and failing.
#include "catch.h"
#include "unit/catalog/sample.h"

#include <set>
#include <string>

using namespace gpusel;
using namespace gpusel::catalog;
using namespace gpusel::catalog::test;

namespace {

std::string checked(const Texts& files) {
  Loaded loaded;
  load(files, loaded);
  REQUIRE(loaded.faults == "");
  diag::Buffer sink;
  for (const Check* check : checks()) {
    if (check->id == "prices" || check->id == "ranges")
      check->run({loaded.catalog, *Date::parse("2026-04-01")}, sink);
  }
  return data::test::faults_of(sink);
}

std::string checked_provider(const std::string& rest) {
  return checked(texts(provider_text(rest)));
}

std::string checked_gpu(const std::string& keys) {
  Texts files = texts(provider_text(""));
  files["d/more.yaml"] =
      "gpus: more\nentries:\n  - {id: x, name: X, vendor: v, architecture: a, " + keys + "}\n";
  return checked(files);
}

}  // namespace

TEST_CASE("each check has an id and a summary of its own", "[catalog]") {
  std::set<std::string_view> ids;
  for (const Check* check : checks()) {
    CHECK_FALSE(check->summary.empty());
    ids.insert(check->id);
  }
  CHECK(ids.size() == checks().size());
  CHECK(ids.count("prices") == 1);
  CHECK(ids.count("ranges") == 1);
}

TEST_CASE("plausible figures pass", "[catalog]") {
  CHECK(checked_provider(prices(
            "    - [big, west, on-demand, 98 USD/h, s]\n    - [big, west, spot, 40 USD/h, s]\n")) ==
        "");
  CHECK(checked_gpu(
            "memory: 24 GB, usable_memory: 22.5 GiB, memory_bandwidth: 300 GB/s, tdp: 72 W") == "");
}

TEST_CASE("figures that no machine has are out of range", "[catalog]") {
  CHECK(checked_gpu("memory: 80 TB") ==
        "3:58+5 catalog/out-of-range: memory of 80000 GB is out of range");
  CHECK(checked_gpu("memory: 80 MB") ==
        "3:58+5 catalog/out-of-range: memory of 80000000 B is out of range");
  CHECK(checked_gpu("memory: 80 GB, memory_bandwidth: 3 GB/s") ==
        "3:83+6 catalog/out-of-range: memory_bandwidth of 3 GB/s is out of range");
  CHECK(checked_gpu("memory: 80 GB, tdp: 70 kW") ==
        "3:70+5 catalog/out-of-range: tdp of 70000 W is out of range");
  CHECK(checked_gpu("memory: 80 GB, usable_memory: 60 GB") ==
        "3:80+5 catalog/out-of-range: usable_memory is 75 % of memory");
  CHECK(checked_provider("  - {id: x, memory: 100 TB}\n") ==
        "13:21+6 catalog/out-of-range: memory of 100000 GB is out of range");
  CHECK(checked_provider("  - {id: x, network: 1 kbps}\n") ==
        "13:22+6 catalog/out-of-range: network of 1.25e-07 GB/s is out of range");
  CHECK(checked_provider("  - {id: x, gpu: nvidia-h100-sxm5-80gb, count: 73}\n") ==
        "13:48+2 catalog/out-of-range: count of 73 GPUs is out of range");
}

TEST_CASE("a price of zero and a price without a date are errors", "[catalog]") {
  CHECK(checked_provider(prices("    - [big, west, on-demand, 0 USD/h, s]\n")) ==
        "16:30+7 catalog/zero-price: a price of zero");
  CHECK(checked_provider(prices("    - [big, west, on-demand, 1 USD/h, undated]\n")) ==
        "16:30+7 catalog/undated-price: a price without a date");
}

TEST_CASE("cheaper ways of buying are cheaper", "[catalog]") {
  const auto order = [](const std::string& rows) { return checked_provider(prices(rows)); };
  const std::string on_demand = "    - [big, west, on-demand, 10 USD/h, s]\n";
  CHECK(order(on_demand + "    - [big, west, spot, 11 USD/h, s]\n") ==
        "17:25+8 catalog/price-order: spot costs 11 USD/h, more than on-demand at 10 USD/h");
  CHECK(order(on_demand + "    - [big, west, reserved-1m, 11 USD/h, s]\n") ==
        "17:32+8 catalog/price-order: reserved-1m costs 11 USD/h, more than on-demand at 10 USD/h");
  CHECK(order(on_demand + "    - [big, west, reserved-1y, 6 USD/h, s]\n    - [big, west, "
                          "reserved-3y, 7 USD/h, s]\n") ==
        "18:32+7 catalog/price-order: reserved-3y costs 7 USD/h, more than reserved-1y at 6 USD/h");
  CHECK(order(on_demand + "    - [big, west, reserved-3y, 12 USD/h, s]\n") ==
        "17:32+8 catalog/price-order: reserved-3y costs 12 USD/h, more than on-demand at 10 USD/h");
  CHECK(order(on_demand + "    - [big, west, spot, 10 USD/h, s]\n    - [big, west, reserved-1y, "
                          "10.004 USD/h, s]\n") == "");
  CHECK(order(on_demand + "    - [big, east, spot, 11 USD/h, s]\n") == "");  // another region
  CHECK(order(on_demand + "    - [big, west, spot, 9 EUR/h, s]\n") ==  // converted first: 11.25 USD
        "17:25+7 catalog/price-order: spot costs 9 EUR/h, more than on-demand at 10 USD/h");
}
