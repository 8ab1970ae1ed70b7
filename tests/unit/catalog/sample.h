// A small catalog in memory, and what is said when it is loaded.
#pragma once

#include "unit/data/faults.h"

#include "gpusel/catalog/catalog.h"

#include <map>
#include <string>
#include <utility>

namespace gpusel::catalog::test {

using Texts = std::map<std::string, std::string>;

constexpr const char* kSources =
    "sources:\n"
    "  s: {url: 'https://example.com', date: 2026-03-15, confidence: verified}\n"
    "  undated: {url: 'https://example.com/u', confidence: recalled}\n";

inline std::string gpus_text() {
  return "gpus: test\n" + std::string(kSources) +
         "entries:\n"
         "  - {id: nvidia-h100-sxm5-80gb, name: H100, vendor: nvidia, family: H100, aliases: "
         "[h100-sxm],"
         " architecture: hopper, memory: 80 GiB, memory_bandwidth: 3350 GB/s, compute_capability: "
         "'9.0',"
         " peak: {bf16: 989 TFLOPS}, tdp: 700 W, source: s}\n"
         "  - {id: nvidia-h100-pcie-80gb, name: H100 PCIe, vendor: nvidia, family: H100, "
         "architecture: hopper,"
         " memory: 80 GB, memory_kind: HBM3, source: s}\n"
         "  - {id: AMD-MI250, name: MI250, vendor: amd, architecture: cdna2, memory: 128 GB,"
         " compute_capability: gfx90a, source: s}\n";
}

constexpr const char* kFabric = "fabric: efa\nname: EFA\ngpu_direct: true\nsource: s\n";

constexpr const char* kRates =
    "exchange:\n"
    "  columns: [currency, month, usd_per_unit, source]\n"
    "  rows:\n"
    "    - [EUR, 2026-03-01, 1.25, s]\n"
    "    - [EUR, 2026-01-01, 1.10, s]\n"
    "    - [EUR, 2026-04-01, 1.50, s]\n";

/// A provider with two instances and two regions; `rest` follows, mostly its prices.
inline std::string provider_text(const std::string& rest) {
  return "provider: cloud\n"              // line 1
         "name: Cloud\n"                  // 2
         "billing_increment: 1 min\n"     // 3
         + std::string(kSources) +        // 4 to 6
         "regions:\n"                     // 7
         "  - {id: west, country: US}\n"  // 8
         "  - {id: east}\n"               // 9
         "instances:\n"                   // 10
         "  - {id: big, gpu: nvidia-h100-sxm5-80gb, count: 8, fabric: efa, memory: 2 TiB, network: "
         "3200 Gbps}\n"               // 11
         "  - {id: cpu, vcpus: 4}\n"  // 12
         + rest;
}

/// Price rows `[instance, region, purchase, price, source]`; the first is line 16.
inline std::string prices(const std::string& rows) {
  return "prices:\n  columns: [instance, region, purchase, price, source]\n  rows:\n" + rows;
}

struct Loaded {
  Catalog catalog;
  diag::Buffer sink;
  std::string faults;
};

inline Texts texts(const std::string& provider) {
  return {{"d/gpus.yaml", gpus_text()},
          {"d/efa.yaml", kFabric + std::string(kSources)},
          {"d/rates.yaml", "rates: test\n" + std::string(kSources) + kRates},
          {"d/cloud.yaml", provider}};
}

inline void load(const Texts& files, Loaded& loaded) {
  data::DataSet set =
      data::DataSet::open({{data::Root::Kind::path, "d"}}, memory_files(files), loaded.sink);
  loaded.catalog = load_catalog(set, loaded.sink, Keep::documents);
  loaded.faults = data::test::faults_of(loaded.sink);
}

/// The catalog of the sample with a provider's text.
inline Catalog load_good(const std::string& provider, std::string* faults) {
  Loaded loaded;
  load(texts(provider), loaded);
  *faults = loaded.faults;
  return std::move(loaded.catalog);
}

inline std::string helps_of(const diag::Buffer& sink) {
  std::string text;
  for (const diag::Diagnostic& d : sink.sorted()) text += (text.empty() ? "" : "\n") + d.help;
  return text;
}

}  // namespace gpusel::catalog::test
