// PriceMaker: the one way from a listed price to a Price: patches first, then the exchange rate.
#pragma once

#include "patches.h"
#include "provider_rows.h"

namespace gpusel::catalog {

/// A price as a row lists it.
struct ListedRow {
  ListedText price;
  Provenance provenance;
  std::optional<Date> date;  // left out: the source's
  std::optional<Confidence> confidence;
};

class PriceMaker {
 public:
  PriceMaker(Catalog& catalog, Patches& patches) : catalog_(&catalog), patches_(&patches) {}

  /// The price of an offer; nullopt where it is not known, and after a report (a currency without
  /// a rate) at `span`.
  [[nodiscard]] std::optional<Price> make(const Offer& offer, const ListedRow& row,
                                          const diag::Span& span, const data::Reader& reader) const;

 private:
  [[nodiscard]] ListedRow patched(const Offer& offer, ListedRow row) const;

  Catalog* catalog_;
  Patches* patches_;
};

}  // namespace gpusel::catalog
