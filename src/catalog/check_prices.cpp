// Prices that cannot be: zero, spot above on-demand, a longer commitment dearer than a shorter one.
#include <fmt/format.h>

#include <array>
#include <map>
#include <tuple>

#include "gpusel/catalog/catalog.h"

namespace gpusel::catalog {
namespace {

using Prices = std::array<const Offer*, 5>;  // by purchase

const Offer* priced(const Prices& prices, Purchase purchase) { return prices[static_cast<std::size_t>(purchase)]; }

void expect_order(const Catalog& catalog, const Prices& prices, Purchase cheap, Purchase dear, diag::Sink& sink) {
  const Offer* low = priced(prices, cheap);
  const Offer* high = priced(prices, dear);
  constexpr double kTolerance = 1.0005;  // roundings of monthly figures
  if (low == nullptr || high == nullptr || low->price->rate <= high->price->rate * kTolerance) return;
  sink.report(diag::warning("catalog/price-order", catalog.span_of(low->price->provenance),
                            fmt::format("{} costs {}, more than {} at {}", data::name_of(cheap), low->price->literal,
                                        data::name_of(dear), high->price->literal))
                  .with_help("check both figures, their currency and their dates"));
}

void run(const Catalog& catalog, diag::Sink& sink) {
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::string>, Prices> groups;
  for (const Offer& offer : catalog.offers) {
    if (!offer.price) continue;
    const diag::Span span = catalog.span_of(offer.price->provenance);
    if (offer.price->listed.amount <= 0) {
      sink.report(diag::error("catalog/zero-price", span, "a price of zero")
                      .with_help("write 'unknown' where the price is not known"));
      continue;
    }
    if (!offer.price->date) {
      sink.report(diag::error("catalog/undated-price", span, "a price without a date")
                      .with_help("give its source a 'date', or add a 'date' column"));
    }
    Prices& group = groups[{offer.instance, offer.region.value_or(UINT32_MAX), offer.zone}];
    group[static_cast<std::size_t>(offer.purchase)] = &offer;
  }
  for (const auto& [key, prices] : groups) {
    expect_order(catalog, prices, Purchase::spot, Purchase::on_demand, sink);
    expect_order(catalog, prices, Purchase::reserved_1y, Purchase::on_demand, sink);
    expect_order(catalog, prices, Purchase::reserved_3y, Purchase::reserved_1y, sink);
  }
}

}  // namespace

extern const Check check_prices;
constinit const Check check_prices{"prices", "prices are above zero, dated and in order", &run};

}  // namespace gpusel::catalog
