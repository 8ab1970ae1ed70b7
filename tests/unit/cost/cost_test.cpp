// Cost models: each way of buying has one, and its terms add up.
#include "gpusel/cost/cost.h"

#include "catch.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

using namespace gpusel;
using namespace gpusel::cost;
using catalog::Purchase;
using units::hours;
using units::seconds;

namespace {

constexpr Purchase kAll[] = {Purchase::on_demand, Purchase::spot, Purchase::reserved_1m,
                             Purchase::reserved_1y, Purchase::reserved_3y};

Usage job(double in_hours, int nodes = 1) {
  Usage usage;
  usage.nodes = nodes;
  usage.duration = hours(in_hours);
  return usage;
}

Usage service(int nodes = 1) {
  Usage usage = job(units::kHoursPerMonth, nodes);
  usage.nature = Usage::Nature::service;
  return usage;
}

Cost cost_of(const Usage& usage, double price, Purchase purchase) {
  return model_of(purchase).cost(usage, units::usd_per_hour(price), purchase);
}

double total(const Usage& usage, double price, Purchase purchase) {
  return units::in_usd(total_cost(cost_of(usage, price, purchase)));
}

}  // namespace

TEST_CASE("every way of buying has exactly one model", "[cost]") {
  for (const auto& [name, purchase] : data::EnumNames<Purchase>::kNames) {
    const Purchase wanted = purchase;
    CAPTURE(name);
    const auto has = [&](const CostModel* m) {
      return std::count(m->purchases.begin(), m->purchases.end(), wanted);
    };
    std::ptrdiff_t models_of_it = 0;
    for (const CostModel* model : models()) models_of_it += has(model);
    CHECK(models_of_it == 1);
    CHECK(has(&model_of(wanted)) == 1);
  }
  CHECK(std::size(kAll) == data::EnumNames<Purchase>::kNames.size());
  std::set<std::string_view> ids;
  for (const CostModel* model : models()) ids.insert(model->id);
  CHECK(ids.size() == models().size());
}

TEST_CASE("the time charged is rounded up to the billing increment", "[cost]") {
  const auto billed = [](double duration, double increment) {
    Usage usage;
    usage.duration = seconds(duration);
    usage.billing_increment = seconds(increment);
    return units::in_seconds(billed_time(usage));
  };
  CHECK(billed(1, 60) == 60);
  CHECK(billed(60, 60) == 60);
  CHECK(billed(61, 60) == 120);
  CHECK(billed(3599.5, 1) == 3600);
  CHECK(billed(0, 60) == 0);
  CHECK_FALSE(std::signbit(billed(0, 60)));
  CHECK(billed(3 * 0.1, 0.1) == Approx(0.3));  // 0.30000000000000004 is not a fourth step
  CHECK(billed(1e9 + 0.5, 1) == 1e9 + 1);
  CHECK(billed(90, 0) == 90);
  CHECK(units::in_hours(billed_time(job(1.5))) == 1.5);
}

TEST_CASE("hours used are paid at the listed price", "[cost]") {
  const Purchase purchase = GENERATE(Purchase::on_demand, Purchase::spot);
  CHECK(total(job(10, 3), 2.5, purchase) == Approx(75));
  Usage odd = job(0.5);
  odd.billing_increment = hours(1);
  CHECK(total(odd, 2.5, purchase) == Approx(2.5));
  CHECK(units::in_usd(cost_of(job(10), 2.5, purchase).unused_term) == 0);
}

TEST_CASE("a job under a commitment pays whole terms", "[cost]") {
  const Cost one_month = cost_of(job(30, 2), 2, Purchase::reserved_1m);
  CHECK(units::in_usd(one_month.compute) == Approx(120));
  CHECK(units::in_usd(one_month.unused_term) == Approx(700 * 2 * 2));
  CHECK(total(job(8760), 2, Purchase::reserved_1y) == Approx(8760 * 2));
  CHECK(units::in_usd(cost_of(job(8760), 2, Purchase::reserved_1y).unused_term) == 0);
  CHECK(total(job(731), 2, Purchase::reserved_1m) ==
        Approx(2 * 730 * 2));  // a second month is begun
  CHECK(total(job(1), 2, Purchase::reserved_3y) == Approx(3 * 8760 * 2));
}

TEST_CASE("a service pays its month, whatever the term", "[cost]") {
  for (const Purchase purchase : kAll) {
    CHECK(total(service(2), 3, purchase) == Approx(730 * 3 * 2));
    CHECK(units::in_usd(cost_of(service(), 3, purchase).unused_term) == 0);
  }
}

TEST_CASE("a set-up fee is paid once per node, however it is bought", "[cost]") {
  for (const Purchase purchase : kAll) {
    Usage usage = job(10, 3);
    const double without = total(usage, 2, purchase);
    usage.setup_fee = units::usd(50);
    CHECK(units::in_usd(cost_of(usage, 2, purchase).setup) == 150);
    CHECK(total(usage, 2, purchase) == Approx(without + 150));
  }
}

TEST_CASE("a least term is paid whole when the job is shorter", "[cost]") {
  Usage usage = job(10, 2);
  usage.min_term = hours(24);
  CHECK(units::in_usd(cost_of(usage, 3, Purchase::on_demand).compute) == Approx(60));
  CHECK(units::in_usd(cost_of(usage, 3, Purchase::on_demand).unused_term) == Approx(14 * 3 * 2));
  usage.duration = hours(30);
  CHECK(units::in_usd(cost_of(usage, 3, Purchase::on_demand).unused_term) == 0);
}

TEST_CASE("the terms of a commitment are months of 730 hours", "[cost]") {
  CHECK_FALSE(term_of(Purchase::on_demand));
  CHECK_FALSE(term_of(Purchase::spot));
  CHECK(units::in_hours(*term_of(Purchase::reserved_1m)) == 730);
  CHECK(units::in_hours(*term_of(Purchase::reserved_1y)) == 8760);
  CHECK(units::in_hours(*term_of(Purchase::reserved_3y)) == 26280);
}

TEST_CASE("a cost is the sum of its terms, which cover it whole", "[cost]") {
  static_assert(sizeof(Cost) == std::size(kCostTerms) * sizeof(units::Usd),
                "a member without a term");
  for (const Purchase purchase : kAll) {
    for (const double length : {0.1, 10.0, 800.0, 30000.0}) {
      const Cost cost = cost_of(job(length, 4), 7, purchase);
      CHECK(total_cost(cost) == cost.compute + cost.unused_term + cost.setup);
      CHECK(units::in_usd(cost.compute) > 0);
      CHECK(units::in_usd(cost.unused_term) >= 0);
    }
  }
}

TEST_CASE("a cost is linear in price and nodes and never falls with time", "[cost]") {
  for (const Purchase purchase : kAll) {
    double before = 0;
    for (const double length : {0.1, 1.0, 729.0, 730.0, 731.0, 9000.0, 27000.0}) {
      const double base = total(job(length), 2, purchase);
      CHECK(total(job(length), 6, purchase) == Approx(3 * base));
      CHECK(total(job(length, 5), 2, purchase) == Approx(5 * base));
      CHECK(base >= before * (1 - 1e-12));
      before = base;
    }
  }
}
