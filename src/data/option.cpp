#include "gpusel/data/option.h"

#include "gpusel/base/suggest.h"
#include "gpusel/base/text.h"
#include "gpusel/data/field.h"

#include <algorithm>

namespace gpusel::data {

std::string_view name_of(Origin origin) {
  switch (origin) {
    case Origin::fallback:
      return "default";
    case Origin::user_config:
      return "user config";
    case Origin::project_config:
      return "project config";
    case Origin::environment:
      return "environment";
    case Origin::preset:
      return "preset";
    case Origin::file:
      return "file";
    case Origin::flag:
      return "flag";
  }
  return "default";
}

std::string snake_case(std::string_view option) { return replace_all(option, '-', '_'); }

void OptionValues::set(std::string_view name, OptionValue value) {
  std::vector<OptionValue>& held = values_[std::string(name)];
  if (!held.empty() && value.origin < held.front().origin) return;
  if (!held.empty() && value.origin > held.front().origin) held.clear();
  held.push_back(std::move(value));
}

const OptionValue* OptionValues::find(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? nullptr : &found->second.back();
}

std::vector<OptionValue> OptionValues::all(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::vector<OptionValue>() : found->second;
}

namespace {

void read_option(NodeRef node, const OptionSpec& spec, Origin origin, OptionValues& values,
                 const Reader& reader) {
  if (spec.kind == OptionKind::repeated && node.is_list()) {
    std::size_t index = 0;
    for (const NodeRef element : node) {
      const auto text = scalar_text(element, reader.at(index++), "a value");
      if (text) values.set(spec.name, {std::string(*text), element.span(), origin});
    }
    return;
  }
  if (spec.kind == OptionKind::flag) {
    const std::optional<bool> on = ValueReader<bool>::read(node, reader);
    if (on) values.set(spec.name, {*on ? "true" : "false", node.span(), origin});
    return;
  }
  if (node.is_list()) {  // `[on-demand, spot]` is what `--purchase on-demand,spot` is
    std::vector<std::string> parts;
    std::size_t index = 0;
    for (const NodeRef element : node) {
      const auto text = scalar_text(element, reader.at(index++), "a value");
      if (text) parts.emplace_back(*text);
    }
    values.set(spec.name, {join(parts, ","), node.span(), origin});
    return;
  }
  const auto text = scalar_text(node, reader, "a value");
  if (text) values.set(spec.name, {std::string(*text), node.span(), origin});
}

}  // namespace

void read_options(NodeRef map, std::span<const OptionSpec> specs, Origin origin,
                  std::span<const std::string_view> other, OptionValues& values, diag::Sink& sink) {
  const Reader reader(sink, "$");
  for (auto it = map.begin(); it != map.end(); ++it) {
    const std::string_view key = it.key().text();
    const auto spec = std::find_if(specs.begin(), specs.end(),
                                   [&](const OptionSpec& s) { return snake_case(s.name) == key; });
    if (spec != specs.end()) {
      read_option(*it, *spec, origin, values, reader.at(key));
    } else if (std::find(other.begin(), other.end(), key) == other.end()) {
      std::vector<std::string> known(other.begin(), other.end());
      for (const OptionSpec& s : specs) known.push_back(snake_case(s.name));
      report_unknown_key(it.key(), known, reader);
    }
  }
}

std::optional<std::string> OptionReader::text(std::string_view name) const {
  const OptionValue* value = values_->find(name);
  if (value == nullptr) return std::nullopt;
  return value->text;
}

bool OptionReader::flag(std::string_view name) const {
  const OptionValue* value = values_->find(name);
  return value != nullptr && value->text != "false";
}

std::optional<int> OptionReader::whole(std::string_view name, int low, int high) const {
  return convert<int>(name, [&](std::string_view text) {
    return parse_integer(text, low, high).transform([](std::int64_t v) {
      return static_cast<int>(v);
    });
  });
}

std::vector<std::string> OptionReader::list(std::string_view name) const {
  std::vector<std::string> parts;
  for (const OptionValue& value : values_->all(name)) {
    for (const std::string_view part : split(value.text, ',')) {
      if (trim(part).empty()) {
        report(name, value,
               Error{"'" + value.text + "' has an empty part", "separate values by single commas",
                     0, value.text.size()});
      } else {
        parts.emplace_back(trim(part));
      }
    }
  }
  return parts;
}

std::optional<std::size_t> OptionReader::choice_index(
    std::string_view name, std::span<const std::string_view> names) const {
  return convert<std::size_t>(name, [&](std::string_view text) -> Result<std::size_t> {
    const auto found = std::find(names.begin(), names.end(), text);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    const std::vector<std::string> all(names.begin(), names.end());
    const std::string near = did_you_mean(text, all);
    return Error{"'" + std::string(text) + "' is not one of " + quoted_list(all), near, 0,
                 text.size()};
  });
}

void OptionReader::report(std::string_view name, const OptionValue& value,
                          const Error& error) const {
  diag::Span span = value.span;
  if (span.length >= error.offset + std::max<std::size_t>(error.length, 1)) {
    // Quotes around the text shift it by one.
    const std::size_t quote = span.length == value.text.size() + 2 ? 1 : 0;
    span.column += error.offset + quote;
    span.length = std::max<std::size_t>(error.length, 1);
  }
  const bool in_file = value.origin == Origin::file || value.origin == Origin::preset ||
                       value.origin == Origin::project_config ||
                       value.origin == Origin::user_config;
  const std::string label = in_file ? snake_case(name) : "--" + std::string(name);
  sink_->report(
      diag::error("option/bad-value", span, label + ": " + error.message).with_help(error.help));
}

void OptionReader::report(std::string_view name, const Error& error) const {
  const OptionValue* value = values_->find(name);
  if (value != nullptr) {
    report(name, *value, error);
    return;
  }
  sink_->report(diag::error("option/bad-value", {}, "--" + std::string(name) + ": " + error.message)
                    .with_help(error.help));
}

}  // namespace gpusel::data
