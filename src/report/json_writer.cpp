#include "report/json_writer.h"

#include "report/numbers.h"

#include "gpusel/report/format.h"

#include <nlohmann/json.hpp>

#include <string_view>

namespace gpusel::report {
namespace {

struct Hostile {
  char32_t point;
  std::size_t length;  // in bytes; 0 = none here
};

// JSON may hold these as they are, but a terminal obeys them: DEL, C1 controls, bidirectional
// overrides.
Hostile hostile_at(std::string_view json, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < json.size() ? static_cast<unsigned char>(json[at + i]) : 0U;
  };
  if (byte(0) == 0x7F) return {0x7F, 1};
  if (byte(0) == 0xC2 && byte(1) < 0xA0) return {byte(1), 2};
  if (byte(0) == 0xE2) {
    const char32_t point = 0x2000U | ((byte(1) & 0x3FU) << 6U) | (byte(2) & 0x3FU);
    const bool override =
        (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
    if (override) return {point, 3};
  }
  return {0, 0};
}

// Works on finished JSON: outside its strings none of these can occur.
std::string without_hostile(std::string_view json) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text;
  text.reserve(json.size());
  for (std::size_t at = 0; at < json.size();) {
    const Hostile found = hostile_at(json, at);
    if (found.length == 0) {
      text += json[at++];
      continue;
    }
    text += "\\u";
    for (const unsigned shift : {12U, 8U, 4U, 0U}) text += kHex[(found.point >> shift) & 0xFU];
    at += found.length;
  }
  return text;
}

// The library escapes texts only: its doubles are not always the shortest (4.98319e20 gets 17
// digits).
std::string quoted(const std::string& text) {
  constexpr int kCompact = -1;
  return without_hostile(nlohmann::ordered_json(text).dump(
      kCompact, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

enum class Layout { compact, indented };

class Writer {
 public:
  explicit Writer(Layout layout) : layout_(layout) {}

  void operator()(std::nullptr_t) { out_ += "null"; }
  void operator()(bool value) { out_ += value ? "true" : "false"; }
  void operator()(const WholeNumber& n) { out_ += std::to_string(n.value); }
  void operator()(const Number& n) { out_ += number_text(n.value); }
  void operator()(const Money& m) { out_ += quoted(m.amount); }
  void operator()(const Unknown&) { out_ += "null"; }
  void operator()(const std::string& text) { out_ += quoted(text); }
  void operator()(const List& list) { group("[]", list); }
  void operator()(const Object& object) { group("{}", object); }

  void write(const Value& value) { std::visit(*this, value.variant()); }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  void write(const Member& member) {
    out_ += quoted(member.key) + (layout_ == Layout::indented ? ": " : ":");
    write(member.value);
  }

  template <class Item>
  void group(std::string_view brackets, const std::vector<Item>& items) {
    out_ += brackets[0];
    ++depth_;
    for (const Item& item : items) {
      if (&item != &items.front()) out_ += ',';
      new_line();
      write(item);
    }
    --depth_;
    if (!items.empty()) new_line();
    out_ += brackets[1];
  }

  void new_line() {
    constexpr std::size_t kIndent = 2;
    if (layout_ == Layout::indented) out_.append("\n").append(kIndent * depth_, ' ');
  }

  Layout layout_;
  std::size_t depth_ = 0;
  std::string out_;
};

std::string text_of(const Value& value, Layout layout) {
  Writer writer(layout);
  writer.write(value);
  return writer.take();
}

}  // namespace

std::string json_document(const Value& value) { return text_of(value, Layout::indented) + '\n'; }

std::string json_line(const Value& value) { return text_of(value, Layout::compact); }

}  // namespace gpusel::report
