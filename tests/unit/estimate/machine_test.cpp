#include "gpusel/estimate/machine.h"

#include "catch.h"

#include "gpusel/estimate/collectives.h"
#include "gpusel/estimate/kernels.h"

using namespace gpusel;
using namespace gpusel::estimate;
using catalog::NumberFormat;

namespace {

struct Fixture {
  catalog::Catalog catalog;
  catalog::Hardware hardware;

  Fixture() {
    catalog::Gpu gpu;
    gpu.id = GpuId("test-gpu");
    gpu.memory = units::gib(80);
    gpu.memory_bandwidth = units::gb_per_second(2000);
    gpu.peak.rate[static_cast<std::size_t>(NumberFormat::bf16)] = units::tflops(300);
    gpu.peak.rate[static_cast<std::size_t>(NumberFormat::fp16)] = units::tflops(300);
    gpu.link = catalog::GpuLink{"nvlink3", units::gb_per_second(600), 8};
    gpu.curves = "test";
    catalog.gpus.push_back(gpu);
    catalog::Curves curves;
    curves.id = "test";
    curves.gemm = {{NumberFormat::bf16, 0.8, 100, 0.9}};
    curves.attention = {0.6, 1000, 0.5, 0.4, 0.7};
    curves.memory_fraction = 0.85;
    catalog.curves.push_back(curves);
    hardware.gpu = 0;
    hardware.count = 8;
    hardware.network = units::gbps(1600);
  }
  Machine machine(int nodes) { return make_machine(catalog, hardware, nodes); }
  catalog::Gpu& gpu() { return catalog.gpus[0]; }
};

}  // namespace

TEST_CASE("a machine knows its links", "[estimate]") {
  Fixture f;
  CHECK(f.machine(4).gpus() == 32);
  CHECK(f.machine(4).domain() == 8);
  CHECK(units::in_gb_per_second(f.machine(1).link_bandwidth()) == Approx(300));
  CHECK(units::in_gbps(*f.machine(4).network_per_gpu()) == Approx(200));
  f.gpu().link->kind = "nvlink2";
  CHECK(units::in_gb_per_second(f.machine(1).link_bandwidth()) == Approx(150));
  f.gpu().link.reset();
  f.gpu().pcie = catalog::Pcie{4, 16};
  CHECK(units::in_gb_per_second(f.machine(1).link_bandwidth()) == Approx(10));
  CHECK(f.machine(2).domain() == 8);
}

TEST_CASE("a small link does not join instances, a rack's does", "[estimate]") {
  Fixture f;
  f.hardware.count = 1;
  CHECK(f.machine(8).domain() == 1);
  f.hardware.count = 4;
  f.gpu().link->domain = 72;
  CHECK(f.machine(8).domain() == 32);
  CHECK(f.machine(32).domain() == 72);
  CHECK(make_links(f.machine(32))->domain == 64);
}

TEST_CASE("several nodes need a known network", "[estimate]") {
  Fixture f;
  f.hardware.network.reset();
  CHECK(make_links(f.machine(1)).has_value());
  CHECK_FALSE(make_links(f.machine(2)).has_value());
}

TEST_CASE("a matrix product follows its curve", "[estimate]") {
  Fixture f;
  const auto gemm = make_gemm(f.gpu(), f.catalog.curves[0], NumberFormat::bf16);
  REQUIRE(gemm.has_value());
  const double n = 8192;
  const double expected = 2 * n * n * n * (1 + 100 * 3 / n) / (0.8 * 300e12) / 0.9;
  CHECK(gemm->seconds(n, n, n) == Approx(expected));
  // A product with one row reads its weights.
  CHECK(gemm->seconds(1, n, n) == Approx(((n + n * n) * 2 + 2 * n) / (0.85 * 2e12) / 0.9));
  CHECK(gemm->seconds(n, n, 2 * n) > gemm->seconds(n, n, n));
  CHECK_FALSE(make_gemm(f.gpu(), f.catalog.curves[0], NumberFormat::fp8).has_value());
}

TEST_CASE("a power-limited card follows its watts", "[estimate]") {
  Fixture f;
  f.catalog.curves[0].watts_fraction = 0.61;
  f.gpu().tdp = units::watts(300);
  CHECK(make_gemm(f.gpu(), f.catalog.curves[0], NumberFormat::bf16)->rate == Approx(0.61 * 300e12));
  f.gpu().tdp = units::watts(900);
  CHECK(make_gemm(f.gpu(), f.catalog.curves[0], NumberFormat::bf16)->rate == Approx(300e12));
}

TEST_CASE("a board with less power than its class sustains less", "[estimate]") {
  Fixture f;
  const double full = make_gemm(f.gpu(), f.catalog.curves[0], NumberFormat::bf16)->sustained;
  CHECK(power_share(f.gpu(), f.catalog.curves[0]) == 1);
  f.catalog.curves[0].full_power = 1.0;  // W per TFLOPS; the GPU has 300 TFLOPS
  f.gpu().tdp = units::watts(300);
  CHECK(power_share(f.gpu(), f.catalog.curves[0]) == 1);
  f.gpu().tdp = units::watts(75);
  CHECK(power_share(f.gpu(), f.catalog.curves[0]) == Approx(0.5));
  CHECK(make_gemm(f.gpu(), f.catalog.curves[0], NumberFormat::bf16)->sustained ==
        Approx(0.5 * full));
  f.gpu().tdp = units::watts(600);
  CHECK(power_share(f.gpu(), f.catalog.curves[0]) == 1);
  f.gpu().tdp.reset();
  CHECK(power_share(f.gpu(), f.catalog.curves[0]) == 1);
}

TEST_CASE("attention speeds up with the sequence", "[estimate]") {
  const catalog::AttentionCurve curve{0.6, 1000, 0.5, 0.4, 0.7};
  CHECK(attention_rate(curve, AttentionKernels::vendor, 1e12, 1000, 128) == Approx(0.15e12));
  CHECK(attention_rate(curve, AttentionKernels::sdpa, 1e12, 1000, 128) == Approx(0.12e12));
  CHECK(attention_rate(curve, AttentionKernels::vendor, 1e12, 1000, 64) <
        attention_rate(curve, AttentionKernels::vendor, 1e12, 1000, 128));
}

TEST_CASE("exchanges cost latency and bytes", "[estimate]") {
  Links links;
  links.link = 300e9;
  links.network = 25e9;
  links.domain = 8;
  links.fast = true;
  CHECK(links.all_reduce_seconds(1e9, 1) == 0);
  CHECK(links.all_reduce_seconds(1e9, 8) == Approx(20e-6 + 2 * 7.0 / 8 * 1e9 / (0.75 * 300e9)));
  CHECK(links.all_reduce_seconds(1e9, 16) > links.all_reduce_seconds(1e9, 8));
  CHECK(links.pass_seconds(1e9, 8, 1) == Approx(7.0 / 8 * 1e9 / (0.75 * 300e9)));
  // 64 ranks of which eight share a domain: the rest crosses the network.
  CHECK(links.pass_seconds(1e9, 64, 1) ==
        Approx(7.0 / 8 * 1e9 / (0.75 * 300e9) + 7.0 / 8 * 1e9 / (8 * 0.85 * 25e9)));
  CHECK(links.pass_seconds(1e9, 1, 8) == 0);
}
