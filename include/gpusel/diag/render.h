// Diagnostics as text: `file:line:column: severity: message [code]`, excerpt, caret, path, help.
#pragma once

#include "gpusel/diag/diagnostic.h"

#include <string>
#include <vector>

namespace gpusel::diag {

enum class Colour { no, yes };

struct RenderOptions {
  Colour colour = Colour::no;
  std::size_t most_per_source = 20;  // then a count of the rest
  std::size_t excerpt_width = 100;   // cells; a longer line is cut around the caret
};

/// The column of a span that has a place, as people count it: code points from 1.
std::size_t shown_column(const Span& span);

/// All of them, in the order given.
std::string render(const std::vector<Diagnostic>& diagnostics, const RenderOptions& options);

}  // namespace gpusel::diag
