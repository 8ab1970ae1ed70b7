// What the loader of providers looks up and puts in order.
#pragma once

#include "gpusel/catalog/catalog.h"

#include <cstdint>
#include <span>
#include <unordered_map>

namespace gpusel::catalog {

struct HardwareHash {
  std::size_t operator()(const Hardware& hardware) const;
};
/// Equal hardware is one record, so that it is estimated once: index into Catalog::hardware.
using HardwareIndex = std::unordered_map<Hardware, std::uint32_t, HardwareHash>;

/// By instance, region, zone and purchase.
void sort_offers(std::span<Offer> offers);

/// Room for the offers of every provider.
void reserve_offers(Catalog& catalog, const data::DataSet& set);

}  // namespace gpusel::catalog
