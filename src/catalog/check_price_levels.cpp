// Prices against each other: sizes of one series, and the same GPU elsewhere.
#include "check.h"

#include <fmt/format.h>

#include <map>
#include <tuple>

namespace gpusel::catalog {
namespace {

constexpr CodeInfo kFalling{"catalog/falling-price", Severity::warning, "more GPUs for less money"};
constexpr CodeInfo kLost{"catalog/lost-component", Severity::warning,
                         "a price that lacks that of the GPUs or of the host"};
constexpr CodeInfo kOutlier{"catalog/price-outlier", Severity::info,
                            "a price per GPU far from the usual one"};
constexpr CodeInfo kFarOff{"catalog/price-far-off", Severity::warning,
                           "a price per GPU beyond anything seen for it"};
constexpr CodeInfo kCodes[] = {kFalling, kLost, kOutlier, kFarOff};

struct Priced {
  const Offer* offer = nullptr;
  std::uint32_t gpu = 0;
  int count = 0;
  double per_gpu = 0;  // USD per hour
  double whole = 0;
};

diag::Span place_of(const Catalog& catalog, const Priced& p) {
  return catalog.span_of_cell(p.offer->price->provenance, p.offer->price->literal);
}

std::vector<Priced> priced_offers(const Catalog& catalog) {
  std::vector<Priced> all;
  for (const Offer& offer : catalog.offers) {
    const Hardware& h = catalog.hardware_of(offer);
    if (!offer.price || !h.gpu || offer.price->listed.amount <= 0) continue;
    const double whole = in_usd_per_hour(offer.price->rate);
    all.push_back({&offer, *h.gpu, h.count, whole / h.count, whole});
  }
  return all;
}

// Sizes that differ in the number of GPUs alone: of one provider, GPU, place, way of buying and
// tier, by a source of about the same time.
void check_series(const Catalog& catalog, const std::vector<const Priced*>& group,
                  diag::Sink& sink) {
  constexpr double kHalf = 0.5;
  for (const Priced* big : group) {
    for (const Priced* small : group) {
      if (big->count <= small->count) continue;
      if (big->whole < small->whole) {
        sink.report(diag::finding(kFalling, place_of(catalog, *big),
                                  fmt::format("{} GPUs for {:.4g} USD/h, {} for {:.4g}", big->count,
                                              big->whole, small->count, small->whole))
                        .with_help("check both rows: one may be the price of one GPU"));
        return;
      }
      if (big->per_gpu >= small->per_gpu * kHalf) continue;
      sink.report(diag::finding(kLost, place_of(catalog, *big),
                                fmt::format("{:.3g} USD/h per GPU, less than half of the {:.3g} of "
                                            "'{}'",
                                            big->per_gpu, small->per_gpu,
                                            catalog.instance_of(*small->offer).id.text()))
                      .with_help("the price of the host or of the GPUs may be missing"));
      return;
    }
  }
}

void check_all_series(const Catalog& catalog, const std::vector<Priced>& all, diag::Sink& sink) {
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, Purchase, std::string>;
  std::map<Key, std::vector<const Priced*>> groups;
  for (const Priced& p : all) {
    if (p.offer->purchase == Purchase::spot) continue;  // each size has a market of its own
    const Instance& instance = catalog.instance_of(*p.offer);
    groups[{instance.provider, p.gpu, p.offer->region.value_or(UINT32_MAX), p.offer->purchase,
            instance.tier}]
        .push_back(&p);
  }
  for (auto& [key, group] : groups) {
    // Of each count the cheapest: the others have larger hosts.
    std::map<int, const Priced*> cheapest;
    for (const Priced* p : group) {
      const Priced*& best = cheapest[p->count];
      if (best == nullptr || p->whole < best->whole) best = p;
    }
    std::vector<const Priced*> sizes;
    for (const auto& [count, p] : cheapest) sizes.push_back(p);
    check_series(catalog, sizes, sink);
  }
}

// The median of each provider, so that one with many regions does not decide alone.
std::map<std::uint32_t, double> medians_of(const Catalog& catalog,
                                           const std::vector<const Priced*>& group) {
  std::map<std::uint32_t, std::vector<double>> prices;
  for (const Priced* p : group)
    prices[catalog.instance_of(*p->offer).provider].push_back(p->per_gpu);
  std::map<std::uint32_t, double> medians;
  for (auto& [provider, values] : prices) medians[provider] = median_of(std::move(values));
  return medians;
}

void check_market(const Catalog& catalog, const std::vector<const Priced*>& group,
                  diag::Sink& sink) {
  constexpr std::size_t kEnough = 3;  // other providers
  constexpr double kHigh = 2.5;
  constexpr double kLow = 0.4;
  constexpr double kAbsurd = 8;
  const std::map<std::uint32_t, double> medians = medians_of(catalog, group);
  if (medians.size() <= kEnough) return;
  std::map<std::uint32_t, double> usual;  // of the others
  for (const auto& [provider, own] : medians) {
    std::vector<double> others;
    for (const auto& [other, price] : medians) {
      if (other != provider) others.push_back(price);
    }
    usual[provider] = median_of(std::move(others));
  }
  for (const Priced* p : group) {
    const double ratio = p->per_gpu / usual[catalog.instance_of(*p->offer).provider];
    if (ratio <= kHigh && ratio >= kLow) continue;
    const bool absurd = ratio > kAbsurd || ratio * kAbsurd < 1;
    sink.report(diag::finding(absurd ? kFarOff : kOutlier, place_of(catalog, *p),
                              fmt::format("{:.3g} USD/h per '{}', {:.2g} times the usual price",
                                          p->per_gpu, catalog.gpus[p->gpu].id.text(), ratio))
                    .with_help("check amount, currency, and whether it is for the hour"));
  }
}

void check_markets(const Catalog& catalog, const std::vector<Priced>& all, diag::Sink& sink) {
  std::map<std::pair<std::uint32_t, Purchase>, std::vector<const Priced*>> groups;
  for (const Priced& p : all) groups[{p.gpu, p.offer->purchase}].push_back(&p);
  for (const auto& [key, group] : groups) check_market(catalog, group, sink);
}

// A GPU instance at the price of an instance without GPUs of the same provider and place.
void check_hosts_alone(const Catalog& catalog, const std::vector<Priced>& all, diag::Sink& sink) {
  std::map<std::tuple<std::uint32_t, std::uint32_t, Purchase, double>, const Offer*> plain;
  const auto key = [&](const Offer& offer) {
    return std::tuple{catalog.instance_of(offer).provider, offer.region.value_or(UINT32_MAX),
                      offer.purchase, offer.price->listed.amount};
  };
  for (const Offer& offer : catalog.offers) {
    if (offer.price && !catalog.hardware_of(offer).gpu) plain.emplace(key(offer), &offer);
  }
  for (const Priced& p : all) {
    const auto found = plain.find(key(*p.offer));
    if (found == plain.end()) continue;
    sink.report(diag::finding(kLost, place_of(catalog, p),
                              "the price of '" + catalog.instance_of(*found->second).id.text() +
                                  "', which has no GPU")
                    .with_help("add the price of the GPUs"));
  }
}

void run(const CheckContext& context, diag::Sink& sink) {
  const std::vector<Priced> all = priced_offers(context.catalog);
  check_all_series(context.catalog, all, sink);
  check_markets(context.catalog, all, sink);
  check_hosts_alone(context.catalog, all, sink);
}

}  // namespace

extern const Check check_price_levels;
constinit const Check check_price_levels{
    "price-levels", "prices fit the sizes of a series and the same GPU elsewhere", kCodes, &run};

}  // namespace gpusel::catalog
