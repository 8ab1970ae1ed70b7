#include <nlohmann/json.hpp>

#include "builder.h"
#include "gpusel/data/document.h"

namespace gpusel::data {
namespace {

using Json = nlohmann::json;

// The SAX interface keeps order and doubled keys; positions come from a counting input iterator.
class Counter {
 public:
  explicit Counter(std::string_view text) : text_(text) {}
  // Line and column of the byte before `read`, from 1.
  void place(std::size_t read, std::size_t& line, std::size_t& column) {
    const std::size_t end = std::min(read, text_.size());
    for (; at_ < end; ++at_) {
      if (text_[at_] == '\n') {
        ++line_;
        start_ = at_ + 1;
      }
    }
    line = line_;
    column = at_ >= start_ ? at_ - start_ : 0;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t start_ = 0;
};

// Iterator over the text that counts what the parser has taken.
struct CountingIterator {
  using difference_type = std::ptrdiff_t;
  using value_type = char;
  using pointer = const char*;
  using reference = const char&;
  using iterator_category = std::input_iterator_tag;
  const char* at = nullptr;
  std::size_t* taken = nullptr;
  const char& operator*() const { return *at; }
  CountingIterator& operator++() {
    ++at;
    ++*taken;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at == other.at; }
  bool operator!=(const CountingIterator& other) const { return at != other.at; }
};

class Events final : public nlohmann::json_sax<Json> {
 public:
  Events(Builder& builder, const diag::SourcePtr& source, const std::size_t& taken)
      : builder_(builder), source_(source), taken_(taken), counter_(source->text) {}

  bool null() override { return scalar(NodeKind::null, "null", 0); }
  bool boolean(bool value) override { return scalar(NodeKind::plain, value ? "true" : "false", 0); }
  bool number_integer(std::int64_t value) override { return scalar(NodeKind::plain, std::to_string(value), 1); }
  bool number_unsigned(std::uint64_t value) override { return scalar(NodeKind::plain, std::to_string(value), 1); }
  bool number_float(double, const std::string& text) override { return scalar(NodeKind::plain, text, 1); }
  bool string(std::string& text) override { return scalar(NodeKind::quoted, text, 0); }
  bool binary(Json::binary_t&) override { return false; }
  bool key(std::string& text) override { return scalar(NodeKind::quoted, text, 0); }
  bool start_object(std::size_t) override { return open(NodeKind::map); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(NodeKind::list); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    std::size_t line = 1;
    std::size_t column = 1;
    counter_.place(taken_, line, column);
    builder_.fail("data/syntax", line, std::max<std::size_t>(column, 1), "this is not JSON",
                  "check for a missing comma, quote or bracket before this place");
  }

 private:
  // A scalar's place is found from the end of its text; `ahead` is how far the parser has read past it.
  bool scalar(NodeKind kind, const std::string& text, std::size_t ahead) {
    std::size_t line = 1;
    std::size_t column = 1;
    counter_.place(taken_ > ahead ? taken_ - ahead : 0, line, column);
    const std::size_t width = text.size() + (kind == NodeKind::quoted ? 2 : 0);
    builder_.scalar(kind, line, column >= width ? column - width + 1 : 1, kind == NodeKind::null ? "" : text);
    return true;
  }
  bool open(NodeKind kind) {
    std::size_t line = 1;
    std::size_t column = 1;
    counter_.place(taken_, line, column);
    builder_.open(kind, line, std::max<std::size_t>(column, 1));
    return true;
  }
  bool close() {
    builder_.close();
    return true;
  }

  Builder& builder_;
  const diag::SourcePtr& source_;
  const std::size_t& taken_;
  Counter counter_;
};

}  // namespace

std::optional<Document> parse_json(const diag::SourcePtr& source, diag::Sink& sink) {
  Builder builder(source, sink);
  std::size_t taken = 0;
  Events events(builder, source, taken);
  const std::string_view text = source->text;
  try {
    const CountingIterator begin{text.data(), &taken};
    const CountingIterator end{text.data() + text.size(), &taken};
    if (!Json::sax_parse(begin, end, &events)) return std::nullopt;
  } catch (const StopParsing&) {
    return std::nullopt;
  }
  return builder.finish();
}

}  // namespace gpusel::data
