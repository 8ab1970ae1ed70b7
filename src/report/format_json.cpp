#include "report/json_writer.h"

#include "gpusel/report/format.h"

namespace gpusel::report {
namespace {

std::string write(const Document& document, const WriteOptions&) {
  return json_document(document.value);
}

}  // namespace

extern const Format format_json;
constinit const Format format_json{"json", "one object with every figure, for programs", &write};

}  // namespace gpusel::report
