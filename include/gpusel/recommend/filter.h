// The constraints of a request on an offer.
#pragma once

#include "gpusel/recommend/recommend.h"

#include <optional>

namespace gpusel::recommend {

/// The first constraint that an offer violates, as a rejection; nullopt when it passes all. What is
/// not known never passes a constraint silently.
std::optional<Rejection> filter_offer(const Request& request, const catalog::Catalog& catalog,
                                      std::uint32_t offer);

/// "filter.provider" -> "other provider than asked", for the counts.
std::string filter_text(std::string_view reason);

}  // namespace gpusel::recommend
