// The product tables of two market overviews, as given, errors included: each wrong cell gets a
// finding on its line, and no right one does. Claims have the numbers of a review of both texts.
//
// Not catalog data, and so not here: measured speeds and latencies without a stated workload
// (D1-03, D1-04, D1-21, D1-28), software and drivers (D1-07, D1-08, D1-22, D1-23, D1-29, D1-34,
// D2-05, D2-28, D2-37, D2-38), storage products and their prices (D1-26, D1-27), discounts and
// claims without an amount or a date (D1-24, D2-22, D2-39), formulas (D2-33 to D2-35), transistor
// counts (D2-42), facilities (D2-45 to D2-49 but for the power of a server), advice (D1-30 to
// D1-42, D2-20, D2-21, D2-51). D1-05 (NVLink of the A100) is a figure of the GPU table, which has
// it; D1-17 (disks of OVHcloud) is neither confirmed nor refuted by a source, so that it is left
// out.
#include "catch.h"
#include "support/diff.h"

#include "gpusel/catalog/catalog.h"
#include "gpusel/data/data_set.h"
#include "gpusel/diag/render.h"

#include <map>
#include <set>
#include <string>
#include <vector>

using namespace gpusel;

namespace {

struct Cell {
  const char* claim;
  const char* file;
  const char* text;  // on one line of the file
  const char* code;  // empty: the cell is right
};

const std::vector<Cell> kCells = {
    {"D1-09", "document-1-aws", "gpu: nvidia-a100-sxm4-40gb", ""},
    {"D1-09", "document-1-aws", "count: 8", ""},
    {"D1-10", "document-1-aws", "gpu_memory_bandwidth: 1555 GB/s", ""},
    {"D1-11", "document-1-aws", "local_disk: 15.2 TB", "catalog/conflicting-instance"},
    {"D1-18", "document-1-aws", "virtualization: bare-metal", "catalog/bare-metal-evidence"},
    {"D1-19", "document-1-aws", "network: 100 Gbps", "catalog/conflicting-instance"},
    {"D1-25", "document-1-aws", "notice: 5 min", "catalog/spot-notice"},
    {"D1-12", "document-1-lambda", "gpu: nvidia-h100-sxm5-80gb", ""},
    {"D1-12", "document-1-lambda", "count: 8", ""},
    {"D1-13", "document-1-lambda", "gpu_memory_bandwidth: 2039 GB/s", "catalog/gpu-bandwidth"},
    {"D1-14", "document-1-lambda", "local_disk: 15.36 TB", "catalog/conflicting-instance"},
    {"D1-20", "document-1-lambda", "network_ports: 1 x 400 Gbps HDR",
     "catalog/infiniband-generation"},
    {"D1-18", "document-1-lambda", "virtualization: bare-metal", "catalog/bare-metal-evidence"},
    {"D1-15", "document-1-ovh", "count: 4", ""},
    {"D1-16", "document-1-ovh", "gpu_memory_bandwidth: 2039 GB/s", "catalog/gpu-bandwidth"},
    {"D1-18", "document-1-ovh", "virtualization: bare-metal", "catalog/bare-metal-evidence"},
    {"D2-02", "document-2-prose", "id: card-mi250x", ""},
    {"D2-02", "document-2-prose", "gpu: amd-mi250x-128gb", ""},
    {"D2-03", "document-2-prose", "gpu_peak: {fp16: 312 TFLOPS}", ""},
    {"D2-23", "document-2-prose", "gpu: amd-radeon-instinct-mi100", "catalog/unknown-gpu"},
    {"D2-48", "document-2-prose", "power: 3.6 kW", "catalog/power-floor"},
    {"D2-07", "document-2-gpus", "memory: 5 GiB", ""},
    {"D2-43", "document-2-gpus", "peak: {fp8: 1.8 PFLOPS}", "catalog/slower-than-older"},
    {"D2-09", "document-2-aws-sizes", "count: 1", "catalog/conflicting-instance"},
    {"D2-09", "document-2-aws-sizes", "memory: 128 GB", "catalog/conflicting-instance"},
    {"D2-10", "document-2-aws", "id: P4d.24xlarge", "catalog/unknown-family"},  // p4d
    {"D2-10", "document-2-aws", "gpu_memory: 640 GB", "catalog/gpu-memory"},
    {"D2-11", "document-2-aws", "network: 400 Gbps", ""},
    {"D2-12", "document-2-alibaba", "id: gn7i-c16g1.32xlarge", "catalog/unknown-family"},
    {"D2-12", "document-2-alibaba", "gpu: nvidia-a100-sxm4-80gb", "catalog/family-gpu"},
    {"D2-13", "document-2-alibaba", "network: 100 Gbps", "catalog/family-range"},
    {"D2-41", "document-2-alibaba", "reserved-1y, 30 CNY/h", "catalog/deep-discount"},
    {"D2-15", "document-2-tencent", "id: GN10Xp.20xlarge",
     "catalog/unknown-family"},  // 20XLARGE320
    {"D2-15", "document-2-tencent", "count: 8", ""},
    {"D2-15", "document-2-tencent", "gpu_memory: 256 GB", ""},
    {"D2-16", "document-2-tencent", "network: 50 Gbps", "catalog/family-range"},
    {"D2-17", "document-2-huawei", "id: gpu-accel-ai-8u32g", "catalog/unknown-family"},
    {"D2-17", "document-2-huawei", "vcpus: 8", "catalog/vcpu-floor"},
    {"D2-17", "document-2-huawei", "memory: 32 GB", "catalog/host-memory-floor"},
    {"D2-18", "document-2-azure", "gpu_memory: 640 GB", "catalog/gpu-memory"},
    {"D2-19", "document-2-azure", "network: 300 Gbps", "catalog/conflicting-instance"},
    {"D2-36", "document-2-terraform", "id: ecs.gn7i.c16g1.32xlarge", "catalog/unknown-family"},
};

// The 80 GB of a card stand on two lines of one file: wrong for the MI250X, right for the H100.
constexpr const char* kMemoryFile = "document-2-prose";

std::string path_of(const std::string& file) {
  return std::string(GPUSEL_DOCUMENTS_FOLDER) + "/" + file + ".yaml";
}

std::size_t line_of(const Cell& cell) {
  const std::vector<std::string> lines = test::lines_of(test::read_whole(path_of(cell.file)));
  std::size_t found = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t at = lines[i].find(cell.text);
    if (at == std::string::npos || (at > 0 && lines[i][at - 1] == '_')) continue;
    if (found == 0) found = i + 1;
  }
  return found;
}

