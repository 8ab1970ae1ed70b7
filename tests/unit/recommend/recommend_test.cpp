// Properties of the ranking over the shipped data.
#include "world.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace gpusel;
using recommend::test::Options;
using recommend::test::request_of;
using recommend::test::World;

World training() { return {"llm-train", {{"params", "10B"}}}; }

std::vector<std::string> ids_of(const World& world, const recommend::Recommendation& answer,
                                std::size_t most) {
  std::vector<std::string> ids;
  for (const recommend::Row& row : answer.rows) {
    if (ids.size() == most) break;
    ids.push_back(world.catalog.id_of(world.catalog.offers[row.offer]) + "#" +
                  std::to_string(row.nodes));
  }
  return ids;
}

constexpr std::size_t kEveryRow = 100000;

}  // namespace

TEST_CASE("skipped machines never change the rows shown", "[recommend]") {
  const auto [kind, options] = GENERATE(
      std::pair<std::string, Options>{"llm-train", {{"params", "10B"}}},
      std::pair<std::string, Options>{"llm-train", {{"params", "1B"}}},
      std::pair<std::string, Options>{"llm-inference", {{"model", "llama-3.1-70b"}}},
      std::pair<std::string, Options>{"llm-inference",
                                      {{"model", "llama-3.1-8b"}, {"rate", "20/s"}}},
      std::pair<std::string, Options>{"llm-inference",
                                      {{"model", "llama-3.1-70b"},
                                       {"weights-dtype", "auto"},
                                       {"speculative", "3@80%"},
                                       {"cached-prompt", "50%"}}},
      std::pair<std::string, Options>{
          "llm-inference",
          {{"model", "qwen3-32b"}, {"rate", "10/s"}, {"weights-dtype", "auto"}, {"duty", "20%"}}},
      std::pair<std::string, Options>{"rendering",
                                      {{"frames", "2400"},
                                       {"frame-time", "12min@nvidia-rtx-a6000-48gb"},
                                       {"scene-memory", "18GB"}}});
  const auto objective = GENERATE(recommend::Objective::balanced, recommend::Objective::cost,
                                  recommend::Objective::time);
  const World world(kind, options);
  INFO(kind << " " << options.front().second << " " << static_cast<int>(objective));
  const recommend::Recommendation quick = world.answer(request_of(objective, 5));
  const recommend::Recommendation full = world.answer(request_of(objective, kEveryRow));
  CHECK(full.searched.skipped_offers == 0);
  CHECK(ids_of(world, quick, 5) == ids_of(world, full, 5));
  for (std::size_t i = 0; i < quick.rows.size(); ++i) {
    CHECK(quick.rows[i].pareto == full.rows[i].pareto);
  }
}

TEST_CASE("every offer is counted once", "[recommend]") {
  const World world = training();
  const auto top = GENERATE(std::size_t{1}, std::size_t{10}, kEveryRow);
  const recommend::Recommendation answer =
      world.answer(request_of(recommend::Objective::balanced, top));
  const std::size_t counted = answer.searched.ranked_offers + answer.unpriced.size() +
                              answer.rejected.size() + answer.searched.skipped_offers;
  CHECK(counted == world.catalog.offers.size());
}

TEST_CASE("cost is linear in the price, and the order by cost does not depend on its unit",
          "[recommend]") {
  World world = training();
  const recommend::Request request = request_of(recommend::Objective::cost, 10);
  const recommend::Recommendation before = world.answer(request);
  for (catalog::Offer& offer : world.catalog.offers) {
    if (offer.price) offer.price->rate *= 2;
  }
  const recommend::Recommendation after = world.answer(request);
  REQUIRE(ids_of(world, before, 10) == ids_of(world, after, 10));
  for (std::size_t i = 0; i < before.rows.size(); ++i) {
    CHECK(in_usd(after.rows[i].total) == Approx(2 * in_usd(before.rows[i].total)));
  }
}

TEST_CASE("the answer does not depend on the order of the catalog", "[recommend]") {
  World world = training();
  const recommend::Request request = request_of(recommend::Objective::balanced, 10);
  const std::vector<std::string> before = ids_of(world, world.answer(request), 10);
  std::reverse(world.catalog.offers.begin(), world.catalog.offers.end());
  CHECK(ids_of(world, world.answer(request), 10) == before);
}

TEST_CASE("an offer that goes never reorders two others", "[recommend]") {
  World world = training();
  const recommend::Request request = request_of(recommend::Objective::balanced, 10);
  const recommend::Recommendation before = world.answer(request);
  std::vector<std::string> expected = ids_of(world, before, 10);
  const std::string gone =
      world.catalog.instance_of(world.catalog.offers[before.rows[0].offer]).id.text();
  std::erase_if(world.catalog.offers, [&](const catalog::Offer& offer) {
    return world.catalog.instance_of(offer).id.text() == gone;
  });
  expected.erase(expected.begin());
  std::vector<std::string> after = ids_of(world, world.answer(request), expected.size());
  CHECK(after == expected);
}

TEST_CASE("a filter keeps the rows that it lets through", "[recommend]") {
  const World world = training();
  recommend::Request request = request_of(recommend::Objective::balanced, kEveryRow);
  std::vector<std::string> expected;
  const recommend::Recommendation all = world.answer(request);
  for (const recommend::Row& row : all.rows) {
    if (row.machine.gpu->family != "h100") continue;
    expected.push_back(world.catalog.id_of(world.catalog.offers[row.offer]) + "#" +
                       std::to_string(row.nodes));
  }
  request.constraints.gpus = world.catalog.gpus_named("h100");
  REQUIRE_FALSE(expected.empty());
  CHECK(ids_of(world, world.answer(request), kEveryRow) == expected);
}

TEST_CASE("the score is the product of its parts and of the factors of rules", "[recommend]") {
  const World world = training();
  const recommend::Recommendation answer =
      world.answer(request_of(recommend::Objective::balanced, 10));
  REQUIRE(answer.rows.size() == 10);
  for (std::size_t i = 0; i < answer.rows.size(); ++i) {
    const recommend::Row& row = answer.rows[i];
    double product = row.rule_factor;
    for (const recommend::ScorePart& part : row.parts) product *= part.contribution;
    CHECK(row.score == Approx(product));
    if (i > 0) CHECK(row.score <= answer.rows[i - 1].score);
  }
}

TEST_CASE("a deadline chooses the smallest cluster that meets it", "[recommend]") {
  const World world = training();
  recommend::Request request = request_of(recommend::Objective::cost, kEveryRow);
  request.constraints.deadline = units::days(10);
  const recommend::Recommendation answer = world.answer(request);
  REQUIRE_FALSE(answer.rows.empty());
  for (const recommend::Row& row : answer.rows) {
    CHECK(row.plan.figures.duration <= units::days(10));
  }
}
