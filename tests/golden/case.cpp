#include "case.h"

#include "support/diff.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace gpusel::test {
namespace {

constexpr std::string_view kNoLineFeed = "\\ no line feed";

bool is_word(std::string_view line, std::string_view word) {
  return line.starts_with(word) && line.size() > word.size() + 1 && line[word.size()] == ' ' &&
         line.find(' ', word.size() + 1) == std::string_view::npos;
}

// A line that begins or ends a block.
bool is_keyword(std::string_view line) {
  return line == "stdin" || line == "stdout" || line == "stderr" || line == "end" ||
         is_word(line, "exit") || is_word(line, "file") || is_word(line, "written");
}

class GoldenParser {
 public:
  GoldenParser(std::string path, std::string_view text)
      : path_(std::move(path)), lines_(lines_of(text)) {}

  GoldenFile file() {
    GoldenFile result;
    GoldenRun run;
    while (at_ < lines_.size()) {
      const std::string& line = lines_[at_++];
      if (line.empty() || line.starts_with('#')) {
        run.prologue.push_back(line);
      } else if (line.starts_with("env ") && line.find('=') != std::string::npos) {
        const std::size_t equals = line.find('=');
        run.world.env[line.substr(4, equals - 4)] = line.substr(equals + 1);
      } else if (line.starts_with("width ")) {
        run.world.width = number(line.substr(6));
      } else if (line == "run" || line.starts_with("run ")) {
        run.command = line.size() > 4 ? line.substr(4) : "";
        run.line = at_;
        run.world.args = shell_words(run.command);
        blocks(run);
        result.runs.push_back(std::move(run));
        run = GoldenRun{};
      } else {
        fail("expected a comment, 'env NAME=VALUE', 'width N' or 'run …'");
      }
    }
    result.epilogue = std::move(run.prologue);
    return result;
  }

 private:
  void blocks(GoldenRun& run) {
    while (true) {
      if (at_ == lines_.size()) fail("'end' is missing");
      const std::string line = lines_[at_++];
      if (line == "end") return;
      const std::string name = line.substr(std::min(line.size(), line.find(' ') + 1));
      if (is_word(line, "exit")) {
        run.expected.exit_code = number(name);
      } else if (is_word(line, "file")) {
        run.files.emplace_back(name, content());
        run.world.files[name] = run.files.back().second;
      } else if (line == "stdin") {
        run.has_stdin = true;
        run.world.input = content();
      } else if (line == "stdout") {
        run.expected.out = content();
      } else if (line == "stderr") {
        run.says_stderr = true;
        run.expected.err = content();
      } else if (is_word(line, "written")) {
        run.expected.written[name] = content();
      } else {
        fail(
            "expected 'file NAME', 'stdin', 'exit N', 'stdout', 'stderr', 'written NAME' or 'end'");
      }
    }
  }

  std::string content() {
    std::string text;
    for (; at_ < lines_.size() && !is_keyword(lines_[at_]); ++at_) {
      if (lines_[at_] == kNoLineFeed) {
        text.pop_back();
      } else {
        text += lines_[at_].substr(lines_[at_].starts_with('\\') ? 1 : 0) + "\n";
      }
    }
    return text;
  }

  int number(const std::string& text) const {
    int value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc() || end != text.data() + text.size()) fail("expected a number");
    return value;
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw std::runtime_error(path_ + ":" + std::to_string(at_) + ": " + message);
  }

  std::string path_;
  std::vector<std::string> lines_;
  std::size_t at_ = 0;
};

void write_block(std::string& out, const std::string& head, const std::string& text) {
  out += head + "\n";
  for (const std::string& line : lines_of(text)) {
    if (is_keyword(line) || line.starts_with('\\')) out += '\\';
    out += line + "\n";
  }
  if (!text.empty() && text.back() != '\n') out += std::string(kNoLineFeed) + "\n";
}

}  // namespace

GoldenFile read_golden(const std::string& path, std::string_view text) {
  return GoldenParser(path, text).file();
}

std::string write_golden(const GoldenFile& file) {
  std::string out;
  for (const GoldenRun& run : file.runs) {
    for (const std::string& line : run.prologue) out += line + "\n";
    for (const auto& [name, value] : run.world.env) out += "env " + name + "=" + value + "\n";
    if (run.world.width != FakeWorld{}.width)
      out += "width " + std::to_string(run.world.width) + "\n";
    out += run.command.empty() ? "run\n" : "run " + run.command + "\n";
    for (const auto& [name, text] : run.files) write_block(out, "file " + name, text);
    if (run.has_stdin) write_block(out, "stdin", run.world.input);
    out += "exit " + std::to_string(run.expected.exit_code) + "\n";
    if (!run.expected.out.empty()) write_block(out, "stdout", run.expected.out);
    if (run.says_stderr || !run.expected.err.empty()) write_block(out, "stderr", run.expected.err);
    for (const auto& [name, text] : run.expected.written) write_block(out, "written " + name, text);
    out += "end\n";
  }
  for (const std::string& line : file.epilogue) out += line + "\n";
  return out;
}

}  // namespace gpusel::test
