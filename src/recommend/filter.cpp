#include "gpusel/recommend/filter.h"

#include "subject.h"

#include "gpusel/units/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gpusel::recommend {
namespace {

using catalog::Catalog;
using catalog::Offer;

struct View {
  const Request& request;
  const Catalog& catalog;
  const Offer& offer;
  const catalog::Provider& provider;
  const catalog::Hardware& hardware;
  const catalog::Gpu* gpu;
  const catalog::Region* region;
  std::string_view tier;
};

struct Violation {
  std::string figure;
  std::string bound;
  std::string remedy;
};
using Outcome = std::optional<Violation>;

bool contains(const std::vector<std::string>& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

std::string joined(const std::vector<std::string>& list) {
  return fmt::format("{}", fmt::join(list, ", "));
}

template <class Q, class Show>
Outcome outside(const std::optional<Q>& value, const units::Interval<Q>& interval, Show&& show) {
  std::string bound = (interval.low ? show(*interval.low) : std::string()) + ".." +
                      (interval.high ? show(*interval.high) : std::string());
  if (!value) return Violation{"unknown", bound, ""};
  const bool in = (!interval.low || !(*value < *interval.low)) &&
                  (!interval.high || !(*interval.high < *value));
  if (in) return std::nullopt;
  return Violation{show(*value), bound, "widen the range"};
}

Outcome by_provider(const View& v) {
  const auto& wanted = v.request.constraints.providers;
  if (wanted.empty() || contains(wanted, v.provider.id.text())) return std::nullopt;
  return Violation{v.provider.id.text(), joined(wanted), "add it to --provider"};
}

Outcome by_excluded_provider(const View& v) {
  if (!contains(v.request.constraints.excluded_providers, v.provider.id.text()))
    return std::nullopt;
  return Violation{v.provider.id.text(), "excluded", "remove it from --exclude-provider"};
}

Outcome by_purchase(const View& v) {
  const auto& wanted = v.request.constraints.purchases;
  if (std::find(wanted.begin(), wanted.end(), v.offer.purchase) != wanted.end())
    return std::nullopt;
  std::vector<std::string> names;
  for (const catalog::Purchase p : wanted) names.emplace_back(data::name_of(p));
  return Violation{std::string(data::name_of(v.offer.purchase)), joined(names),
                   "add it to --purchase"};
}

Outcome by_region(const View& v) {
  const auto& wanted = v.request.constraints.regions;
  if (wanted.empty()) return std::nullopt;
  const std::string id = v.region == nullptr ? "unknown" : v.region->id.text();
  if (v.region != nullptr && contains(wanted, id)) return std::nullopt;
  return Violation{id, joined(wanted), "add it to --region"};
}

Outcome by_country(const View& v) {
  const auto& wanted = v.request.constraints.countries;
  if (wanted.empty()) return std::nullopt;
  const std::string country =
      v.region == nullptr || v.region->country.empty() ? "unknown" : v.region->country;
  if (contains(wanted, country)) return std::nullopt;
  return Violation{country, joined(wanted), "add it to --country"};
}

Outcome by_gpu(const View& v) {
  const auto& wanted = v.request.constraints.gpus;
  if (wanted.empty()) return std::nullopt;
  if (v.hardware.gpu && std::find(wanted.begin(), wanted.end(), *v.hardware.gpu) != wanted.end()) {
    return std::nullopt;
  }
  return Violation{v.gpu == nullptr ? "no GPU" : v.gpu->id.text(), "--gpu", "widen --gpu"};
}

Outcome by_gpu_memory(const View& v) {
  const auto& wanted = v.request.constraints.gpu_memory;
  if (!wanted) return std::nullopt;
  std::optional<units::Bytes> memory;
  if (v.gpu != nullptr) memory = v.gpu->memory;
  return outside(memory, *wanted, [](units::Bytes b) { return units::to_text(b); });
}

Outcome by_gpu_count(const View& v) {
  const auto& wanted = v.request.constraints.gpu_count;
  if (!wanted) return std::nullopt;
  return outside(std::optional(units::Count{static_cast<double>(v.hardware.count)}), *wanted,
                 [](units::Count c) { return units::to_text(c); });
}

Outcome by_bare_metal(const View& v) {
  if (!v.request.constraints.bare_metal ||
      v.hardware.virtualization == catalog::Virtualization::bare_metal) {
    return std::nullopt;
  }
  return Violation{std::string(data::name_of(v.hardware.virtualization)), "bare-metal",
                   "drop --bare-metal"};
}

Outcome by_compliance(const View& v) {
  for (const std::string& mark : v.request.constraints.compliance) {
    // GDPR asks where the data lies, so the region must have the mark; the others hold for the
    // provider's own data centres, not for hosts of others that it resells.
    const bool regional = mark == "gdpr";
    const bool own = v.tier != "community" && v.tier != "marketplace";
    const bool has = regional ? v.region != nullptr && contains(v.region->compliance, mark)
                              : own && contains(v.provider.compliance, mark);
    if (!has)
      return Violation{"no evidence", mark, "choose a provider or region with a documented mark"};
  }
  return std::nullopt;
}

Outcome by_max_price(const View& v) {
  const auto& limit = v.request.constraints.max_price;
  if (!limit || !v.offer.price || v.offer.price->rate <= *limit) return std::nullopt;
  return Violation{units::to_text(v.offer.price->rate), units::to_text(*limit),
                   "raise --max-price"};
}

Outcome by_max_age(const View& v) {
  const auto& limit = v.request.constraints.max_age_days;
  if (!limit || !v.offer.price) return std::nullopt;
  const std::optional<int> age = price_age_days(v.offer, v.request.as_of);
  if (age && *age <= *limit) return std::nullopt;
  return Violation{age ? fmt::format("{} days", *age) : "unknown", fmt::format("{} days", *limit),
                   "raise --max-age or bring newer prices with --catalog"};
}

Outcome by_known_price(const View& v) {
  if (!v.request.constraints.max_price || v.offer.price) return std::nullopt;
  return Violation{"unknown", units::to_text(*v.request.constraints.max_price),
                   "bring the price with --catalog"};
}

struct Filter {
  std::string_view reason;
  std::string_view text;
  Outcome (*check)(const View&);
};
constexpr std::array kFilters = {
    Filter{"filter.purchase", "other way of buying than asked", &by_purchase},
    Filter{"filter.provider", "other provider than asked", &by_provider},
    Filter{"filter.exclude-provider", "provider excluded", &by_excluded_provider},
    Filter{"filter.region", "other region than asked", &by_region},
    Filter{"filter.country", "other country than asked", &by_country},
    Filter{"filter.gpu", "other GPU than asked", &by_gpu},
    Filter{"filter.gpu-memory", "GPU memory outside the range asked", &by_gpu_memory},
    Filter{"filter.gpu-count", "GPU count outside the range asked", &by_gpu_count},
    Filter{"filter.bare-metal", "not bare metal", &by_bare_metal},
    Filter{"filter.compliance", "without evidence of the compliance asked", &by_compliance},
    Filter{"filter.max-price", "price above the limit", &by_max_price},
    Filter{"filter.max-age", "price older than the limit", &by_max_age},
    Filter{"price.unknown", "price unknown where a limit is asked", &by_known_price},
};

}  // namespace

std::optional<Rejection> filter_offer(const Request& request, const Catalog& catalog,
                                      std::uint32_t index) {
  const Offer& offer = catalog.offers[index];
  const catalog::Hardware& hardware = catalog.hardware_of(offer);
  const View view{request,
                  catalog,
                  offer,
                  catalog.provider_of(offer),
                  hardware,
                  catalog.gpu_of(hardware),
                  offer.region ? &catalog.regions[*offer.region] : nullptr,
                  catalog.instance_of(offer).tier};
  for (const Filter& filter : kFilters) {
    Outcome violation = filter.check(view);
    if (!violation) continue;
    return Rejection{index,
                     1,
                     std::string(filter.reason),
                     violation->figure,
                     violation->bound,
                     violation->remedy};
  }
  return std::nullopt;
}

std::string filter_text(std::string_view reason) {
  const auto* found = std::find_if(kFilters.begin(), kFilters.end(),
                                   [&](const Filter& f) { return f.reason == reason; });
  return found == kFilters.end() ? std::string() : std::string(found->text);
}

}  // namespace gpusel::recommend
