#include "builder.h"

#include "gpusel/data/document.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace gpusel::data {
namespace {

using Json = nlohmann::json;

// Follows the tokens of a JSON text beside the parser, which has found each of them good: the SAX
// interface tells no positions. Keeps the line, so that the whole text is walked once.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text_.starts_with(kByteOrderMark)) start_ = at_ = kByteOrderMark.size();
  }

  struct Token {
    std::size_t line;
    std::size_t column;
    std::string_view text;  // as written, quotes included
  };
  Token next() {
    constexpr std::string_view kBetween = " \t\r\n,:";
    while (at_ < text_.size() && kBetween.find(text_[at_]) != std::string_view::npos) step();
    const std::size_t begin = at_;
    at_ = end_of_token();
    return {line_, begin - start_ + 1, text_.substr(begin, at_ - begin)};
  }
  // The place of a byte that lies ahead.
  Token advance_to(std::size_t offset) {
    while (at_ < std::min(offset, text_.size())) step();
    return {line_, at_ - start_ + 1, {}};
  }

 private:
  void step() {
    if (text_[at_++] != '\n') return;
    ++line_;
    start_ = at_;
  }
  [[nodiscard]] std::size_t end_of_token() const {
    constexpr std::string_view kBrackets = "[]{}";
    if (at_ == text_.size() || kBrackets.find(text_[at_]) != std::string_view::npos) {
      return std::min(at_ + 1, text_.size());
    }
    if (text_[at_] != '"')
      return std::min(text_.find_first_of(" \t\r\n,:[]{}\"", at_), text_.size());
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2U : 1U;
    return std::min(end + 1, text_.size());
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t start_ = 0;  // of the line
};

class Events final : public nlohmann::json_sax<Json> {
 public:
  Events(Builder& builder, std::string_view text) : builder_(builder), tokens_(text) {}

  bool null() override { return scalar(NodeKind::null, ""); }
  bool boolean(bool value) override { return scalar(NodeKind::plain, value ? "true" : "false"); }
  bool number_integer(std::int64_t) override { return number(); }
  bool number_unsigned(std::uint64_t) override { return number(); }
  bool number_float(double, const std::string&) override { return number(); }
  bool string(std::string& text) override { return scalar(NodeKind::quoted, text); }
  bool binary(Json::binary_t&) override { return false; }
  bool key(std::string& text) override { return scalar(NodeKind::quoted, text); }
  bool start_object(std::size_t) override { return open(NodeKind::map); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(NodeKind::list); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& fault) override {
    // The parser counts the bytes it has read; the last of them is at fault.
    const Tokens::Token place = tokens_.advance_to(position > 0 ? position - 1 : 0);
    constexpr int kNumberOverflow = 406;
    if (fault.id == kNumberOverflow) {
      builder_.fail("data/syntax", place.line, place.column,
                    "a number before this place is too large", "write a number below 1e308");
    }
    builder_.fail("data/syntax", place.line, place.column, "this is not JSON",
                  "check for a missing comma, quote or bracket before this place");
  }

 private:
  bool scalar(NodeKind kind, std::string text) {
    const Tokens::Token token = tokens_.next();
    builder_.scalar(kind, token.line, token.column, std::move(text));
    return true;
  }
  // As written: the field decides how it is read.
  bool number() {
    const Tokens::Token token = tokens_.next();
    builder_.scalar(NodeKind::plain, token.line, token.column, std::string(token.text));
    return true;
  }
  bool open(NodeKind kind) {
    const Tokens::Token token = tokens_.next();
    builder_.open(kind, token.line, token.column);
    return true;
  }
  bool close() {
    static_cast<void>(tokens_.next());
    builder_.close();
    return true;
  }

  Builder& builder_;
  Tokens tokens_;
};

}  // namespace

std::optional<Document> parse_json(const diag::SourcePtr& source, diag::Sink& sink) {
  if (!check_encoding(source, sink)) return std::nullopt;
  Builder builder(source, sink);
  Events events(builder, source->text);
  try {
    if (!Json::sax_parse(source->text.begin(), source->text.end(), &events)) return std::nullopt;
  } catch (const StopParsing&) {
    return std::nullopt;
  }
  return builder.finish();
}

}  // namespace gpusel::data
