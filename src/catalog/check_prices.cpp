// Prices that cannot be, or that need a second look: zero, undated, stale, out of order, too deep a
// discount, another currency.
#include "check.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <tuple>

namespace gpusel::catalog {
namespace {

constexpr CodeInfo kZero{"catalog/zero-price", Severity::error, "a price of zero"};
constexpr CodeInfo kUndated{"catalog/undated-price", Severity::error, "a price without a date"};
constexpr CodeInfo kOrder{"catalog/price-order", Severity::warning,
                          "spot above on-demand, or a longer commitment dearer than a shorter one"};
constexpr CodeInfo kStale{"catalog/stale-price", Severity::warning, "a price older than a year"};
constexpr CodeInfo kFuture{"catalog/future-price", Severity::error,
                           "a price of a day that is still to come"};
constexpr CodeInfo kDiscount{"catalog/deep-discount", Severity::warning,
                             "a discount that is deeper than plausible"};
constexpr CodeInfo kOldRate{"catalog/old-exchange-rate", Severity::warning,
                            "a price converted with a rate of another time"};
constexpr CodeInfo kCurrency{"catalog/mixed-currency", Severity::warning,
                             "the same amount in two currencies"};
constexpr CodeInfo kCodes[] = {kZero,   kUndated,  kOrder,   kStale,
                               kFuture, kDiscount, kOldRate, kCurrency};

constexpr int kDaysOfYear = 365;
constexpr int kDaysOf18Months = 548;

using Prices = std::array<const Offer*, data::EnumNames<Purchase>::kNames.size()>;  // by purchase

diag::Span place_of(const Catalog& catalog, const Offer& offer) {
  return catalog.span_of_cell(offer.price->provenance, offer.price->literal);
}

void expect_order(const Catalog& catalog, const Offer* low, const Offer* high, diag::Sink& sink) {
  constexpr double kTolerance = 1.0005;  // roundings of monthly figures
  if (low == nullptr || high == nullptr || low->price->rate <= high->price->rate * kTolerance)
    return;
  sink.report(diag::finding(kOrder, place_of(catalog, *low),
                            fmt::format("{} costs {}, more than {} at {}",
                                        data::name_of(low->purchase), low->price->literal,
                                        data::name_of(high->purchase), high->price->literal))
                  .with_help("check both figures, their currency and their dates"));
}

// Deepest discounts that were seen: spot 4 to 6 % of the list for old parts, three years 35 %.
void expect_plausible(const Catalog& catalog, const Offer* offer, const Offer* on_demand,
                      double least, diag::Sink& sink) {
  if (offer == nullptr || on_demand == nullptr) return;
  const double share = offer->price->rate / on_demand->price->rate;
  constexpr double kRoundingOfRates = 1.0005;
  if (share > least * kRoundingOfRates) return;
  sink.report(diag::finding(kDiscount, place_of(catalog, *offer),
                            fmt::format("{} at {:.3g} % of on-demand",
                                        data::name_of(offer->purchase), share * 100))
                  .with_help(fmt::format("expected more than {:g} %; check the figure, and whether "
                                         "it is for the hour and the whole instance",
                                         least * 100)));
}

void check_group(const Catalog& catalog, const Prices& prices, diag::Sink& sink) {
  const auto at = [&](Purchase purchase) { return prices[static_cast<std::size_t>(purchase)]; };
  const Offer* on_demand = at(Purchase::on_demand);
  expect_order(catalog, at(Purchase::spot), on_demand, sink);
  const Offer* shorter = on_demand;
  for (const Purchase longer :
       {Purchase::reserved_1m, Purchase::reserved_1y, Purchase::reserved_3y}) {
    expect_order(catalog, at(longer), shorter, sink);
    if (at(longer) != nullptr) shorter = at(longer);
  }
  constexpr double kLeastSpot = 0.08;
  constexpr double kLeastYear = 0.30;
  constexpr double kLeastThreeYears = 0.20;
  expect_plausible(catalog, at(Purchase::spot), on_demand, kLeastSpot, sink);
  expect_plausible(catalog, at(Purchase::reserved_1y), on_demand, kLeastYear, sink);
  expect_plausible(catalog, at(Purchase::reserved_3y), on_demand, kLeastThreeYears, sink);
}

void check_age(const CheckContext& context, const Offer& offer, diag::Sink& sink) {
  const Price& price = *offer.price;
  if (!price.date) {
    sink.report(diag::finding(kUndated, place_of(context.catalog, offer), "a price without a date")
                    .with_help("give its source a 'date', or add a 'date' column"));
    return;
  }
  const int age = context.as_of.days_since(*price.date);
  if (age > kDaysOfYear) {
    sink.report(diag::finding(kStale, place_of(context.catalog, offer),
                              fmt::format("a price of {}, {} days old", price.date->text(), age))
                    .with_help("read it again, or write 'unknown'"));
  } else if (age < 0) {
    sink.report(diag::finding(kFuture, place_of(context.catalog, offer),
                              fmt::format("a price of {}, after today", price.date->text()))
                    .with_help("correct the date, or give the day of the check with --as-of"));
  }
}

// The newest month that is not after the price's day, else the oldest there is.
void check_rate(const Catalog& catalog, const Offer& offer, diag::Sink& sink) {
  const Price& price = *offer.price;
  if (price.listed.currency == "USD" || !price.date) return;
  std::optional<Date> used;
  std::optional<Date> oldest;
  for (const ExchangeRate& rate : catalog.exchange) {
    if (rate.currency != price.listed.currency) continue;
    if (!oldest || rate.month < *oldest) oldest = rate.month;
    if (rate.month <= *price.date && (!used || *used < rate.month)) used = rate.month;
  }
  if (!used) used = oldest;
  if (!used || std::abs(price.date->days_since(*used)) <= kDaysOf18Months) return;
  sink.report(diag::finding(kOldRate, place_of(catalog, offer),
                            fmt::format("a price of {} is converted with the {} rate of {}",
                                        price.date->text(), price.listed.currency, used->text()))
                  .with_help("add a rate of that time to a file of kind 'rates'"));
}

// The same amount with another currency sign is mostly copied without it.
void check_currencies(const Catalog& catalog, diag::Sink& sink) {
  std::map<std::pair<std::uint32_t, double>, const Offer*> amounts;
  for (const Offer& offer : catalog.offers) {
    if (!offer.price || offer.price->listed.amount <= 0) continue;
    const auto [at, fresh] =
        amounts.emplace(std::pair{offer.instance, offer.price->listed.amount}, &offer);
    if (fresh || at->second->price->listed.currency == offer.price->listed.currency) continue;
    sink.report(diag::finding(kCurrency, place_of(catalog, offer),
                              fmt::format("{} here and {} elsewhere for the same instance",
                                          offer.price->literal, at->second->price->literal))
                    .with_help("check which currency the page has"));
  }
}

void run(const CheckContext& context, diag::Sink& sink) {
  const Catalog& catalog = context.catalog;
  // Offers are sorted, so that those of one place stand together.
  Prices group{};
  const Offer* first = nullptr;
  for (const Offer& offer : catalog.offers) {
    if (!offer.price) continue;
    if (offer.price->listed.amount <= 0) {
      sink.report(diag::finding(kZero, place_of(catalog, offer), "a price of zero")
                      .with_help("write 'unknown' where the price is not known"));
      continue;
    }
    check_age(context, offer, sink);
    check_rate(catalog, offer, sink);
    const bool same = first != nullptr && first->instance == offer.instance &&
                      first->region == offer.region && first->zone == offer.zone;
    if (!same) {
      check_group(catalog, group, sink);
      group = {};
      first = &offer;
    }
    group[static_cast<std::size_t>(offer.purchase)] = &offer;
  }
  check_group(catalog, group, sink);
  check_currencies(catalog, sink);
}

}  // namespace

extern const Check check_prices;
constinit const Check check_prices{
    "prices", "prices are above zero, dated, fresh, in order and in their currency", kCodes, &run};

}  // namespace gpusel::catalog
