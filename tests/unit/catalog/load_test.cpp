// Loading: what good files become.
#include "catch.h"
#include "unit/catalog/sample.h"

#include <string>
#include <vector>

using namespace gpusel;
using namespace gpusel::catalog;
using namespace gpusel::catalog::test;

namespace {

Catalog good(const std::string& provider) {
  std::string faults;
  Catalog catalog = load_good(provider, &faults);
  REQUIRE(faults == "");
  return catalog;
}

std::vector<std::string> ids(const Catalog& catalog) {
  std::vector<std::string> all;
  for (const Offer& offer : catalog.offers) all.push_back(catalog.id_of(offer));
  return all;
}

double usd_of(const Offer& offer) { return units::in_usd_per_hour(offer.price->rate); }

}  // namespace

TEST_CASE("a catalog joins instances, hardware, regions and prices", "[catalog]") {
  const Catalog c = good(provider_text(prices("    - [big, west, on-demand, 98.32 USD/h, s]\n")));
  REQUIRE(c.offers.size() == 2);
  const Offer& offer = c.offers[0];
  CHECK(c.id_of(offer) == "cloud/big/west/on-demand");
  CHECK(c.provider_of(offer).name == "Cloud");
  CHECK(c.provider_of(offer).billing_increment == units::seconds(60));
  const Hardware& hardware = c.hardware_of(offer);
  CHECK(hardware.count == 8);
  CHECK(c.gpu_of(hardware)->id == GpuId("nvidia-h100-sxm5-80gb"));
  CHECK(c.fabric_of(hardware)->name == "EFA");
  CHECK(c.regions[*offer.region].country == "US");
  CHECK(usd_of(offer) == Approx(98.32));
  CHECK(offer.price->literal == "98.32 USD/h");
  CHECK(offer.price->date->text() == "2026-03-15");
  CHECK(offer.price->confidence == Confidence::verified);
  CHECK(c.span_of(offer.price->provenance).line == 16);
  CHECK(c.span_of(offer.price->provenance).column == 5);
  CHECK(c.roots == std::vector<std::string>{"d"});
  CHECK(c.fingerprint.size() == 16);
}

TEST_CASE("an instance without a price row is an offer without region and price", "[catalog]") {
  const Catalog c = good(provider_text(prices("    - [big, west, on-demand, 98.32 USD/h, s]\n")));
  CHECK(ids(c) ==
        std::vector<std::string>{"cloud/big/west/on-demand", "cloud/cpu/unknown/on-demand"});
  CHECK_FALSE(c.offers[1].region);
  CHECK_FALSE(c.offers[1].price);
  CHECK(c.gpu_of(c.hardware_of(c.offers[1])) == nullptr);
  CHECK(c.fabric_of(c.hardware_of(c.offers[1])) == nullptr);
}

TEST_CASE("an unknown price is an offer in its region without a price", "[catalog]") {
  const Catalog c = good(provider_text(
      prices("    - [big, east, spot, unknown, s]\n    - [cpu, east, on-demand, 1 USD/h, s]\n")));
  CHECK(ids(c) == std::vector<std::string>{"cloud/big/east/spot", "cloud/cpu/east/on-demand"});
  CHECK_FALSE(c.offers[0].price);
}

TEST_CASE(
    "offers are in the order of instance, region, zone and purchase, whatever that of the rows",
    "[catalog]") {
  const Catalog c = good(provider_text(
      "prices:\n  columns: [zone, purchase, region, instance, price, source]\n  rows:\n"
      "    - [~, on-demand, east, cpu, 1 USD/h, s]\n    - [b, spot, west, big, 2 USD/h, s]\n"
      "    - [a, spot, west, big, 2 USD/h, s]\n    - [a, on-demand, west, big, 3 USD/h, s]\n"));
  CHECK(ids(c) == std::vector<std::string>{"cloud/big/west/a/on-demand", "cloud/big/west/a/spot",
                                           "cloud/big/west/b/spot", "cloud/cpu/east/on-demand"});
}

TEST_CASE("a listed currency is converted at the rate of the price's month", "[catalog]") {
  const Catalog c = good(provider_text(
      "prices:\n  columns: [instance, region, purchase, price, source, date]\n  rows:\n"
      "    - [big, west, on-demand, 10 EUR/h, s, ~]\n"             // 2026-03-15, of the source
      "    - [big, west, reserved-1m, 10 EUR/h, s, 2026-03-01]\n"  // first day of a month
      "    - [big, west, reserved-1y, 10 EUR/h, s, 2026-02-28]\n"  // the newest rate before it
      "    - [big, west, reserved-3y, 10 EUR/h, s, 2020-01-01]\n"  // before the oldest rate
      "    - [big, east, on-demand, 10 EUR/h, undated, ~]\n"));    // no date: the newest
  CHECK(usd_of(c.offers[0]) == Approx(12.5));
  CHECK(usd_of(c.offers[1]) == Approx(12.5));
  CHECK(usd_of(c.offers[2]) == Approx(11));
  CHECK(usd_of(c.offers[3]) == Approx(11));
  CHECK(usd_of(c.offers[4]) == Approx(15));
  CHECK(c.offers[0].price->listed.currency == "EUR");
  CHECK(c.offers[0].price->listed.amount == 10);
  CHECK(c.offers[0].price->literal == "10 EUR/h");
  CHECK(c.offers[4].price->confidence == Confidence::recalled);
  CHECK(c.oldest_price()->text() == "2020-01-01");
  CHECK(c.newest_price()->text() == "2026-03-15");
}

