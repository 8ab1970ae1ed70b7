// Output formats: one constant record per file `format_<id>.cpp`, found by the registry.
//
//   const Format* format = find_format("json");
//   io.out << format->write(document, {.width = 100});
#pragma once

#include "gpusel/diag/render.h"
#include "gpusel/report/document.h"

#include <span>
#include <string>
#include <string_view>

namespace gpusel::report {

struct WriteOptions {
  int width = 100;  // cells; table only
  diag::Colour colour = diag::Colour::no;
};

struct Format {
  std::string_view id;
  std::string_view summary;
  std::string (*write)(const Document&, const WriteOptions&);
};

/// All formats, sorted by id (generated).
std::span<const Format* const> formats();
const Format* find_format(std::string_view id);

/// One value as compact JSON on one line, without a newline at the end.
std::string json_line(const Value& value);

}  // namespace gpusel::report
