// Every code that `catalog check` reports of a catalog: a sound catalog has none, and one change
// gives that code alone.
#include "catch.h"
#include "unit/catalog/checks_sample.h"

#include "gpusel/catalog/catalog.h"
#include "gpusel/diag/render.h"

#include <set>
#include <string>

using namespace gpusel;
using namespace gpusel::catalog;

namespace {

using Texts = std::map<std::string, std::string>;

struct Change {
  std::string code;
  std::string file;
  std::string from;  // stands once in the file; empty: `to` is added at its end
  std::string to;
};

// A price row for the provider of the sample.
std::string row(const std::string& text) { return "    - [" + text + ", list]\n"; }

constexpr const char* kPatch =
    "patch: p\nsources:\n  c: {url: 'https://example.com/c', date: 2026-11-01, confidence: "
    "verified}\n"
    "patches:\n";
constexpr const char* kDiscount =
    "  - {on: price, where: {provider: acme}, set: {discount: 1 %}, source: c}\n";

std::vector<Change> reference_changes() {
  return {
      {"catalog/unknown-gpu", "acme", "hx.1, gpu: nvidia-h100-sxm5-80gb", "hx.1, gpu: h1000"},
      {"catalog/unknown-fabric", "acme", "fabric: ib", "fabric: ibb"},
      {"catalog/unknown-instance", "acme", "[hx.1, west, on-demand", "[hx.9, west, on-demand"},
      {"catalog/unknown-region", "acme", "[hx.1, west, on-demand", "[hx.1, wset, on-demand"},
      {"catalog/unknown-source", "acme", "600 GiB, network: 50 Gbps, source: list",
       "600 GiB, network: 50 Gbps, source: lost"},
      {"catalog/duplicate-name", "acme", "", row("hx.1, west, on-demand, 3.00 USD/h")},
      {"catalog/bad-tariff", "acme", "",
       "tariffs:\n  - {what: egress, per_gb_month: 1 USD/GB-month, source: list}\n"},
      {"catalog/patch-conflict", "patch", "", std::string(kPatch) + kDiscount + kDiscount},
      {"catalog/unused-patch", "patch", "",
       kPatch +
           std::string("  - {on: price, where: {instance: none}, set: {discount: 1 %}, source: "
                       "c}\n")},
      {"catalog/gpu-count", "acme", "count: 2, vcpus: 32", "vcpus: 32"},
      {"catalog/no-exchange-rate", "acme", "9.60 EUR/h", "9.60 CHF/h"},
      {"catalog/unknown-curves", "gpus", "curves: hopper", "curves: hoper"},
      {"catalog/unknown-parent", "gpus", "slice_of: nvidia-a100-sxm4-40gb", "slice_of: a100-40"},
      {"catalog/slice-of-slice", "gpus", "",
       "  - {id: b, name: B, vendor: nvidia, architecture: ampere, memory: 2 GiB, slice_of: "
       "nvidia-a100-slice, source: sheet}\n"},
      {"catalog/slice-too-large", "gpus", "194 GB/s", "1940 GB/s"},
      {"catalog/no-peak", "gpus", "    peak: {bf16: 39 TFLOPS}\n", ""},
      {"catalog/no-instances", "rates", "", ""},  // see below: a file of its own
      {"catalog/unused-region", "acme", "regions:\n", "regions:\n  - {id: east}\n"},
      {"catalog/unknown-provider", "resale", "instances_of: acme", "instances_of: acne"},
      {"catalog/source-url", "gpus", "https://vendor.example/sheet", "vendor/sheet"},
      {"catalog/future-source", "gpus", "date: 2026-01-01", "date: 2027-01-01"},
      {"catalog/undated-source", "gpus", "date: 2026-01-01, ", ""},
      {"catalog/recalled-verified", "gpus", "confidence: verified",
       "confidence: verified, note: 'recalled, page not read'"},
      {"catalog/unused-source", "gpus", "sources:\n",
       "sources:\n  old: {url: 'https://a.example/b', date: 2026-01-01, confidence: verified}\n"},
  };
}

std::vector<Change> figure_changes() {
  return {
      {"catalog/gpu-memory", "acme", "gpu_memory: 640 GB", "gpu_memory: 320 GB"},
      {"catalog/gpu-bandwidth", "acme", "gpu_memory_bandwidth: 3350 GB/s",
       "gpu_memory_bandwidth: 2039 GB/s"},
      {"catalog/gpu-peak", "acme", "gpu_peak: {bf16: 989 TFLOPS}", "gpu_peak: {bf16: 1979 TFLOPS}"},
      {"catalog/network-ports", "acme", "8 x 400 Gbps NDR", "4 x 400 Gbps NDR"},
      {"catalog/infiniband-generation", "acme", "8 x 400 Gbps NDR", "8 x 400 Gbps HDR"},
      {"catalog/power", "acme", "power: 10.2 kW", "power: 3.6 kW"},
      {"catalog/power-floor", "acme", "power: 10.2 kW", "power: 7 kW"},
      {"catalog/out-of-range", "gpus", "tdp: 400 W", "tdp: 400 kW"},
      {"catalog/host-memory-floor", "acme", "memory: 500 GiB", "memory: 60 GiB"},
      {"catalog/vcpu-floor", "acme", "vcpus: 48, memory: 500 GiB", "vcpus: 8, memory: 500 GiB"},
      {"catalog/bare-metal-evidence", "acme",
       ", evidence: \"called bare metal on the page of prices\"", ""},
      {"catalog/sliced-bare-metal", "acme", "memory: 10 GiB",
       "memory: 10 GiB, virtualization: bare-metal, evidence: stated"},
      {"catalog/peak-ratio", "gpus", "tf32: 156 TFLOPS", "tf32: 100 TFLOPS"},
      {"catalog/sparse-peak", "gpus", "int8: 624 TOPS", "int8: 1248 TOPS"},
      {"catalog/slower-than-older", "gpus", "bf16: 2250 TFLOPS, fp8: 4500 TFLOPS",
       "bf16: 900 TFLOPS, fp8: 1800 TFLOPS"},
      {"catalog/roofline", "gpus", "memory_bandwidth: 8000 GB/s", "memory_bandwidth: 800 GB/s"},
      {"catalog/format-unsupported", "gpus", "compute_capability: \"8.0\"",
       "compute_capability: \"7.0\""},
      {"catalog/bits-or-bytes", "acme", "memory: 600 GiB, network: 50 Gbps",
       "memory: 600 GiB, network: 50 GB/s"},
      {"catalog/decimal-memory", "gpus", "memory: 96 GiB", "memory: 96 GB"},
      {"catalog/memory-of-one-gpu", "acme", "memory: 400 GiB", "memory: 80 GiB"},
  };
}

std::vector<Change> price_changes() {
  return {
      {"catalog/zero-price", "acme", "0.20 USD/h", "0 USD/h"},
      {"catalog/undated-price", "bolt", "date: 2026-10-01, confidence: verified",
       "confidence: derived"},
      {"catalog/price-order", "acme", "10.00 USD/h", "26.00 USD/h"},
      {"catalog/stale-price", "bolt", "date: 2026-10-01", "date: 2025-10-01"},
      {"catalog/future-price", "acme",
       "prices:\n  columns: [instance, region, purchase, price, source]\n  rows:\n",
       "prices:\n  columns: [instance, region, purchase, price, source, date]\n  rows:\n"},
      {"catalog/deep-discount", "acme", "10.00 USD/h", "1.00 USD/h"},
      {"catalog/old-exchange-rate", "rates", "[EUR, 2026-06-01", "[EUR, 2025-01-01"},
      {"catalog/mixed-currency", "acme", "", row("ax-8xa100, west, reserved-1y, 9.60 USD/h")},
      {"catalog/falling-price", "acme", "12.40 USD/h", "25.10 USD/h"},
      {"catalog/lost-component", "acme", "12.40 USD/h", "5.00 USD/h"},
      {"catalog/price-outlier", "bolt", "24.00 USD/h", "70.00 USD/h"},
      {"catalog/price-far-off", "bolt", "24.00 USD/h", "488.00 USD/h"},
  };
}

std::vector<Change> name_changes() {
  return {
      {"catalog/name-count", "acme", "{id: n-1,", "{id: n-1-8x,"},
      {"catalog/name-gpu", "acme", "{id: n-1,", "{id: n-h100,"},
      {"catalog/name-memory", "gpus", "memory: 180 GiB", "memory: 192 GiB"},
      {"catalog/alias-family", "gpus", "aliases: [h100-sxm]", "aliases: [a100-sxm]"},
      {"catalog/look-alike", "acme", "{id: n-2,", "{id: n-l,"},
      {"catalog/confusable-sign", "gpus", "aliases: [h100-sxm]", "aliases: [\"h1\xD0\xBE\x30\"]"},
      {"catalog/unknown-family", "acme", "{id: n-1,", "{id: m-1,"},
      {"catalog/family-gpu", "acme", "hx.1, gpu: nvidia-h100-sxm5-80gb",
       "hx.1, gpu: nvidia-h100-sxm5-96gb"},
      {"catalog/family-without-gpu", "acme", "{id: cpu, vcpus: 4",
       "{id: n-host, vcpus: 4, memory: 8 GiB, source: list}\n  - {id: cpu, vcpus: 4"},
      {"catalog/family-range", "resale", "network: 400 Gbps", "network: 100 Gbps"},
      {"catalog/conflicting-instance", "resale", "network: 3200 Gbps", "network: 400 Gbps"},
      {"catalog/spot-notice", "acme", "spot: {notice: 120 s", "spot: {notice: 300 s"},
      {"catalog/stray-family", "lint", "pattern: \"n-*\"", "pattern: \"n-*\", also: [\"q-*\"]"},
      {"catalog/shrinks-with-count", "acme", "count: 8, vcpus: 128", "count: 8, vcpus: 60"},
      {"catalog/grows-per-gpu", "acme", "", ""},  // see below: several changes
  };
}

// Changes that need more than one replacement.
void change_more(Texts& texts, const Change& change) {
  const auto replace = [&](const std::string& file, const std::string& from,
                           const std::string& to) {
    std::string& text = texts["d/" + file + ".yaml"];
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
  };
  if (change.code == "catalog/no-instances") {
    texts["d/empty.yaml"] = "provider: empty\nname: Empty\n";
  } else if (change.code == "catalog/stray-family") {
    replace("lint", "pattern: \"n-*\", also: [\"q-*\"]", "pattern: \"n-*\"");
    replace("lint", "peaks:\n",
            "  - {family: q, pattern: \"q-*\", gpu: nvidia-a100-sxm4-40gb, "
            "source: docs}\npeaks:\n");
  } else if (change.code == "catalog/grows-per-gpu") {
    replace("acme", "vcpus: 32, memory: 400", "vcpus: 64, memory: 400");
    replace("acme", "vcpus: 64, memory: 800", "vcpus: 256, memory: 800");
    replace("acme", "vcpus: 128, memory: 1600", "vcpus: 1024, memory: 1600");
    replace("resale", "vcpus: 128, memory: 1600", "vcpus: 1024, memory: 1600");
  } else if (change.code == "catalog/shrinks-with-count") {
    replace("resale", "vcpus: 128", "vcpus: 60");
  } else if (change.code == "catalog/future-price") {
    std::string& text = texts["d/acme.yaml"];
    bool first = true;
    for (std::size_t at = text.find("USD/h, list]"); at != std::string::npos;
         at = text.find("USD/h, list]", at + 1)) {
      text.replace(at, 12, first ? "USD/h, list, 2026-12-24]" : "USD/h, list, 2026-10-01]");
      first = false;
    }
    replace("acme", "EUR/h, list]", "EUR/h, list, 2026-10-01]");
  }
}

std::vector<diag::Diagnostic> findings_of(const Texts& texts,
                                          const std::string& today = "2026-11-20") {
  diag::Buffer sink;
  data::DataSet set =
      data::DataSet::open({{data::Root::Kind::path, "d"}}, memory_files(texts), sink);
  Catalog catalog = load_catalog(set, sink, catalog::Keep::documents);
  load_lint(catalog, set, sink);
  check_catalog({catalog, *Date::parse(today)}, sink);
  return sink.sorted();
}

std::set<std::string> codes_of(const std::vector<diag::Diagnostic>& all) {
  std::set<std::string> codes;
  for (const diag::Diagnostic& d : all) codes.insert(d.code);
  return codes;
}

std::vector<Change> all_changes() {
  std::vector<Change> all;
  for (const auto& changes :
       {reference_changes(), figure_changes(), price_changes(), name_changes()})
    all.insert(all.end(), changes.begin(), changes.end());
  return all;
}

}  // namespace

