// Conditions of rules: any text compiles or is refused with a place; what compiles is evaluated
// without a fault, whatever is known.
#include "input.h"

#include "gpusel/recommend/recommend.h"
#include "gpusel/rules/expression.h"

#include <string>

using namespace gpusel;

namespace {

rules::FactValue nothing(const void* /*subject*/, std::size_t /*fact*/) { return std::nullopt; }

rules::FactValue something(const void* subject, std::size_t fact) {
  const double number = *static_cast<const double*>(subject);
  switch (recommend::fact_table()[fact].type) {
    case rules::FactType::boolean:
      return number > 0;
    case rules::FactType::text:
      return std::string_view("spot");
    default:
      return number;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of(data, size);
  const auto expression = rules::Expression::compile(text, recommend::fact_table());
  if (!expression) {
    fuzz::require(expression.error().code.starts_with("rule/"), "a refusal has a code");
    fuzz::require(expression.error().error.offset <= text.size(), "the place lies inside the text");
    return 0;
  }
  static_cast<void>(expression->evaluate({nullptr, &nothing}));
  for (const double number : {0.0, 1.0, -1e300}) {
    const rules::Truth truth = expression->evaluate({&number, &something});
    fuzz::require(truth == expression->evaluate({&number, &something}),
                  "the same facts give the same truth");
  }
  return 0;
}
