#include "report/json_writer.h"

#include "report/numbers.h"

#include "gpusel/report/format.h"

#include <nlohmann/json.hpp>

#include <string_view>

namespace gpusel::report {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Value& value);

struct ToJson {
  Json operator()(std::nullptr_t) const { return nullptr; }
  Json operator()(bool value) const { return value; }
  Json operator()(const WholeNumber& n) const { return n.value; }
  Json operator()(const Number& n) const {
    const double written = rounded(n.value);
    const std::optional<std::int64_t> whole = as_whole(written);
    return whole ? Json(*whole) : Json(written);
  }
  Json operator()(const Money& m) const { return m.amount; }
  Json operator()(const Unknown&) const { return nullptr; }
  Json operator()(const std::string& text) const { return text; }
  Json operator()(const List& list) const {
    Json array = Json::array();
    for (const Value& value : list) array.push_back(json_of(value));
    return array;
  }
  Json operator()(const Object& object) const {
    Json members = Json::object();
    for (const Member& member : object) members[member.key] = json_of(member.value);
    return members;
  }
};

Json json_of(const Value& value) { return std::visit(ToJson(), value.variant()); }

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

std::string dump(const Value& value, int indent) {
  return without_hostile(json_of(value).dump(indent, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

std::string json_document(const Value& value) { return dump(value, 2) + '\n'; }

std::string json_line(const Value& value) {
  constexpr int kCompact = -1;
  return dump(value, kCompact);
}

}  // namespace gpusel::report
