// The rendering kind: scaling by scores, the scene's memory, waves of frames.
#include "../../../src/workload/rendering/scores.h"
#include "catch.h"
#include "serving_sample.h"

#include <algorithm>

using namespace gpusel;
using namespace gpusel::workload;
using workload::rendering::Score;
using workload::rendering::ScoreTable;
using workload::test::Options;
using workload::test::shipped;
using workload::test::total_of;
using workload::test::work;

namespace {

const Options kFilm = {
    {"frames", "1440"}, {"frame-time", "12min@nvidia-rtx-a6000-48gb"}, {"scene-memory", "18GB"}};

Options film(const Options& extra) {
  Options options = kFilm;
  options.insert(options.end(), extra.begin(), extra.end());
  return options;
}

estimate::Verdict<estimate::Plan> plan_on(const Workload& w, const estimate::Machine& machine) {
  SearchCount count;
  return w.search(machine, count);
}

Score score(const char* gpu, const char* version, const char* backend, double value) {
  return {GpuId(gpu), version, backend, value, "test"};
}

bool mentions(const std::vector<diag::Diagnostic>& faults, std::string_view text) {
  return std::any_of(faults.begin(), faults.end(), [&](const diag::Diagnostic& d) {
    return d.message.find(text) != std::string::npos || d.help.find(text) != std::string::npos;
  });
}

}  // namespace

TEST_CASE("scores pair within one version and backend, the newest first", "[workload]") {
  const ScoreTable table({score("a", "4.5.0", "optix", 100), score("b", "4.5.0", "hip", 90),
                          score("a", "4.2.0", "hip", 60), score("b", "4.2.0", "hip", 30),
                          score("a", "3.6.0", "hip", 50), score("b", "3.6.0", "hip", 50),
                          score("c", "4.10.0", "optix", 70), score("a", "4.10.0", "optix", 140)});
  const auto ab = table.pair(GpuId("a"), GpuId("b"));
  REQUIRE(ab);
  CHECK(ab->version == "4.2.0");
  CHECK(ab->slowdown() == Approx(2));
  const auto ac = table.pair(GpuId("a"), GpuId("c"));
  REQUIRE(ac);
  CHECK(ac->version == "4.10.0");
  CHECK_FALSE(table.pair(GpuId("b"), GpuId("c")));
  CHECK_FALSE(table.pair(GpuId("a"), GpuId("z")));
}

TEST_CASE("a frame scales with the score, and frames run in waves", "[workload]") {
  auto& s = shipped();
  const auto w = work("rendering", kFilm);
  const auto same = plan_on(*w, s.machine("nvidia-rtx-a6000-48gb", 1));
  REQUIRE(same);
  CHECK(units::in_hours(same->figures.duration) == Approx(1440 * 0.2));
  const auto machine = s.machine("nvidia-l40s-48gb", 4);
  const auto plan = plan_on(*w, machine);
  REQUIRE(plan);
  const double frame = 720 * 5037.787 / 7848.063;  // Blender Open Data 4.5.0, OptiX
  CHECK(units::in_seconds(plan->figures.step) == Approx(frame).epsilon(1e-6));
  CHECK(units::in_seconds(plan->figures.duration) == Approx(frame * 360).epsilon(1e-6));
  CHECK(plan->choices[0] == 4);
  const auto e = w->explain(*plan, machine);
  CHECK(total_of(e, "time") == Approx(units::in_seconds(plan->figures.duration)));
  CHECK(total_of(e, "memory") == Approx(18e9));
  CHECK(e.time_low == Approx(0.75));
  CHECK(e.time_high == Approx(1.25));
  const auto bound = w->bound(machine);
  CHECK(bound.time <= plan->figures.duration);
  CHECK(bound.memory <= plan->figures.memory);
}

TEST_CASE("a part-filled wave costs a whole one", "[workload]") {
  auto& s = shipped();
  const auto w =
      work("rendering",
           {{"frames", "9"}, {"frame-time", "60s@nvidia-l40s-48gb"}, {"scene-memory", "4GB"}});
  const auto plan = plan_on(*w, s.machine("nvidia-l40s-48gb", 4, 2));
  REQUIRE(plan);
  CHECK(units::in_seconds(plan->figures.duration) == Approx(120));
  CHECK(w->node_counts(s.catalog, s.node("nvidia-l40s-48gb", 4)) == std::vector<int>{1, 2, 3});
  const auto fixed = work("rendering", film({{"nodes", "5"}}));
  CHECK(fixed->node_counts(s.catalog, s.node("nvidia-l40s-48gb", 4)) == std::vector<int>{5});
}

TEST_CASE("the fixed part of a frame does not scale", "[workload]") {
  auto& s = shipped();
  const auto w = work("rendering", film({{"frame-fixed", "60s"}}));
  const auto plan = plan_on(*w, s.machine("nvidia-l40s-48gb", 1));
  REQUIRE(plan);
  CHECK(units::in_seconds(plan->figures.step) ==
        Approx(60 + 660 * 5037.787 / 7848.063).epsilon(1e-6));
}

TEST_CASE("the scene must fit, and a GPU without a score is unknown", "[workload]") {
  auto& s = shipped();
  const auto small = plan_on(*work("rendering", kFilm), s.machine("nvidia-v100-sxm2-16gb", 8));
  REQUIRE_FALSE(small);
  CHECK(small.error().resource == "scene_memory");
  CHECK(small.error().needed > small.error().available);
  const auto unscored = plan_on(*work("rendering", kFilm), s.machine("nvidia-h200-sxm5-141gb", 8));
  REQUIRE_FALSE(unscored);
  CHECK(unscored.error().resource == "render_score");
  const auto measured = work(
      "rendering",
      {{"frames", "10"}, {"frame-time", "5min@nvidia-h200-sxm5-141gb"}, {"scene-memory", "18GB"}});
  CHECK(plan_on(*measured, s.machine("nvidia-h200-sxm5-141gb", 8)));
  const auto tight = work("rendering", film({{"scene-memory", "44GB"}, {"headroom", "20%"}}));
  CHECK(plan_on(*tight, s.machine("nvidia-l40s-48gb", 1)).error().resource == "scene_memory");
}

TEST_CASE("rendering asks for what nobody can guess", "[workload]") {
  const auto nothing = test::make("rendering", {});
  CHECK(nothing.work == nullptr);
  CHECK(nothing.faults.size() == 3);
  CHECK(mentions(nothing.faults, "--frame-time 12min@"));
  const auto family = test::make(
      "rendering", {{"frames", "10"}, {"frame-time", "5min@h100"}, {"scene-memory", "1GB"}});
  CHECK(family.work == nullptr);
  CHECK(mentions(family.faults, "nvidia-h100-sxm5-80gb"));
  CHECK(test::make("rendering",
                   {{"frames", "10"}, {"frame-time", "5min@l40x"}, {"scene-memory", "1GB"}})
            .work == nullptr);
  CHECK(test::make("rendering", {{"frames", "10"}, {"frame-time", "5min"}, {"scene-memory", "1GB"}})
            .work == nullptr);
  CHECK(test::make("rendering", film({{"frame-fixed", "13min"}})).work == nullptr);
}
