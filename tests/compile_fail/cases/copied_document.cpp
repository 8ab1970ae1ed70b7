// A document is moved, not copied: its nodes point into it.
#include "gpusel/data/document.h"

#include <utility>

using namespace gpusel;

data::Document taken(data::Document document) {
#ifdef BAD
  data::Document copy = document;
#else
  data::Document copy = std::move(document);
#endif
  return copy;
}
