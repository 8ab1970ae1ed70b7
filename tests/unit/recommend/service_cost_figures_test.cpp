// What a service costs over a month, in figures worked out by hand.
#include "catch.h"

#include "gpusel/recommend/service_cost.h"

#include <string>

using namespace gpusel;
using recommend::service_cost;
using recommend::ServiceCost;

namespace {

constexpr double kMonth = 730 * 3600.0;  // s

catalog::Offer offer_of(catalog::Purchase purchase) {
  catalog::Offer offer;
  offer.purchase = purchase;
  offer.price.emplace();
  offer.price->rate = units::usd_per_hour(2);
  return offer;
}

// One node at 2 USD/h that carries 10 requests/s and has 4 of them; a quarter of its time goes
// into prompts.
recommend::Row row_of(const workload::TokenService& service) {
  recommend::Row row;
  row.usage.duration = units::seconds(kMonth);
  row.usage.nature = cost::Usage::Nature::service;
  row.total = units::usd(1460);
  row.plan.figures.throughput = units::ItemsPerSecond{4 * service.answer};
  row.estimate.capacity.emplace();
  row.estimate.capacity->requests = 10;
  row.estimate.prompt_share = 0.25;
  return row;
}

workload::TokenService service_of(double duty) {
  workload::TokenService service;
  service.prompt = 1000;
  service.answer = 200;
  service.duty = duty;
  return service;
}

ServiceCost cost_of(const workload::TokenService& service,
                    catalog::Purchase purchase = catalog::Purchase::on_demand) {
  const auto cost = service_cost(row_of(service), offer_of(purchase), service);
  REQUIRE(cost);
  return *cost;
}

workload::ApiPrice api_of(double input, double output) {
  return {units::UsdPerItem{input / 1e6}, units::UsdPerItem{output / 1e6}, std::nullopt};
}

double per_million(units::UsdPerItem price) { return in_usd_per_item(price) * 1e6; }

}  // namespace

TEST_CASE("the cost of a month is split by the time of the GPUs, and none of it is lost",
          "[recommend]") {
  const ServiceCost c = cost_of(service_of(1));
  CHECK(c.requests == Approx(4));
  CHECK(c.utilisation == Approx(0.4));
  CHECK(c.input_tokens == Approx(4 * 1000 * kMonth));
  CHECK(c.output_tokens == Approx(4 * 200 * kMonth));
  CHECK(per_million(c.always_on.input) == Approx(1460 * 0.25 / c.input_tokens * 1e6));
  CHECK(per_million(c.always_on.output) == Approx(1460 * 0.75 / c.output_tokens * 1e6));
  CHECK(in_usd(c.always_on.input * units::items(c.input_tokens) +
               c.always_on.output * units::items(c.output_tokens)) == Approx(1460));
}

TEST_CASE("an API below the price of a full machine never breaks even", "[recommend]") {
  workload::TokenService service = service_of(1);
  // 1460 USD over 10 requests/s for a month are 55.6 USD per million requests.
  service.api = api_of(0.03, 0.1);  // 50
  const ServiceCost dear = cost_of(service);
  CHECK_FALSE(dear.api->within_capacity);
  CHECK(dear.api->cheaper);
  service.api = api_of(0.03, 0.15);  // 60: between 4 and 10 requests/s
  const ServiceCost fair = cost_of(service);
  CHECK(fair.api->within_capacity);
  CHECK(fair.api->cheaper);
  CHECK(fair.api->break_even_requests == Approx(9.259).epsilon(0.001));
}

TEST_CASE("where the load, the price or the capacity is not known, nothing is said",
          "[recommend]") {
  const workload::TokenService service = service_of(1);
  const catalog::Offer offer = offer_of(catalog::Purchase::on_demand);
  catalog::Offer unpriced = offer;
  unpriced.price.reset();
  CHECK_FALSE(service_cost(row_of(service), unpriced, service));
  recommend::Row row = row_of(service);
  row.plan.figures.throughput = {};
  CHECK_FALSE(service_cost(row, offer, service));
  row = row_of(service);
  row.estimate.capacity.reset();
  CHECK_FALSE(service_cost(row, offer, service));
}
