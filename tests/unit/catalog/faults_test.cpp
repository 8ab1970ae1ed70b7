// Loading: what is said of bad files, and that the rest still loads.
#include "catch.h"
#include "unit/catalog/sample.h"

#include <string>
#include <tuple>

using namespace gpusel;
using namespace gpusel::catalog;
using namespace gpusel::catalog::test;

namespace {

struct Outcome {
  std::string faults;
  std::string helps;
  std::size_t instances = 0;
  std::size_t offers = 0;
};

Outcome outcome_of(const Texts& files) {
  Loaded loaded;
  load(files, loaded);
  return {loaded.faults, helps_of(loaded.sink), loaded.catalog.instances.size(),
          loaded.catalog.offers.size()};
}

Outcome outcome(const std::string& rest) { return outcome_of(texts(provider_text(rest))); }

}  // namespace

TEST_CASE("an unknown name is reported at its place with the nearest known one", "[catalog]") {
  const auto [rest, fault, help] = GENERATE(table<std::string, std::string, std::string>({
      {"  - {id: x, gpu: nvidia-h100-sxm5-80g, count: 1}\n",
       "13:18+20 catalog/unknown-gpu: there is no gpu 'nvidia-h100-sxm5-80g'",
       "did you mean 'nvidia-h100-sxm5-80gb' or 'nvidia-h100-pcie-80gb'?"},
      {"  - {id: x, fabric: eaf}\n", "13:21+3 catalog/unknown-fabric: there is no fabric 'eaf'",
       "did you mean 'efa'?"},
      {"  - {id: x, source: ss}\n",
       "13:5+1 catalog/unknown-source: source 'ss' is not under 'sources' of this file",
       "did you mean 's'?"},
      {prices("    - [bigg, west, on-demand, 1 USD/h, s]\n"),
       "16:8+4 catalog/unknown-instance: there is no instance 'bigg' in this file",
       "did you mean 'big'?"},
      {prices("    - [big, zzzzzz, on-demand, 1 USD/h, s]\n"),
       "16:13+6 catalog/unknown-region: there is no region 'zzzzzz' in this file",
       "add it under 'regions:'"},
      {prices("    - [big, west, on-demand, 1 USD/h, zzzzz]\n"),
       "16:7+1 catalog/unknown-source: source 'zzzzz' is not under 'sources' of this file",
       "add it under 'sources:' with url, date and confidence"},
      {prices("    - [big, west, on-demand, 1 CHF/h, s]\n"),
       "16:7+1 catalog/no-exchange-rate: there is no exchange rate for 'CHF'",
       "add rows for it to a file of kind 'rates'"},
      {prices("    - [big, west, ondemand, 1 USD/h, s]\n"),
       "16:19+8 data/unknown-choice: 'ondemand' is not one of 'on-demand', 'spot', 'reserved-1m', "
       "'reserved-1y' or "
       "'reserved-3y'",
       "did you mean 'on-demand'?"},
      {prices("    - [big, west, on-demand, 1 USD, s]\n"),
       "16:30+5 data/bad-quantity: '1 USD' is not a price per hour",
       "write an amount, a currency and /h, such as 98.32 USD/h"},
  }));
  CAPTURE(rest);
  const Outcome o = outcome(rest);
  CHECK(o.faults == fault);
  CHECK(o.helps.find(help) == 0);
}

TEST_CASE("a GPU and its count go together", "[catalog]") {
  const auto [rest, fault] = GENERATE(table<std::string, std::string>({
      {"  - {id: x, gpu: nvidia-h100-sxm5-80gb}\n",
       "13:5+1 catalog/gpu-count: an instance with a GPU needs 'count' of 1 or more"},
      {"  - {id: x, gpu: nvidia-h100-sxm5-80gb, count: 0}\n",
       "13:5+1 catalog/gpu-count: an instance with a GPU needs 'count' of 1 or more"},
      {"  - {id: x, count: 2}\n", "13:5+1 catalog/gpu-count: 'count' without a 'gpu'"},
  }));
  const Outcome o = outcome(rest);
  CHECK(o.faults == fault);
  CHECK(o.instances == 2);  // the good ones stay
}

