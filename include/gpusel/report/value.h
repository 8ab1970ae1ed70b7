// Value: an ordered tree of typed values, the one form in which an answer leaves the program.
//
//   Value offer = object();
//   offer.set("id", text("aws/p5.48xlarge"));
//   offer.set("memory_bytes", whole(85520809984));
//   offer.set("step_time_s", number(1.2345678));       // written with 6 significant digits
//   offer.set("price", unknown("no price in the catalog"));
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gpusel::report {

class Value;
struct Member;

/// Money: a decimal string in JSON; `currency` is for people, who read `shown` where it is given.
struct Money {
  std::string amount;
  std::string currency = "USD";
  std::string shown;
};
/// Not known, with the reason. null in JSON, "unknown" in tables.
struct Unknown {
  std::string reason;
};
/// A number with the text that people read; JSON writes the number (6 significant digits).
struct Number {
  double value = 0;
  std::string shown;
};
struct WholeNumber {
  std::int64_t value = 0;
  std::string shown;
};
using List = std::vector<Value>;
using Object = std::vector<Member>;

class Value {
 public:
  using Variant = std::variant<std::nullptr_t, bool, WholeNumber, Number, Money, Unknown,
                               std::string, List, Object>;
  Value();
  explicit Value(Variant v);

  [[nodiscard]] const Variant& variant() const { return variant_; }
  template <class T>
  [[nodiscard]] const T* get() const {
    return std::get_if<T>(&variant_);
  }
  /// For objects: adds a member at the end (a bug if this is no object or the key is there).
  Value& set(std::string key, Value value);
  /// For lists.
  Value& add(Value value);
  /// For objects: the member, or nullptr.
  [[nodiscard]] const Value* find(std::string_view key) const;
  /// The text that people read: `shown` where given, "unknown", "-" for null, yes or no; raw, so a
  /// writer passes it through gpusel::printable.
  [[nodiscard]] std::string shown() const;

 private:
  Variant variant_;
};

struct Member {
  std::string key;
  Value value;
};

Value null();
Value boolean(bool value);
Value whole(std::int64_t value, std::string shown = {});
/// Bytes and counts held as double, rounded to a whole number (a bug when not finite or out of
/// range).
Value whole_of(double value, std::string shown = {});
/// A bug when not finite: what is not known is `unknown`, never NaN.
Value number(double value, std::string shown = {});
Value money(std::string amount, std::string currency = "USD", std::string shown = {});
Value text(std::string value);
Value unknown(std::string reason);
Value object();
Value list();

}  // namespace gpusel::report
