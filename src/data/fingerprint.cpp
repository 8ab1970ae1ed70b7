#include "fingerprint.h"

#include "gpusel/base/bug.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <cstdint>

namespace gpusel::data {

struct Fingerprint::State {
  XXH3_state_t* xxh = XXH3_createState();
};

Fingerprint::Fingerprint() : state_(std::make_unique<State>()) {
  GPUSEL_BUG(state_->xxh == nullptr || XXH3_64bits_reset(state_->xxh) != XXH_OK);
}

Fingerprint::~Fingerprint() { XXH3_freeState(state_->xxh); }

void Fingerprint::add(std::string_view text) {
  const std::uint64_t size = text.size();
  XXH3_64bits_update(state_->xxh, text.data(), text.size());
  XXH3_64bits_update(state_->xxh, &size, sizeof size);
}

std::string Fingerprint::hex() const {
  return fmt::format("{:016x}", XXH3_64bits_digest(state_->xxh));
}

}  // namespace gpusel::data
