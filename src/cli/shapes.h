// The kinds of data files, from every layer that reads some.
#pragma once

#include "command.h"

#include "gpusel/data/file_shape.h"

#include <vector>

namespace gpusel::cli {

/// Sorted by kind.
std::vector<const data::FileShape*> file_shapes();

/// The shape of a kind named on the command line; null after a report. A folder's name
/// (`providers`) means its kind.
const data::FileShape* find_shape(std::string_view kind, const diag::Span& span, diag::Sink& sink);

}  // namespace gpusel::cli
