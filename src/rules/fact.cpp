#include "gpusel/rules/fact.h"

namespace gpusel::rules {

std::string_view name_of(FactType type) {
  switch (type) {
    case FactType::boolean:
      return "boolean";
    case FactType::text:
      return "text";
    case FactType::number:
      return "number";
    case FactType::share:
      return "share";
    case FactType::size:
      return "size";
    case FactType::bandwidth:
      return "bandwidth";
    case FactType::compute:
      return "compute rate";
    case FactType::duration:
      return "duration";
    case FactType::money:
      return "amount of money";
    case FactType::price:
      return "price per hour";
    case FactType::power:
      return "power";
  }
  return "?";
}

std::string_view name_of(Stage stage) {
  switch (stage) {
    case Stage::offer:
      return "offer";
    case Stage::machine:
      return "machine";
    case Stage::plan:
      return "plan";
    case Stage::cost:
      return "cost";
  }
  return "?";
}

}  // namespace gpusel::rules