TEST_CASE("a catalog without prices has neither an oldest nor a newest", "[catalog]") {
  const Catalog c = good(provider_text(""));
  CHECK_FALSE(c.newest_price());
  CHECK_FALSE(c.oldest_price());
}

TEST_CASE("equal hardware is one record, over instances and providers", "[catalog]") {
  Texts files =
      texts(provider_text("  - {id: twin, gpu: nvidia-h100-sxm5-80gb, count: 8, fabric: efa, "
                          "memory: 2 TiB, network: 3200 Gbps}\n"
                          "  - {id: half, gpu: nvidia-h100-sxm5-80gb, count: 4, fabric: efa, "
                          "memory: 2 TiB, network: 3200 Gbps}\n"));
  files["d/other.yaml"] = "provider: other\nname: Other\ninstances: [{id: small, vcpus: 4}]\n";
  Loaded loaded;
  load(files, loaded);
  CHECK(loaded.faults == "");
  CHECK(loaded.catalog.instances.size() == 5);
  CHECK(loaded.catalog.hardware.size() == 3);
  const auto hardware_of = [&](const char* name) {
    return loaded.catalog.instances[loaded.catalog.instances_named(name).at(0)].hardware;
  };
  CHECK(hardware_of("big") == hardware_of("twin"));
  CHECK(hardware_of("big") != hardware_of("half"));
  CHECK(hardware_of("cpu") == hardware_of("other/small"));
}

TEST_CASE("an interruption goes to the spot offers of its instance and region, in every zone",
          "[catalog]") {
  const Catalog c = good(provider_text(
      "prices:\n  columns: [instance, region, purchase, price, source, zone]\n  rows:\n"
      "    - [big, west, on-demand, 9 USD/h, s, ~]\n    - [big, west, spot, 3 USD/h, s, a]\n"
      "    - [big, west, spot, 3 USD/h, s, b]\n    - [big, east, spot, 3 USD/h, s, ~]\n"
      "interruptions:\n  columns: [instance, region, low, high, source]\n  rows:\n"
      "    - [big, west, 5 %, 10 %, s]\n    - [big, east, 20 %, unknown, s]\n    - [cpu, west, 5 "
      "%, 10 %, s]\n"));
  REQUIRE(c.offers.size() == 5);
  CHECK_FALSE(c.offers[0].interruption);
  REQUIRE(c.offers[1].interruption);
  CHECK(c.offers[1].interruption->low == Approx(0.05));
  CHECK(c.offers[1].interruption->high == Approx(0.10));
  CHECK(c.offers[2].interruption.has_value());
  REQUIRE(c.offers[3].interruption);
  CHECK(c.offers[3].interruption->low == Approx(0.20));
  CHECK_FALSE(c.offers[3].interruption->high);
}

TEST_CASE("a GPU is found by id, alias, family and vendor with family, whatever the case",
          "[catalog]") {
  const Catalog c = good(provider_text(""));
  const auto named = [&](const char* name) {
    std::vector<std::string> found;
    for (const std::uint32_t i : c.gpus_named(name)) found.push_back(c.gpus[i].id.text());
    return found;
  };
  const std::vector<std::string> both = {"nvidia-h100-pcie-80gb", "nvidia-h100-sxm5-80gb"};
  CHECK(named("nvidia-h100-sxm5-80gb") == std::vector<std::string>{"nvidia-h100-sxm5-80gb"});
  CHECK(named("NVIDIA-H100-SXM5-80GB") == std::vector<std::string>{"nvidia-h100-sxm5-80gb"});
  CHECK(named("H100-SXM") == std::vector<std::string>{"nvidia-h100-sxm5-80gb"});
  CHECK(named("h100") == both);
  CHECK(named("H100") == both);
  CHECK(named("nvidia-h100") == both);
  CHECK(named("amd-h100").empty());
  CHECK(named("amd-mi250") == std::vector<std::string>{"AMD-MI250"});
  CHECK(named("AMD-MI250") == std::vector<std::string>{"AMD-MI250"});
  CHECK(named("").empty());
  CHECK(named("h10").empty());
  CHECK(c.gpu_names().size() == 6);  // three ids, an alias, a family twice
}

TEST_CASE("an instance is found by its id, with its provider, or by an offer's id", "[catalog]") {
  const Catalog c = good(provider_text(""));
  CHECK(c.instances_named("big").size() == 1);
  CHECK(c.instances_named("cloud/big") == c.instances_named("big"));
  CHECK(c.instances_named("cloud/big/west/on-demand") == c.instances_named("big"));
  CHECK(c.instances_named("other/big").empty());
  CHECK(c.instances_named("BIG").empty());
  CHECK(c.instances_named("").empty());
}

TEST_CASE("a GPU's memory and capability have their rules", "[catalog]") {
  Gpu gpu;
  gpu.memory = units::gb(16);
  CHECK(units::in_gb(gpu.available_memory()) == Approx(15.92));
  gpu.memory_kind = "GDDR6";
  CHECK(units::in_gb(gpu.available_memory()) == Approx(15));
  gpu.usable_memory = units::gb(14.7);
  CHECK(units::in_gb(gpu.available_memory()) == Approx(14.7));
  gpu.compute_capability = "8.9";
  CHECK_FALSE(gpu.capability());
  gpu.vendor = "nvidia";
  CHECK(gpu.capability() == 8.9);
  gpu.compute_capability = "gfx942";
  CHECK_FALSE(gpu.capability());
  CHECK_FALSE(gpu.is_slice());
}
