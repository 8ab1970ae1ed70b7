// The cost of a service: tokens of both kinds, hours without load, and a metered API.
#include "gpusel/recommend/service_cost.h"

#include "world.h"

using namespace gpusel;
using recommend::ServiceCost;
using recommend::test::Options;
using recommend::test::request_of;
using recommend::test::World;

namespace {

struct Costed {
  World world;
  recommend::Recommendation answer;
  recommend::Row row;
  ServiceCost cost;

  explicit Costed(const Options& extra, catalog::Purchase purchase = catalog::Purchase::on_demand)
      : world("llm-inference", options(extra)), answer(world.answer(request(purchase))) {
    REQUIRE_FALSE(answer.rows.empty());
    row = answer.rows.front();
    const auto found =
        recommend::service_cost(row, world.catalog.offers[row.offer], *world.work->traits().tokens);
    REQUIRE(found);
    cost = *found;
  }

  static Options options(const Options& extra) {
    Options all = {{"model", "llama-3.1-8b"}, {"rate", "2/s"}};
    all.insert(all.end(), extra.begin(), extra.end());
    return all;
  }
  static recommend::Request request(catalog::Purchase purchase) {
    recommend::Request request = request_of(recommend::Objective::cost, 1);
    request.constraints.purchases = {purchase};
    return request;
  }
};

double usd(units::Usd amount) { return in_usd(amount); }
double total(const ServiceCost& c, const recommend::RunningCost& way) {
  return in_usd_per_item(way.input) * c.input_tokens +
         in_usd_per_item(way.output) * c.output_tokens;
}

}  // namespace

TEST_CASE("the prices of both kinds of token add up to the month", "[recommend]") {
  const Costed c(Options{{"duty", "30%"}});
  CHECK(usd(c.cost.always_on.month) == Approx(usd(c.row.total)));
  CHECK(total(c.cost, c.cost.always_on) == Approx(usd(c.cost.always_on.month)));
  REQUIRE(c.cost.scale_to_zero);
  CHECK(total(c.cost, *c.cost.scale_to_zero) == Approx(usd(c.cost.scale_to_zero->month)));
  CHECK(usd(c.cost.scale_to_zero->month) == Approx(0.3 * usd(c.cost.always_on.month)));
  CHECK(c.cost.requests == Approx(2));
  CHECK(c.cost.input_tokens == Approx(4 * c.cost.output_tokens));
  // An output token is decoded alone, prompts are read together.
  CHECK(c.cost.always_on.output > c.cost.always_on.input);
  CHECK(c.cost.utilisation == Approx(0.3 * 2 / c.row.estimate.capacity->requests));
}

TEST_CASE("a month without idle hours costs the same either way", "[recommend]") {
  const Costed c(Options{});
  REQUIRE(c.cost.scale_to_zero);
  CHECK(usd(c.cost.scale_to_zero->month) == Approx(usd(c.cost.always_on.month)));
  CHECK_FALSE(c.cost.api);
}

TEST_CASE("a commitment is paid through idle hours", "[recommend]") {
  const Costed c(Options{{"duty", "30%"}}, catalog::Purchase::reserved_1y);
  CHECK_FALSE(c.cost.scale_to_zero);
  CHECK(usd(c.cost.cheapest().month) == usd(c.cost.always_on.month));
}

TEST_CASE("at the break-even both cost the same", "[recommend]") {
  const Costed c(Options{{"duty", "30%"}, {"api-price", "0.10/0.40"}});
  REQUIRE(c.cost.api);
  const double per_request = (1024 * 0.10 + 256 * 0.40) / 1e6;
  const double seconds = 730.0 * 3600 * 0.3;
  CHECK(usd(c.cost.api->month) == Approx(2 * seconds * per_request).epsilon(0.01));
  CHECK(c.cost.api->break_even_requests * seconds * per_request ==
        Approx(usd(c.cost.cheapest().month)).epsilon(0.01));
  CHECK(c.cost.api->break_even_tokens ==
        Approx(c.cost.api->break_even_requests * seconds * 1280).epsilon(0.01));
  CHECK(c.cost.api->cheaper == (c.cost.api->month < c.cost.cheapest().month));

  const Costed dear(Options{{"api-price", "100/400"}});
  CHECK_FALSE(dear.cost.api->cheaper);
  CHECK(dear.cost.api->within_capacity);
  const Costed free(Options{{"api-price", "0/0.0001"}});
  CHECK(free.cost.api->cheaper);
  CHECK_FALSE(free.cost.api->within_capacity);
}

TEST_CASE("without a load the month is full", "[recommend]") {
  const World world("llm-inference", {{"model", "llama-3.1-8b"}});
  const auto answer = world.answer(request_of(recommend::Objective::cost, 1));
  const recommend::Row& row = answer.rows.front();
  const auto cost =
      recommend::service_cost(row, world.catalog.offers[row.offer], *world.work->traits().tokens);
  REQUIRE(cost);
  CHECK(cost->utilisation == Approx(1).epsilon(0.001));
}
