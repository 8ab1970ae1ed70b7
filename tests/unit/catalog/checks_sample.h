// A catalog without findings, as texts to change: four providers, one of which resells another.
#pragma once

#include <map>
#include <string>

namespace gpusel::catalog::test {

inline std::map<std::string, std::string> sound_texts() {
  std::map<std::string, std::string> texts;
  texts["d/gpus.yaml"] = R"(gpus: test
sources:
  sheet: {url: "https://vendor.example/sheet", date: 2026-01-01, confidence: verified}
entries:
  - id: nvidia-h100-sxm5-80gb
    name: H100 SXM
    vendor: nvidia
    family: h100
    aliases: [h100-sxm]
    architecture: hopper
    form_factor: sxm
    year: 2022
    memory: 80 GiB
    memory_bandwidth: 3350 GB/s
    peak: {tf32: 494.5 TFLOPS, fp16: 989 TFLOPS, bf16: 989 TFLOPS, fp8: 1979 TFLOPS, int8: 1979 TOPS}
    tdp: 700 W
    compute_capability: "9.0"
    rt_cores: false
    curves: hopper
    source: sheet
  - id: nvidia-h100-sxm5-96gb
    name: H100 SXM 96GB
    vendor: nvidia
    family: h100
    architecture: hopper
    form_factor: sxm
    year: 2023
    memory: 96 GiB
    memory_bandwidth: 3360 GB/s
    peak: {fp16: 990 TFLOPS, bf16: 990 TFLOPS, fp8: 1980 TFLOPS}
    tdp: 700 W
    compute_capability: "9.0"
    rt_cores: false
    source: sheet
  - id: nvidia-a100-sxm4-40gb
    name: A100
    vendor: nvidia
    family: a100
    architecture: ampere
    form_factor: sxm
    year: 2020
    memory: 40 GiB
    memory_bandwidth: 1555 GB/s
    peak: {tf32: 156 TFLOPS, fp16: 312 TFLOPS, bf16: 312 TFLOPS, int8: 624 TOPS}
    tdp: 400 W
    compute_capability: "8.0"
    rt_cores: false
    source: sheet
  - id: nvidia-a100-slice
    name: A100 slice
    vendor: nvidia
    architecture: ampere
    memory: 5 GiB
    memory_bandwidth: 194 GB/s
    peak: {bf16: 39 TFLOPS}
    slice_of: nvidia-a100-sxm4-40gb
    source: sheet
  - id: nvidia-b200-sxm6-180gb
    name: B200
    vendor: nvidia
    family: b200
    architecture: blackwell
    form_factor: sxm
    year: 2024
    memory: 180 GiB
    memory_bandwidth: 8000 GB/s
    peak: {bf16: 2250 TFLOPS, fp8: 4500 TFLOPS}
    source: sheet
)";
  texts["d/hopper.yaml"] = R"(curves: hopper
sources:
  fit: {url: "https://vendor.example/fit", date: 2026-01-01, confidence: derived}
gemm:
  - {format: bf16, peak_fraction: 0.8, size_penalty: 15, sustained: 0.9}
attention: {peak_fraction: 0.6, half_length: 1000, sustained: 0.6, sustained_sdpa: 0.4, head_exponent: 0.7}
memory_fraction: 0.85
basis: measured
source: fit
)";
  texts["d/ib.yaml"] = R"(fabric: ib
sources:
  fit: {url: "https://vendor.example/fit", date: 2026-01-01, confidence: derived}
name: InfiniBand
gpu_direct: true
source: fit
)";
  texts["d/rates.yaml"] = R"(rates: test
sources:
  bank: {url: "https://bank.example/rates", date: 2026-06-01, confidence: verified}
exchange:
  columns: [currency, month, usd_per_unit, source]
  rows:
    - [EUR, 2026-06-01, 1.25, bank]
)";
  texts["d/acme.yaml"] = R"(provider: acme
name: Acme
sources:
  list: {url: "https://acme.example/prices", date: 2026-10-01, confidence: verified}
