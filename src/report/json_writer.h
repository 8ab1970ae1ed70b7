// JSON text of a Value; the one place that knows the JSON library.
#pragma once

#include "gpusel/report/value.h"

#include <string>

namespace gpusel::report {

/// Indented by two spaces, with a newline at the end.
std::string json_document(const Value& value);

}  // namespace gpusel::report
