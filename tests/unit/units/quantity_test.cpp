// Quantities: dimensions of products, comparisons, literals and the ways in and out.
#include "gpusel/units/quantity.h"

#include "catch.h"

#include "gpusel/units/units.h"

#include <type_traits>

using namespace gpusel::units;
using namespace gpusel::units::literals;

static_assert(std::is_same_v<decltype(1_GB / 1_GBps), Seconds>);
static_assert(std::is_same_v<decltype(1_GBps * 1_s), Bytes>);
static_assert(std::is_same_v<decltype(usd_per_hour(1) * 1_h), Usd>);
static_assert(std::is_same_v<decltype(1_GB / 1_GB), double>);
static_assert(std::is_same_v<decltype(1_W * 1_s), Joules>);
static_assert(std::is_same_v<decltype((1.0 / 1_s) * 1_s), double>);
static_assert(!std::is_convertible_v<double, Bytes>);
static_assert(!std::is_constructible_v<Seconds, Bytes>);

TEST_CASE("products and quotients carry their dimension", "[units]") {
  CHECK(in_seconds(2_GB / 1_GBps) == 2);
  CHECK(in_gb(3_GBps * 2_s) == 6);
  CHECK(4_GB / 2_GB == 2);
  CHECK(in_usd(usd_per_hour(3.5) * 2_h) == Approx(7));
  CHECK(in_gb(2 * 3_GB) == 6);
  CHECK(in_gb(6_GB / 2) == 3);
}

TEST_CASE("sums and comparisons need equal dimensions", "[units]") {
  Bytes sum = 1_GB + 2_GB;
  sum += 1_GB;
  sum -= 2_GB;
  sum *= 3;
  CHECK(sum == 6_GB);
  CHECK(1_GB < 1_GiB);
  CHECK(1_GB <= 1_GB);
  CHECK(2_GB > 1_GB);
  CHECK_FALSE(1_GB >= 2_GB);
  CHECK(max(1_GB, 2_GB) == 2_GB);
  CHECK(min(1_GB, 2_GB) == 1_GB);
  CHECK(3_GB - 1_GB == 2_GB);
}

TEST_CASE("what goes in by a unit comes out by it", "[units]") {
  CHECK(in_gib(gib(80)) == 80);
  CHECK(in_bytes(1_GiB) == 1073741824);
  CHECK(in_gbps(gbps(400)) == 400);
  CHECK(in_gb_per_second(gbps(400)) == 50);
  CHECK(in_tflops(989_TFLOPS) == Approx(989));
  CHECK(in_hours(days(2)) == 48);
  CHECK(in_usd_per_hour(usd_per_hour(98.32)) == Approx(98.32));
  CHECK(kHoursPerMonth * 12 == 8760);
  CHECK(Ratio{0.1} < Ratio{0.2});
  CHECK(Count{1} == Count{1});
}
