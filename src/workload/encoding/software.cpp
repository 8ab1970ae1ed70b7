#include "software.h"

#include <algorithm>
#include <array>

namespace gpusel::workload::encoding {
namespace {

using catalog::NumberFormat;

constexpr std::array kNarrow = {NumberFormat::int8, NumberFormat::fp8, NumberFormat::fp32};
constexpr std::array kNarrowInteger = {NumberFormat::int8, NumberFormat::fp32};
constexpr std::array kWide = {NumberFormat::fp32, NumberFormat::tf32};

constexpr std::string_view kOfTensorRt[] = {"ampere-datacenter", "turing", "hopper", "card"};
constexpr std::string_view kOfFaster[] = {"ampere-datacenter", "turing", "volta", "card"};
constexpr std::string_view kOfPyTorch[] = {"ampere-datacenter", "turing", "card"};

// Fitted to runs of BERT-base and BERT-large; docs/estimation-other.md says how well. Intervals are
// the 5 and 95 % quantiles with a GPU or a source left out, batches of eight and more.
constexpr Software kAll[] = {
    {"pytorch", "PyTorch, one kernel after another", 78, 0, 347e-6, false, false, kWide,
     Interval{0.80, 1.40}, kOfPyTorch, "TorchScript on A100, A10 and T4"},
    {"tei",
     "Text Embeddings Inference",
     10,
     93e-6,
     0,
     true,
     true,
     {},
     Interval{0.65, 1.40},
     {},
     "FasterTransformer, whose kernels are like its own; one run on an L4 took 0.8 of the time"},
    {"tensorrt", "TensorRT", 5.4, 42e-6, 0, true, true, kNarrow, Interval{0.75, 1.25}, kOfTensorRt,
     "NVIDIA's demoBERT on A100, A30 and T4 and MLPerf on these, A2, L40S, GH200 and H200"},
    {"fastertransformer", "FasterTransformer", 10, 93e-6, 0, true, true, kNarrowInteger,
     Interval{0.75, 1.30}, kOfFaster, "its guide's tables on A100, A10, T4 and V100"},
};

// A class of GPU without a run, or software with one: by hand, twice as wide.
constexpr Interval kElsewhere{0.6, 1.6};

}  // namespace

std::span<const Software> all_software() { return kAll; }

const Software* find_software(std::string_view id) {
  const auto* found = std::find_if(std::begin(kAll), std::end(kAll),
                                   [&](const Software& software) { return software.id == id; });
  return found == std::end(kAll) ? nullptr : found;
}

std::vector<std::string> software_names() {
  std::vector<std::string> names;
  for (const Software& software : kAll) names.emplace_back(software.id);
  return names;
}

bool runs_in(const Software& software, NumberFormat format) {
  if (format == NumberFormat::fp16 || format == NumberFormat::bf16) return true;
  return std::find(software.formats.begin(), software.formats.end(), format) !=
         software.formats.end();
}

Interval interval_of(const Software& software, std::string_view curves) {
  const auto& known = software.classes;
  const bool measured = std::find(known.begin(), known.end(), curves) != known.end();
  return measured ? software.time : kElsewhere;
}

}  // namespace gpusel::workload::encoding