// Warnings and errors of the documents' files beside the shipped data.
std::vector<diag::Diagnostic> findings() {
  diag::Buffer sink;
  data::DataSet set = data::DataSet::open(
      {{data::Root::Kind::builtin, {}}, {data::Root::Kind::path, GPUSEL_DOCUMENTS_FOLDER}},
      system_files(), sink);
  catalog::Catalog catalog = catalog::load_catalog(set, sink, catalog::Keep::documents);
  catalog::load_lint(catalog, set, sink);
  catalog::check_catalog({catalog, *Date::parse("2026-10-01")}, sink);
  std::vector<diag::Diagnostic> of_documents;
  for (const diag::Diagnostic& d : sink.sorted()) {
    if (d.span.source == nullptr || d.severity == diag::Severity::info) continue;
    if (d.span.source->name.find("/documents/") != std::string::npos) of_documents.push_back(d);
  }
  return of_documents;
}

using Place = std::pair<std::string, std::size_t>;

Place place_of(const diag::Diagnostic& d) { return {d.span.source->name, d.span.line}; }

}  // namespace

TEST_CASE("every wrong cell of the documents is found on its line, and no right one", "[catalog]") {
  const std::vector<diag::Diagnostic> all = findings();
  INFO(diag::render(all, {}));
  std::map<Place, std::set<std::string>> expected;
  for (const Cell& cell : kCells) {
    const std::size_t line = line_of(cell);
    INFO(cell.claim << " " << cell.file << ": " << cell.text);
    REQUIRE(line > 0);
    const Place place{path_of(cell.file), line};
    std::set<std::string> found;
    for (const diag::Diagnostic& d : all) {
      if (place_of(d) == place) found.insert(d.code);
    }
    if (*cell.code == '\0') {
      CHECK(found.empty());
    } else {
      CHECK(found == std::set<std::string>{cell.code});
      expected[place].insert(cell.code);
    }
  }
  const std::size_t card = line_of({"D2-02", kMemoryFile, "gpu_memory: 80 GB", ""});
  expected[{path_of(kMemoryFile), card}].insert("catalog/gpu-memory");
  for (const diag::Diagnostic& d : all) {
    INFO(d.span.source->name << ":" << d.span.line << " " << d.code);
    CHECK(expected[place_of(d)].count(d.code) == 1);
  }
  CHECK(all.size() >= 26);
}
