// Patches and price sheets: what they change, and what is said of those that can't be.
#include "catch.h"
#include "unit/catalog/sample.h"

#include <string>

using namespace gpusel;
using namespace gpusel::catalog;
using namespace gpusel::catalog::test;

namespace {

struct Outcome {
  Catalog catalog;
  std::string faults;
};

Outcome loaded_with(std::map<std::string, std::string> more, const std::string& rows) {
  Texts files = texts(provider_text(prices(rows)));
  for (auto& [path, text] : more) files[path] = std::move(text);
  Loaded loaded;
  load(files, loaded);
  return {std::move(loaded.catalog), std::move(loaded.faults)};
}

std::string patch(const std::string& entries) {
  return "patch: acme\n" + std::string(kSources) + "patches:\n" + entries;  // entries: line 6
}

constexpr const char* kRows =
    "    - [big, west, on-demand, 100 USD/h, s]\n"
    "    - [big, east, on-demand, unknown, s]\n";

double usd_of(const Offer& offer) { return units::in_usd_per_hour(offer.price->rate); }

}  // namespace

TEST_CASE("a discount comes off the listed price and leaves a mark", "[catalog]") {
  const Outcome l = loaded_with(
      {{"d/p.yaml", patch("  - on: price\n"
                          "    where: {provider: cloud, instance: b*, purchase: on-demand}\n"
                          "    set: {discount: 12 %}\n"
                          "    because: contract\n"
                          "    source: s\n")}},
      kRows);
  REQUIRE(l.faults == "");
  const Offer& west = l.catalog.offers[0];
  CHECK(usd_of(west) == Approx(88));
  CHECK(west.price->literal == "88 USD/h");
  const auto marks = l.catalog.patches_of(west);
  REQUIRE(marks.size() == 1);
  CHECK(marks[0]->field == "discount");
  CHECK(marks[0]->now == "12 %");
  CHECK(marks[0]->because == "contract");
  CHECK_FALSE(l.catalog.offers[1].price);  // nothing to take it from
}

TEST_CASE("a patch gives a price where none was known", "[catalog]") {
  const Outcome l = loaded_with({{"d/p.yaml", patch("  - on: price\n"
                                                    "    where: {instance: big, region: east}\n"
                                                    "    set: {price: 60 EUR/h}\n"
                                                    "    source: s\n")}},
                                kRows);
  REQUIRE(l.faults == "");
  const Offer& east = l.catalog.offers[1];
  REQUIRE(east.price);
  CHECK(usd_of(east) == Approx(75));  // at the rate of the patch's own date
  CHECK(l.catalog.patches_of(east)[0]->was == "unknown");
}

TEST_CASE("patches change instances, regions, providers and GPUs", "[catalog]") {
  const Outcome l = loaded_with(
      {{"d/p.yaml", patch("  - {on: instance, where: {instance: big}, set: {network: 1600 Gbps}, "
                          "source: s}\n"
                          "  - {on: region, where: {region: west}, set: {country: DE}, source: s}\n"
                          "  - {on: provider, where: {provider: cloud}, set: {name: Own}, source: "
                          "s}\n"
                          "  - {on: gpu, where: {gpu: nvidia-h100-sxm5-80gb}, set: {tdp: 500 W}, "
                          "source: s}\n")}},
      kRows);
  REQUIRE(l.faults == "");
  const Offer& west = l.catalog.offers[0];
  const Hardware& hardware = l.catalog.hardware_of(west);
  CHECK(hardware.network == units::gbps(1600));
  CHECK(l.catalog.regions[*west.region].country == "DE");
  CHECK(l.catalog.provider_of(west).name == "Own");
  CHECK(l.catalog.gpu_of(hardware)->tdp == units::watts(500));
  CHECK(l.catalog.patches_of(west).size() == 4);
}

