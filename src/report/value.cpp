#include "gpusel/report/value.h"

#include "report/numbers.h"

#include "gpusel/base/bug.h"
#include "gpusel/base/text.h"

#include <algorithm>
#include <cmath>

namespace gpusel::report {
namespace {

struct ShownText {
  std::string operator()(std::nullptr_t) const { return "-"; }
  std::string operator()(bool value) const { return value ? "yes" : "no"; }
  std::string operator()(const WholeNumber& n) const {
    return n.shown.empty() ? std::to_string(n.value) : n.shown;
  }
  std::string operator()(const Number& n) const {
    return n.shown.empty() ? number_text(n.value) : n.shown;
  }
  std::string operator()(const Money& m) const {
    if (!m.shown.empty()) return m.shown;
    if (m.currency != "USD") return m.amount + " " + m.currency;
    return m.amount.starts_with('-') ? "-$" + m.amount.substr(1) : "$" + m.amount;
  }
  std::string operator()(const Unknown&) const { return "unknown"; }
  std::string operator()(const std::string& text) const { return text; }
  std::string operator()(const List& list) const {
    std::vector<std::string> parts;
    for (const Value& value : list) parts.push_back(value.shown());
    return join(parts, ", ");
  }
  std::string operator()(const Object& object) const {
    std::vector<std::string> parts;
    for (const Member& member : object) parts.push_back(member.key + " " + member.value.shown());
    return join(parts, ", ");
  }
};

}  // namespace

Value::Value() : variant_(nullptr) {}
Value::Value(Variant v) : variant_(std::move(v)) {}

Value& Value::set(std::string key, Value value) {
  Object* members = std::get_if<Object>(&variant_);
  GPUSEL_BUG(members == nullptr);
  GPUSEL_BUG(find(key) != nullptr);
  members->push_back({std::move(key), std::move(value)});
  return *this;
}

Value& Value::add(Value value) {
  List* items = std::get_if<List>(&variant_);
  GPUSEL_BUG(items == nullptr);
  items->push_back(std::move(value));
  return *this;
}

const Value* Value::find(std::string_view key) const {
  const Object* members = get<Object>();
  GPUSEL_BUG(members == nullptr);
  const Object::const_iterator at =
      std::find_if(members->begin(), members->end(), [&](const Member& m) { return m.key == key; });
  return at == members->end() ? nullptr : &at->value;
}

std::string Value::shown() const { return std::visit(ShownText(), variant_); }

Value null() { return Value(); }
Value boolean(bool value) { return Value(Value::Variant(value)); }

Value whole(std::int64_t value, std::string shown) {
  return Value(Value::Variant(WholeNumber{value, std::move(shown)}));
}

Value whole_of(double value, std::string shown) {
  constexpr double kTwoTo63 = 9223372036854775808.0;
  GPUSEL_BUG(!std::isfinite(value) || std::abs(value) >= kTwoTo63);
  return whole(static_cast<std::int64_t>(std::round(value)), std::move(shown));
}

Value number(double value, std::string shown) {
  GPUSEL_BUG(!std::isfinite(value));
  return Value(Value::Variant(Number{value, std::move(shown)}));
}

Value money(std::string amount, std::string currency, std::string shown) {
  return Value(Value::Variant(Money{std::move(amount), std::move(currency), std::move(shown)}));
}

Value text(std::string value) { return Value(Value::Variant(std::move(value))); }
Value unknown(std::string reason) { return Value(Value::Variant(Unknown{std::move(reason)})); }
Value object() { return Value(Value::Variant(Object())); }
Value list() { return Value(Value::Variant(List())); }

}  // namespace gpusel::report