spot: {notice: 120 s, kind: spot, source: list}
instances:
  - {id: hx.1, gpu: nvidia-h100-sxm5-80gb, count: 1, vcpus: 16, memory: 80 GiB, network: 100 Gbps, source: list}
  - {id: hx.2, gpu: nvidia-h100-sxm5-80gb, count: 2, vcpus: 32, memory: 400 GiB, network: 100 Gbps, source: list}
  - {id: hx.4, gpu: nvidia-h100-sxm5-80gb, count: 4, vcpus: 64, memory: 800 GiB, network: 200 Gbps, source: list}
  - {id: hx.8, gpu: nvidia-h100-sxm5-80gb, count: 8, vcpus: 128, memory: 1600 GiB, local_disk: 8 TB, network: 3200 Gbps, fabric: ib, gpu_memory: 640 GB, gpu_memory_bandwidth: 3350 GB/s, gpu_peak: {bf16: 989 TFLOPS}, network_ports: 8 x 400 Gbps NDR, power: 10.2 kW, source: list}
  - {id: ax-8xa100, gpu: nvidia-a100-sxm4-40gb, count: 8, vcpus: 96, memory: 1000 GiB, network: 400 Gbps, virtualization: bare-metal, evidence: "called bare metal on the page of prices", source: list}
  - {id: mig-1, gpu: nvidia-a100-slice, count: 1, vcpus: 2, memory: 10 GiB, source: list}
  - {id: n-1, gpu: nvidia-a100-sxm4-40gb, count: 4, vcpus: 48, memory: 500 GiB, network: 50 Gbps, source: list}
  - {id: n-2, gpu: nvidia-a100-sxm4-40gb, count: 4, vcpus: 48, memory: 600 GiB, network: 50 Gbps, source: list}
  - {id: n-3, gpu: nvidia-a100-sxm4-40gb, count: 4, vcpus: 48, memory: 700 GiB, network: 50 Gbps, source: list}
  - {id: cpu, vcpus: 4, memory: 16 GiB, source: list}
regions:
  - {id: west, country: US, continent: na}
prices:
  columns: [instance, region, purchase, price, source]
  rows:
    - [hx.1, west, on-demand, 3.00 USD/h, list]
    - [hx.4, west, on-demand, 12.40 USD/h, list]
    - [hx.8, west, on-demand, 25.00 USD/h, list]
    - [hx.8, west, spot, 10.00 USD/h, list]
    - [hx.8, west, reserved-1y, 17.00 USD/h, list]
    - [hx.8, west, reserved-3y, 13.00 USD/h, list]
    - [ax-8xa100, west, on-demand, 9.60 EUR/h, list]
    - [cpu, west, on-demand, 0.20 USD/h, list]
)";
  for (const char* id : {"bolt", "core", "dune"}) {
    texts[std::string("d/") + id + ".yaml"] = "provider: " + std::string(id) + R"(
name: Other
sources:
  list: {url: "https://other.example/prices", date: 2026-10-01, confidence: verified}
instances:
  - {id: big, gpu: nvidia-h100-sxm5-80gb, count: 8, vcpus: 128, memory: 1600 GiB, source: list}
regions:
  - {id: here}
prices:
  columns: [instance, region, purchase, price, source]
  rows:
    - [big, here, on-demand, 24.00 USD/h, list]
)";
  }
  texts["d/resale.yaml"] = R"(provider: resale
name: Resale of Acme
instances_of: acme
sources:
  offer: {url: "https://resale.example/offer", date: 2026-10-01, confidence: verified}
instances:
  - {id: hx.8, gpu: nvidia-h100-sxm5-80gb, count: 8, vcpus: 128, memory: 1600 GiB, network: 3200 Gbps, source: offer}
  - {id: ax-8xa100-plus, gpu: nvidia-a100-sxm4-40gb, count: 8, vcpus: 96, memory: 1000 GiB, network: 400 Gbps, source: offer}
)";
  texts["d/lint.yaml"] = R"(lint: acme
sources:
  docs: {url: "https://acme.example/docs", date: 2026-10-01, confidence: verified}
spot: {notice: 120 s, source: docs}
families:
  - {family: hx, pattern: "hx.*", gpu: nvidia-h100-sxm5-80gb, source: docs}
  - {family: ax, pattern: "ax-*", gpu: nvidia-a100-sxm4-40gb, source: docs}
  - {family: n, pattern: "n-*", gpu: nvidia-a100-sxm4-40gb, source: docs}
  - {family: mig, pattern: "mig-*", source: docs}
  - {family: cpu, pattern: "cpu", source: docs}
peaks:
  - {gpu: "nvidia-x*", format: int8, over: fp16, times: 4, reason: "an example"}
)";
  return texts;
}

}  // namespace gpusel::catalog::test
