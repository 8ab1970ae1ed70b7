// Prices that cannot be: zero, spot above on-demand, a longer commitment dearer than a shorter one.
#include "gpusel/catalog/catalog.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <tuple>

namespace gpusel::catalog {
namespace {

using Prices = std::array<const Offer*, data::EnumNames<Purchase>::kNames.size()>;  // by purchase

void expect_order(const Catalog& catalog, const Offer* low, const Offer* high, diag::Sink& sink) {
  constexpr double kTolerance = 1.0005;  // roundings of monthly figures
  if (low == nullptr || high == nullptr || low->price->rate <= high->price->rate * kTolerance)
    return;
  sink.report(diag::warning("catalog/price-order", catalog.span_of(low->price->provenance),
                            fmt::format("{} costs {}, more than {} at {}",
                                        data::name_of(low->purchase), low->price->literal,
                                        data::name_of(high->purchase), high->price->literal))
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
    const auto at = [&, &group = prices](Purchase purchase) {
      return group[static_cast<std::size_t>(purchase)];
    };
    const Offer* shorter = at(Purchase::on_demand);
    expect_order(catalog, at(Purchase::spot), shorter, sink);
    for (const Purchase longer :
         {Purchase::reserved_1m, Purchase::reserved_1y, Purchase::reserved_3y}) {
      expect_order(catalog, at(longer), shorter, sink);
      if (at(longer) != nullptr) shorter = at(longer);
    }
  }
}

}  // namespace

extern const Check check_prices;
constinit const Check check_prices{"prices", "prices are above zero, dated and in order", &run};

}  // namespace gpusel::catalog
