// Where a text came from, and a part of it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gpusel::diag {

/// A named text: a file, `<builtin>/providers/aws.yaml`, `<command line>`. Lives as long as its
/// spans.
struct Source {
  Source() = default;
  Source(const Source&) = delete;  // `text` refers to `owned`
  Source& operator=(const Source&) = delete;
  std::string name;
  std::string_view text;  // of `owned`, or of the program's own data
  std::string owned;
  std::vector<std::size_t> line_starts;  // offset of each line
};
using SourcePtr = std::shared_ptr<const Source>;

/// Takes the text over.
SourcePtr make_source(std::string name, std::string text);
/// Refers to text that outlives the source (baked data).
SourcePtr make_static_source(std::string name, std::string_view text);

/// Lines and columns count from 1; columns and lengths are bytes. A null source or line 0 has no
/// place.
struct Span {
  SourcePtr source;
  std::size_t line = 0;
  std::size_t column = 0;
  std::size_t length = 1;
};

/// The text of one line (from 1) without its end; empty when there is none.
std::string_view line_text(const Source& source, std::size_t line);

}  // namespace gpusel::diag