TEST_CASE("faults of patches are reported at their place", "[catalog]") {
  const char* entry = GENERATE(
      "  - {on: price, where: {instance: bug}, set: {price: 1 USD/h}, "
      "source: s}\n|6:3+1 catalog/unused-patch",
      "  - {on: price, where: {}, set: {prize: 1 USD/h}, source: s}\n"
      "|6:34+5 data/unknown-key",
      "  - {on: price, where: {}, set: {price: 1}, source: s}\n"
      "|6:41+1 data/bad-quantity",
      "  - {on: price, where: {}, source: s}\n"
      "|6:5+1 data/wrong-kind",
      "  - {on: instance, where: {}, set: {id: x}, source: s}\n"
      "|6:37+2 data/unknown-key",
      "  - {on: price, where: {}, set: {discount: 1 %}, source: s}\n"
      "  - {on: price, where: {}, set: {discount: 2 %}, source: s}\n"
      "|7:34+8 catalog/patch-conflict");
  const std::string text(entry);
  const std::size_t bar = text.find('|');
  const Outcome l = loaded_with({{"d/p.yaml", patch(text.substr(0, bar))}}, kRows);
  CAPTURE(text, l.faults);
  CHECK(l.faults.find(text.substr(bar + 1)) != std::string::npos);
}

TEST_CASE("a misspelt confidence of a price sheet is no verified price", "[catalog]") {
  const Outcome l = loaded_with({{"d/prices/today.csv",
                                  "provider,instance,region,price,currency,date,source,confidence\n"
                                  "cloud,big,west,90,USD,2026-03-20,u,verifed\n"}},
                                kRows);
  CHECK(l.faults.find("'verifed' is not one of") != std::string::npos);
  CHECK(l.faults.find("data/unknown-choice") != std::string::npos);
}

namespace {

constexpr const char* kHeader =
    "provider,instance,region,zone,purchase,term,price,currency,date,source\n";

Outcome with_sheet(const std::string& rows) {
  return loaded_with({{"d/prices/today.csv", kHeader + rows}}, kRows);
}

}  // namespace

TEST_CASE("a price sheet replaces prices and adds offers", "[catalog]") {
  const Outcome l = with_sheet(
      "cloud,big,west,,on-demand,,90.5,USD,2026-03-20,https://example.com/api\n"
      "cloud,big,west,,reserved,1y,60,EUR,2026-03-20,https://example.com/api\n"
      "cloud,big,east,east-1a,spot,,unknown,USD,2026-03-20,https://example.com/api\n");
  REQUIRE(l.faults == "");
  std::string offers;
  for (const Offer& offer : l.catalog.offers) {
    offers += l.catalog.id_of(offer) + " " +
              (offer.price ? offer.price->literal : std::string("unknown")) + "\n";
  }
  CHECK(offers ==
        "cloud/big/west/on-demand 90.5 USD/h\n"
        "cloud/big/west/reserved-1y 60 EUR/h\n"
        "cloud/big/east/on-demand unknown\n"
        "cloud/big/east/east-1a/spot unknown\n"
        "cloud/cpu/unknown/on-demand unknown\n");
  CHECK(usd_of(l.catalog.offers[1]) == Approx(75));
  CHECK(l.catalog.citations[l.catalog.offers[0].price->provenance.citation].url ==
        "https://example.com/api");
}

TEST_CASE("faults of a price sheet are reported at their cells", "[catalog]") {
  const char* row =
      GENERATE("cloud,bog,west,,on-demand,,90,USD,2026-03-20,u\n|2:7+3 catalog/unknown-instance",
               "cloud,big,wast,,on-demand,,90,USD,2026-03-20,u\n|2:11+4 catalog/unknown-region",
               "clod,big,west,,on-demand,,90,USD,2026-03-20,u\n|catalog/unknown-instance",
               "cloud,big,west,,later,,90,USD,2026-03-20,u\n|data/unknown-choice",
               "cloud,big,west,,on-demand,,-1,USD,2026-03-20,u\n|data/bad-quantity",
               "cloud,big,west,,on-demand,,1,XYZ,2026-03-20,u\n|catalog/no-exchange-rate",
               "cloud,big,west,,on-demand,,1,USD,yesterday,u\n|data/bad-date");
  const std::string text(row);
  const std::size_t bar = text.find('|');
  const Outcome l = with_sheet(text.substr(0, bar));
  CAPTURE(text, l.faults);
  CHECK(l.faults.find(text.substr(bar + 1)) != std::string::npos);
}
