#include "builder.h"

#include "gpusel/data/document.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <array>
#include <istream>
#include <streambuf>

namespace gpusel::data {
namespace {

std::size_t line_of(const YAML::Mark& mark) {
  return static_cast<std::size_t>(mark.line < 0 ? 0 : mark.line) + 1;
}
std::size_t column_of(const YAML::Mark& mark) {
  return static_cast<std::size_t>(mark.column < 0 ? 0 : mark.column) + 1;
}

// yaml-cpp's event interface stops at the fault's place before an alias or a deep nest can expand.
class Events final : public YAML::EventHandler {
 public:
  Events(Builder& builder, const diag::Source& source) : builder_(builder), source_(source) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (builder_.has_root()) {
      builder_.fail("data/second-document", line_of(mark), column_of(mark),
                    "a second YAML document begins here",
                    "one file holds one document; remove the '---' line or split the file");
    }
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse(mark, "", anchor);
    builder_.scalar(NodeKind::null, line_of(mark), column_of(mark), {});
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    builder_.fail("data/alias", line_of(mark), column_of(mark),
                  "an alias ('*name') is not accepted",
                  "write the value out; data files must be readable line by line");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    // yaml-cpp reports "?" for a plain scalar without a tag and "!" for a quoted one.
    const bool quoted = tag == "!";
    refuse(mark, quoted || tag == "?" ? "" : tag, anchor);
    if (quoted && !is_closed(mark)) {
      builder_.fail("data/syntax", line_of(mark), column_of(mark), "a quoted text is not closed",
                    "add the closing quote");
    }
    if (!quoted && value == "<<" && builder_.at_key()) {
      builder_.fail("data/merge-key", line_of(mark), column_of(mark),
                    "merge keys ('<<') are not accepted", "write the keys out");
    }
    const bool null = !quoted && (value == "~" || value == "null" || value.empty());
    builder_.scalar(null     ? NodeKind::null
                    : quoted ? NodeKind::quoted
                             : NodeKind::plain,
                    line_of(mark), column_of(mark), value);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    refuse(mark, tag == "?" ? "" : tag, anchor);
    builder_.open(NodeKind::list, line_of(mark), column_of(mark));
  }
  void OnSequenceEnd() override { builder_.close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    refuse(mark, tag == "?" ? "" : tag, anchor);
    builder_.open(NodeKind::map, line_of(mark), column_of(mark));
  }
  void OnMapEnd() override { builder_.close(); }

 private:
  void refuse(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (anchor != 0) {
      builder_.fail("data/anchor", line_of(mark), column_of(mark),
                    "an anchor ('&name') is not accepted",
                    "write the value out where it is needed");
    }
    if (!tag.empty()) {
      builder_.fail("data/tag", line_of(mark), column_of(mark),
                    "a tag ('" + tag + "') is not accepted",
                    "remove it; the field decides how its text is read");
    }
  }

  // yaml-cpp takes the end of the file for the closing quote of a text.
  [[nodiscard]] bool is_closed(const YAML::Mark& mark) const {
    const std::string_view text = source_.text;
    if (line_of(mark) > source_.line_starts.size()) return true;
    std::size_t at = source_.line_starts[line_of(mark) - 1] + column_of(mark) - 1;
    if (at >= text.size() || (text[at] != '\'' && text[at] != '"')) return true;  // a block text
    const char quote = text[at++];
    while (at < text.size()) {
      const bool escaped = quote == '"' ? text[at] == '\\' : text.substr(at, 2) == "''";
      if (!escaped && text[at] == quote) return true;
      at += escaped ? 2U : 1U;
    }
    return false;
  }

  Builder& builder_;
  const diag::Source& source_;
};

// yaml-cpp's terse texts, and what they mostly mean in our files.
struct Hint {
  const char* text;
  const char* message;
  const char* help;
};
constexpr std::array kHints = {
    Hint{"illegal map value", "a ':' stands where no key can be",
         "put quotes around a text that holds ': ', and check the indentation"},
    Hint{"end of map not found",
         "a map is not closed, or a line is indented differently from its neighbours",
         "close '{' with '}', and align the keys of one map"},
    Hint{"end of map flow not found", "a '{' is not closed", "add the missing '}'"},
    Hint{"end of sequence not found", "a list is not closed, or a line is indented differently",
         "align the '-' of one list"},
    Hint{"end of sequence flow not found", "a '[' is not closed", "add the missing ']'"},
    Hint{"illegal block entry", "a '-' stands where no list can be", "check the indentation"},
    Hint{"illegal flow end", "a '}' or ']' closes nothing", "remove it or add the opening bracket"},
    Hint{"unknown token", "this character cannot begin a value", "put quotes around the text"},
    Hint{"illegal EOF in scalar", "a quoted text is not closed", "add the closing quote"},
    Hint{"illegal tab", "a tab is used for indentation", "indent with spaces"},
};

void report_syntax(const YAML::ParserException& fault, const diag::SourcePtr& source,
                   diag::Sink& sink) {
  std::string message = fault.msg;
  std::string help = "the file must be YAML; see docs/catalog-format.md";
  for (const Hint& hint : kHints) {
    if (fault.msg.find(hint.text) != std::string::npos) {
      message = hint.message;
      help = hint.help;
      break;
    }
  }
  sink.report(
      diag::error("data/syntax", {source, line_of(fault.mark), column_of(fault.mark), 1}, message)
          .with_help(help));
}

// Reads a text without copying it.
class ViewBuffer final : public std::streambuf {
 public:
  explicit ViewBuffer(std::string_view text) {
    // The get area is never written to; the cast is what the streambuf interface asks for.
    char* begin = const_cast<char*>(text.data());  // NOLINT(*-const-cast)
    setg(begin, begin, begin + text.size());
  }
};

}  // namespace

std::optional<Document> parse_yaml(const diag::SourcePtr& source, diag::Sink& sink) {
  if (!check_encoding(source, sink)) return std::nullopt;
  Builder builder(source, sink);
  try {
    ViewBuffer buffer(source->text);
    std::istream in(&buffer);
    YAML::Parser parser(in);
    Events events(builder, *source);
    while (parser.HandleNextDocument(events)) {
    }
  } catch (const StopParsing&) {
    return std::nullopt;
  } catch (const YAML::ParserException& fault) {
    report_syntax(fault, source, sink);
    return std::nullopt;
  }
  if (!builder.has_root()) {
    sink.report(
        diag::error("data/empty", {source, 1, 1, 1}, "the file is empty")
            .with_help("the first key of a file says what it is, such as 'provider: example'"));
    return std::nullopt;
  }
  return builder.finish();
}

}  // namespace gpusel::data