TEST_CASE("a name that stands twice is reported at the second place", "[catalog]") {
  CHECK(outcome("  - {id: big, vcpus: 2}\n").faults ==
        "13:5+1 catalog/duplicate-name: instance 'big' stands here a second time");
  CHECK(
      outcome(prices("    - [big, west, spot, 1 USD/h, s]\n    - [big, west, spot, 2 USD/h, s]\n"))
          .faults ==
      "17:7+1 catalog/duplicate-name: the price of 'big/west//spot' stands here a second time");
  Texts regions = texts("provider: cloud\nname: C\nregions: [{id: a}, {id: a}]\n");
  CHECK(outcome_of(regions).faults ==
        "3:20+1 catalog/duplicate-name: region 'a' stands here a second time");
  Texts gpus = texts(provider_text(""));
  gpus["d/more.yaml"] =
      "gpus: more\nentries:\n  - {id: x, aliases: [H100-SXM], name: X, vendor: v, architecture: a, "
      "memory: 1 GB}\n";
  CHECK(outcome_of(gpus).faults ==
        "3:3+1 catalog/duplicate-name: GPU name 'H100-SXM' is taken by 'nvidia-h100-sxm5-80gb'");
}

TEST_CASE("the rows of an instance or region that was reported are left out silently",
          "[catalog]") {
  const Outcome instance = outcome("  - {id: bad, gpu: none, count: 1}\n" +
                                   prices("    - [bad, west, on-demand, 1 USD/h, s]\n"));
  CHECK(instance.faults == "13:20+4 catalog/unknown-gpu: there is no gpu 'none'");
  CHECK(instance.offers == 2);  // both good instances, without a price
  Texts files = texts("provider: cloud\nname: C\n" + std::string(kSources) +
                      "regions: [{id: a, contry: US}]\ninstances: [{id: i, vcpus: 1}]\n"
                      "prices: {columns: [instance, region, purchase, price, source], rows: [[i, "
                      "a, spot, 1 USD/h, s]]}\n");
  CHECK(outcome_of(files).faults == "6:19+6 data/unknown-key: unknown key 'contry'");
}

TEST_CASE("a row with an unknown instance and region reports both", "[catalog]") {
  CHECK(outcome(prices("    - [x1x1, y2y2, spot, 1 USD/h, s]\n")).faults ==
        "16:8+4 catalog/unknown-instance: there is no instance 'x1x1' in this file\n"
        "16:14+4 catalog/unknown-region: there is no region 'y2y2' in this file");
}

TEST_CASE("faults of many files are reported in one run", "[catalog]") {
  Texts files = texts(provider_text("nope: 1\n"));
  files["d/efa.yaml"] = "fabric: efa\nname: EFA\n";
  files["d/gpus.yaml"] +=
      "  - {id: y, name: Y, vendor: v, architecture: a, memory: 80, peak: {bf17: 1 TFLOPS}}\n";
  files["d/rates.yaml"] += "    - [CHF, 2026-01-01, -1, s]\n";
  const Outcome o = outcome_of(files);
  CHECK(o.faults ==
        "11:61+3 catalog/unknown-fabric: there is no fabric 'efa'\n"
        "13:1+4 data/unknown-key: unknown key 'nope'\n"
        "1:1+1 data/missing-key: key 'gpu_direct' is missing\n"
        "9:58+2 data/bad-quantity: '80' has no unit\n"
        "9:69+4 data/unknown-key: unknown key 'bf17'\n"
        "11:7+1 catalog/out-of-range: an exchange rate of zero or less");
}

TEST_CASE("lists and tables of the wrong kind are reported", "[catalog]") {
  CHECK(outcome_of(texts("provider: c\nname: C\nregions: {a: 1}\n")).faults ==
        "3:10+1 data/wrong-kind: expected a list, found a map");
  CHECK(outcome_of(texts("provider: c\nname: C\nsources: [a]\n")).faults ==
        "3:10+1 data/wrong-kind: expected a map of sources, found a list");
  CHECK(outcome_of(texts("provider: c\nname: C\nprices: [a]\n")).faults ==
        "3:9+1 data/wrong-kind: expected a table with 'columns: […]', found a list");
}

TEST_CASE("a faulty source is reported once, not at each of its users", "[catalog]") {
  CHECK(outcome_of(texts("provider: c\nname: C\nsources: {s: {url: u}}\ninstances: [{id: a, "
                         "source: s}, {id: b, source: s}]\n"))
            .faults == "3:14+1 data/missing-key: key 'confidence' is missing");
}
