#include "gpusel/data/file_shape.h"

#include <nlohmann/json.hpp>

namespace gpusel::data {
namespace {

using Json = nlohmann::ordered_json;

Json record_schema(const std::vector<KeyShape>& keys);

// YAML takes a plain `8.0` for a number, so a text may look like one.
Json scalar_types(const ValueShape& shape) {
  switch (shape.type) {
    case ValueType::whole:
      return "integer";
    case ValueType::number:
      return "number";
    case ValueType::boolean:
      return "boolean";
    case ValueType::text:
    case ValueType::record:
      break;
  }
  const bool plain_number = shape.name == "text" || shape.name == "id" || shape.name == "count";
  return plain_number ? Json::array({"string", "number"}) : Json("string");
}

Json value_schema(const ValueShape& shape) {
  if (shape.element != nullptr) {
    Json one = value_schema(*shape.element);
    Json many = {{"type", "array"}, {"items", one}};
    return {{"anyOf", Json::array({std::move(many), std::move(one)})}};
  }
  if (shape.keys != nullptr) return record_schema(shape.keys());
  if (shape.type == ValueType::record) return {{"type", "object"}};
  Json schema = Json::object();
  if (!shape.choices.empty()) {
    for (const std::string_view choice : shape.choices) schema["enum"].push_back(choice);
    return schema;
  }
  schema["type"] = scalar_types(shape);
  if (!shape.example.empty() && shape.example != kNoExample && schema["type"] == "string")
    schema["examples"] = {shape.example};
  return schema;
}

void add_key(Json& schema, std::string_view key, std::string_view doc, Presence presence,
             Json value) {
  value["description"] = doc;
  schema["properties"][std::string(key)] = std::move(value);
  if (presence == Presence::required) schema["required"].push_back(key);
}

Json empty_record() {
  return {{"type", "object"},
          {"properties", Json::object()},
          {"required", Json::array()},
          {"additionalProperties", false}};
}

Json record_schema(const std::vector<KeyShape>& keys) {
  Json schema = empty_record();
  for (const KeyShape& key : keys) {
    Json value = value_schema(key.shape);
    const bool quantity = key.shape.type == ValueType::text && key.shape.element == nullptr &&
                          key.shape.keys == nullptr && key.shape.choices.empty() &&
                          key.shape.name != "text";
    add_key(schema, key.key,
            quantity ? std::string(key.doc) + " (" + std::string(key.shape.name) + ")"
                     : std::string(key.doc),
            key.presence, std::move(value));
  }
  return schema;
}

// Cells stand by position, which a schema can't follow: names of columns only.
Json table_schema(const std::vector<KeyShape>& keys) {
  Json names = Json::array();
  for (const KeyShape& key : keys) names.push_back(key.key);
  Json schema = empty_record();
  add_key(schema, "columns", "names of the columns, in the order of the cells", Presence::required,
          {{"type", "array"}, {"items", {{"enum", names}}}, {"uniqueItems", true}});
  add_key(schema, "rows", "one list of cells per row", Presence::required,
          {{"type", "array"}, {"items", {{"type", "array"}}}});
  return schema;
}

Json part_schema(const FilePart& part) {
  const std::vector<KeyShape> keys = part.keys();
  switch (part.form) {
    case FilePart::Form::table:
      return table_schema(keys);
    case FilePart::Form::map:
      return {{"type", "object"}, {"additionalProperties", record_schema(keys)}};
    case FilePart::Form::list:
      break;
  }
  return {{"type", "array"}, {"items", record_schema(keys)}};
}

}  // namespace

std::string json_schema(const FileShape& shape) {
  const std::vector<KeyShape> keys = shape.keys ? shape.keys() : std::vector<KeyShape>{};
  Json record = record_schema(keys);
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"title", shape.kind},
                 {"description", shape.summary}};
  for (auto& [key, value] : record.items()) schema[key] = std::move(value);
  if (!schema["properties"].contains(std::string(shape.kind)))
    add_key(schema, shape.kind, "id of the file; the first key", Presence::required,
            {{"type", Json::array({"string", "number"})}});
  for (const FilePart& part : shape.parts)
    add_key(schema, part.key, part.doc, part.presence, part_schema(part));
  return schema.dump(2) + "\n";
}

}  // namespace gpusel::data
