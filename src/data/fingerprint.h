// XXH3 over a sequence of texts.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace gpusel::data {

class Fingerprint {
 public:
  Fingerprint();
  ~Fingerprint();
  Fingerprint(const Fingerprint&) = delete;
  Fingerprint& operator=(const Fingerprint&) = delete;
  /// Each text is followed by its length, so that ("ab", "c") differs from ("a", "bc").
  void add(std::string_view text);
  [[nodiscard]] std::string hex() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gpusel::data
