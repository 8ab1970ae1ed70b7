// Options: one table gives flags, keys of workload and config files, help, and where each value
// came from.
//
//   constexpr OptionSpec kOptions[] = {{.name = "params", .metavar = "COUNT", .help = "parameters,
//   such as 10B"}}; OptionReader read(values, sink); std::optional<Count> params =
//   read.quantity<Count>("params");
#pragma once

#include "gpusel/data/document.h"
#include "gpusel/data/value_reader.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpusel::data {

enum class OptionKind {
  value,     // --params 10B
  flag,      // --show-rejected; in files true or false
  repeated,  // --catalog A --catalog B; in files a list
};

struct OptionSpec {
  std::string_view name;  // kebab-case; snake_case in files and JSON
  OptionKind kind = OptionKind::value;
  std::string_view metavar;  // "COUNT", "GB"; empty for flags
  std::string_view help;
  std::span<const std::string_view> choices;
  std::string_view group = "Options";  // heading in the help
};

/// Where a value came from; a higher one wins.
enum class Origin : std::uint8_t {
  fallback,
  user_config,
  project_config,
  environment,
  preset,
  file,
  flag
};
std::string_view name_of(Origin origin);

struct OptionValue {
  std::string text;
  diag::Span span;
  Origin origin = Origin::fallback;
};

class OptionValues {
 public:
  /// Values of the same origin add up (repeated options); a higher origin replaces, a lower one is
  /// ignored.
  void set(std::string_view name, OptionValue value);
  [[nodiscard]] const OptionValue* find(std::string_view name) const;  // the last one
  [[nodiscard]] std::vector<OptionValue> all(std::string_view name) const;
  [[nodiscard]] const std::map<std::string, std::vector<OptionValue>, std::less<>>& map() const {
    return values_;
  }

 private:
  std::map<std::string, std::vector<OptionValue>, std::less<>> values_;
};

/// A map of a file as option values: keys are option names with '_' for '-'. Unknown keys and wrong
/// kinds are reported; `other` are keys that the caller reads.
void read_options(NodeRef map, std::span<const OptionSpec> specs, Origin origin,
                  std::span<const std::string_view> other, OptionValues& values, diag::Sink& sink);

/// Typed access with reports. A value that was not given is nullopt without a report.
class OptionReader {
 public:
  OptionReader(const OptionValues& values, diag::Sink& sink) : values_(&values), sink_(&sink) {}

  [[nodiscard]] bool given(std::string_view name) const { return values_->find(name) != nullptr; }
  [[nodiscard]] std::optional<std::string> text(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name) const;
  [[nodiscard]] std::optional<int> whole(std::string_view name, int low, int high) const;
  /// All values, each split at commas, empty parts reported.
  [[nodiscard]] std::vector<std::string> list(std::string_view name) const;
  template <class Q>
  [[nodiscard]] std::optional<Q> quantity(std::string_view name) const {
    return convert<Q>(name, [](std::string_view text) { return units::parse<Q>(text); });
  }
  template <class Q>
  [[nodiscard]] std::optional<units::Interval<Q>> interval(std::string_view name) const {
    return convert<units::Interval<Q>>(
        name, [](std::string_view text) { return units::parse_interval<Q>(text); });
  }
  template <NamedEnum E>
  [[nodiscard]] std::optional<E> choice(std::string_view name) const {
    const std::optional<std::size_t> index = choice_index(name, ValueReader<E>::kTexts);
    if (!index) return std::nullopt;
    return EnumNames<E>::kNames[*index].second;
  }
  [[nodiscard]] std::optional<std::size_t> choice_index(
      std::string_view name, std::span<const std::string_view> names) const;
  /// A date, a number …: any parser of a text.
  template <class T, class F>
  [[nodiscard]] std::optional<T> convert(std::string_view name, F&& parse) const {
    const OptionValue* value = values_->find(name);
    if (value == nullptr) return std::nullopt;
    Result<T> result = parse(std::string_view(value->text));
    if (result) return *std::move(result);
    report(name, *value, result.error());
    return std::nullopt;
  }
  /// Reports a fault of a value: the option's name comes before the message.
  void report(std::string_view name, const OptionValue& value, const Error& error) const;
  /// The same for an option by its name; without a place when it was not given.
  void report(std::string_view name, const Error& error) const;
  [[nodiscard]] diag::Sink& sink() const { return *sink_; }
  [[nodiscard]] const OptionValues& values() const { return *values_; }

 private:
  const OptionValues* values_;
  diag::Sink* sink_;
};

/// `seq-len` as it is written in files and JSON: `seq_len`.
std::string snake_case(std::string_view option);

}  // namespace gpusel::data
