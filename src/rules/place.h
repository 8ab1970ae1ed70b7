// Places in YAML scalars: a fault in an expression is shown where it stands in the file.
#pragma once

#include "gpusel/data/document.h"

#include <cstddef>

namespace gpusel::rules {

/// The span of a part of a scalar's text, also where the scalar is folded over several lines. Where
/// the text does not stand in the source as it is read (escapes in double quotes), the place of the
/// whole scalar.
diag::Span place_of(data::NodeRef node, std::size_t offset, std::size_t length);

}  // namespace gpusel::rules
