#include "document_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gpusel::fuzz::read_document(&gpusel::data::parse_yaml, gpusel::fuzz::text_of(data, size));
  return 0;
}
