// The id of a region is no id of a provider.
#include "gpusel/base/id.h"

using namespace gpusel;

bool same(const ProviderId& provider, const RegionId& region) {
#ifdef BAD
  return provider == region;
#else
  return provider.text() == region.text();
#endif
}
