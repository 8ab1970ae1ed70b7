#include "price_maker.h"

#include "gpusel/base/number.h"

namespace gpusel::catalog {

ListedRow PriceMaker::patched(const Offer& offer, ListedRow row) const {
  if (!patches_->any(PatchOn::price)) return row;
  const std::string provider = catalog_->provider_of(offer).id.text();
  const std::string instance = catalog_->instance_of(offer).id.text();
  const std::string region = offer.region ? catalog_->regions[*offer.region].id.text() : "unknown";
  const Gpu* gpu = catalog_->gpu_of(catalog_->hardware_of(offer));
  RecordNames names{provider, instance, region, offer.zone, data::name_of(offer.purchase), {}};
  if (gpu != nullptr) names.gpu = gpu->id.text();
  PricePatch patch;
  const std::string was = row.price.literal;
  const PatchEntry* entry = patches_->apply(
      PatchOn::price, names, catalog_->id_of(offer), patch, kPricePatch, [&](std::string_view key) {
        return key == "price" || key == "discount" ? was : std::string();
      });
  if (entry == nullptr) return row;
  if (patch.price.price) {
    row.price = patch.price;
    row.provenance = entry->provenance;
    row.date.reset();
    row.confidence.reset();
  }
  if (patch.date) row.date = patch.date;
  if (patch.confidence) row.confidence = patch.confidence;
  if (patch.discount && row.price.price) {
    row.price.price->amount *= 1 - patch.discount->value;
    row.price.literal = shortest(row.price.price->amount) + " " + row.price.price->currency + "/h";
  }
  return row;
}

std::optional<Price> PriceMaker::make(const Offer& offer, const ListedRow& listed,
                                      const diag::Span& span, const data::Reader& reader) const {
  const ListedRow row = patched(offer, listed);
  if (!row.price.price) return std::nullopt;
  Price price;
  price.listed = *row.price.price;
  price.literal = row.price.literal;
  price.provenance = row.provenance;
  const Citation& citation = catalog_->citations[price.provenance.citation];
  price.date = row.date ? row.date : citation.date;
  price.confidence = row.confidence.value_or(citation.confidence);
  const auto usd = usd_per_unit(*catalog_, price.listed.currency, price.date);
  if (!usd) {
    reader.error("catalog/no-exchange-rate", span,
                 "there is no exchange rate for '" + price.listed.currency + "'",
                 "add rows for it to a file of kind 'rates'");
    return std::nullopt;
  }
  price.rate = units::usd_per_hour(price.listed.amount * *usd);
  return price;
}

}  // namespace gpusel::catalog
