// Quantities: any text is taken or refused with a place inside it; what is taken is finite, and
// prints and parses back.
#include "input.h"

#include "gpusel/base/date.h"
#include "gpusel/units/format.h"
#include "gpusel/units/parse.h"

#include <cmath>
#include <string>
#include <string_view>

using namespace gpusel;

namespace {

template <class Q>
double plain(const Q& q) {
  if constexpr (requires { q.canonical(); }) {
    return q.canonical();
  } else {
    return q.value;
  }
}

template <class T>
void check_place(const Result<T>& result, std::string_view text) {
  if (result) return;
  fuzz::require(!result.error().message.empty(), "a refusal has a message");
  fuzz::require(result.error().offset <= text.size(), "the place lies inside the text");
}

template <class Q>
void check(std::string_view text) {
  const Result<Q> result = units::parse<Q>(text);
  check_place(result, text);
  if (result) fuzz::require(std::isfinite(plain(*result)), "a quantity is finite");
  check_place(units::parse_interval<Q>(text), text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of(data, size);
  check<units::Bytes>(text);
  check<units::BytesPerSecond>(text);
  check<units::FlopsPerSecond>(text);
  check<units::Seconds>(text);
  check<units::Watts>(text);
  check<units::Usd>(text);
  check<units::UsdPerHour>(text);
  check<units::ItemsPerSecond>(text);
  check<units::Ratio>(text);
  check<units::Count>(text);
  check_place(units::parse_listed_price(text), text);
  check_place(Date::parse(text), text);
  return 0;
}