TEST_CASE("a sound catalog has no finding", "[catalog]") {
  const std::vector<diag::Diagnostic> all = findings_of(test::sound_texts());
  INFO(diag::render(all, {}));
  CHECK(all.empty());
}

TEST_CASE("one change gives its code alone, at a place", "[catalog]") {
  for (const Change& change : all_changes()) {
    Texts texts = test::sound_texts();
    std::string& text = texts["d/" + change.file + ".yaml"];
    INFO(change.code);
    if (change.from.empty()) {
      text += change.to;
    } else {
      const std::size_t at = text.find(change.from);
      REQUIRE(at != std::string::npos);
      text.replace(at, change.from.size(), change.to);
    }
    change_more(texts, change);
    const std::vector<diag::Diagnostic> all = findings_of(texts);
    INFO(diag::render(all, {}));
    CHECK(codes_of(all) == std::set<std::string>{change.code});
    for (const diag::Diagnostic& d : all) {
      CHECK(d.span.line > 0);
      CHECK_FALSE(d.help.empty());
    }
  }
}

TEST_CASE("every code of loader and checks has a change that gives it", "[catalog]") {
  std::set<std::string> tried;
  for (const Change& change : all_changes()) tried.insert(change.code);
  const auto expect = [&](const diag::CodeInfo& info) {
    INFO(info.code);
    CHECK(tried.erase(std::string(info.code)) == 1);
    CHECK_FALSE(info.summary.empty());
  };
  for (const diag::CodeInfo& info : loader_codes().codes) expect(info);
  for (const Check* check : checks()) {
    for (const diag::CodeInfo& info : check->codes) expect(info);
  }
  INFO((tried.empty() ? std::string() : *tried.begin()));
  CHECK(tried.empty());
}

TEST_CASE("a check reports with the severity of its table", "[catalog]") {
  std::map<std::string_view, diag::Severity> known;
  for (const Check* check : checks()) {
    for (const diag::CodeInfo& info : check->codes)
      CHECK(known.emplace(info.code, info.severity).second);
  }
  for (const Change& change : price_changes()) {
    Texts texts = test::sound_texts();
    std::string& text = texts["d/" + change.file + ".yaml"];
    if (change.from.empty()) continue;
    text.replace(text.find(change.from), change.from.size(), change.to);
    for (const diag::Diagnostic& d : findings_of(texts)) {
      if (known.count(d.code) > 0) CHECK(d.severity == known.at(d.code));
    }
  }
}

TEST_CASE("a year later every price is stale", "[catalog]") {
  std::size_t stale = 0;
  const std::vector<diag::Diagnostic> all = findings_of(test::sound_texts(), "2027-11-20");
  for (const diag::Diagnostic& d : all) stale += d.code == "catalog/stale-price" ? 1U : 0U;
  CHECK(stale == 11);
}
