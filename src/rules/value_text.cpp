#include "value_text.h"

#include "gpusel/base/number.h"
#include "gpusel/base/suggest.h"
#include "gpusel/base/text.h"
#include "gpusel/units/parse.h"

#include <algorithm>
#include <array>
#include <vector>

namespace gpusel::rules {
namespace {

constexpr std::array kQuantities = {FactType::share,   FactType::size,     FactType::bandwidth,
                                    FactType::compute, FactType::duration, FactType::money,
                                    FactType::price,   FactType::power};

// The usual units, for suggestions only: units::parse decides what is one.
constexpr std::array<std::string_view, 30> kUsualUnits = {
    "%",     "GB",   "GiB",  "MB",   "MiB",  "TB",     "TiB",    "kB",   "B",    "GB/s",
    "GiB/s", "TB/s", "Gbps", "Mbps", "Tbps", "TFLOPS", "PFLOPS", "TOPS", "ms",   "s",
    "min",   "h",    "d",    "days", "w",    "W",      "kW",     "USD",  "kUSD", "USD/h"};

constexpr std::size_t kSlip = 2;  // edits of a slip of the pen

template <class Q>
Result<double> canonical(std::string_view text) {
  return units::parse<Q>(text).transform([](const Q& q) { return q.canonical(); });
}

std::vector<std::string> names_of(FactTable facts) {
  std::vector<std::string> names;
  for (const FactSpec& fact : facts) names.emplace_back(fact.name);
  return names;
}

}  // namespace

std::string with_article(FactType type) {
  return (type == FactType::money ? "an " : "a ") + std::string(name_of(type));
}

bool is_numeric(FactType type) { return type != FactType::boolean && type != FactType::text; }

Result<double> parse_value(FactType type, std::string_view text) {
  switch (type) {
    case FactType::number:
      return parse_number(text);
    case FactType::share:
      return units::parse<units::Ratio>(text).transform(
          [](const units::Ratio& r) { return r.value; });
    case FactType::size:
      return canonical<units::Bytes>(text);
    case FactType::bandwidth:
      return canonical<units::BytesPerSecond>(text);
    case FactType::compute:
      return canonical<units::FlopsPerSecond>(text);
    case FactType::duration:
      return canonical<units::Seconds>(text);
    case FactType::money:
      return canonical<units::Usd>(text);
    case FactType::price:
      return canonical<units::UsdPerHour>(text);
    case FactType::power:
      return canonical<units::Watts>(text);
    case FactType::boolean:
    case FactType::text:
      break;
  }
  return Error{"'" + std::string(text) + "' is not " + with_article(type), "", 0, text.size()};
}

Result<TypedNumber> parse_quantity(std::string_view text) {
  const std::size_t digits = number_prefix(text).length;
  const std::string_view unit = trim(text.substr(digits));
  const std::string joined = std::string(text.substr(0, digits)) + std::string(unit);
  for (const FactType type : kQuantities) {
    const Result<double> value = parse_value(type, joined);
    if (value) return TypedNumber{type, *value};
  }
  const std::string near = did_you_mean(unit, {kUsualUnits.begin(), kUsualUnits.end()});
  return Error{"'" + std::string(unit) + "' is not a unit",
               near.empty() ? "units are those of 40 GiB, 400 Gbps, 989 TFLOPS, 6 h, 20 %, 100 "
                              "USD, 3.5 USD/h and 700 W"
                            : near,
               text.size() - unit.size(), unit.size()};
}

std::string how_to_write(FactType type) {
  std::string example;
  switch (type) {
    case FactType::boolean:
      return "write true or false";
    case FactType::text:
      return "write a text in single quotes";
    case FactType::number:
      return "write a plain number without a unit";
    case FactType::share:
      example = "20 %";
      break;
    case FactType::size:
      example = "40 GiB";
      break;
    case FactType::bandwidth:
      example = "400 Gbps";
      break;
    case FactType::compute:
      example = "989 TFLOPS";
      break;
    case FactType::duration:
      example = "6 h";
      break;
    case FactType::money:
      example = "100 USD";
      break;
    case FactType::price:
      example = "3.5 USD/h";
      break;
    case FactType::power:
      example = "700 W";
      break;
  }
  return "write " + with_article(type) + " such as " + example;
}

std::optional<std::size_t> find_fact(std::string_view name, FactTable facts) {
  const auto found = std::find_if(facts.begin(), facts.end(),
                                  [&](const FactSpec& fact) { return fact.name == name; });
  if (found == facts.end()) return std::nullopt;
  return static_cast<std::size_t>(found - facts.begin());
}

Error unknown_fact(std::string_view name, FactTable facts) {
  // Names share their first parts, so that many are near: one that is very near is meant.
  const std::vector<std::string> names = names_of(facts);
  const std::vector<std::string> best = nearest(name, names, 1);
  const bool certain = !best.empty() && edit_distance(name, best[0], kSlip) <= kSlip;
  std::string help = did_you_mean(name, certain ? best : names);
  if (help.empty())
    help =
        "docs/rules.md lists the facts; a text that is not compared with == or != needs single "
        "quotes";
  return {"there is no fact '" + printable(name) + "'", help, 0, name.size()};
}

std::optional<Error> unknown_choice(std::string_view text, const FactSpec& fact) {
  if (fact.choices.empty() ||
      std::find(fact.choices.begin(), fact.choices.end(), text) != fact.choices.end()) {
    return std::nullopt;
  }
  const std::vector<std::string> names(fact.choices.begin(), fact.choices.end());
  const std::string near = did_you_mean(text, names);
  return Error{"'" + std::string(fact.name) + "' is never '" + printable(text) + "'",
               near.empty() ? "it is one of " + quoted_list(names) : near, 0, text.size()};
}

}  // namespace gpusel::rules
