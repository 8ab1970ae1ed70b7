#include "offer_tables.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <string_view>
#include <tuple>
#include <vector>

namespace gpusel::catalog {

std::size_t HardwareHash::operator()(const Hardware& h) const {
  constexpr std::size_t kFactor = 1000003;
  std::size_t hash = 0;
  const auto add = [&](const auto& value) {
    hash = hash * kFactor + std::hash<std::decay_t<decltype(value)>>()(value);
  };
  add(h.gpu);
  add(h.count);
  add(h.vcpus);
  add(h.memory ? h.memory->canonical() : 0);
  add(h.network ? h.network->canonical() : 0);
  return hash;
}

// Numbers are sorted and each offer is moved out and back: an offer is some hundred bytes with
// texts.
void sort_offers(std::span<Offer> offers) {
  std::vector<std::uint32_t> order(offers.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto key = [&](std::uint32_t index) {
    const Offer& o = offers[index];
    return std::make_tuple(o.instance, o.region.value_or(UINT32_MAX), std::string_view(o.zone),
                           o.purchase);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  std::vector<Offer> sorted;
  sorted.reserve(offers.size());
  for (const std::uint32_t index : order) sorted.push_back(std::move(offers[index]));
  std::move(sorted.begin(), sorted.end(), offers.begin());
}

// A row takes a line; memory that nothing is written to costs nothing.
void reserve_offers(Catalog& catalog, const data::DataSet& set) {
  std::size_t lines = 0;
  for (const data::DataFile& file : set.all()) {
    if (file.kind == "provider") lines += file.source->line_starts.size();
  }
  catalog.offers.reserve(lines);
}

}  // namespace gpusel::catalog
