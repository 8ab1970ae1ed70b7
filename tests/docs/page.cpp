#include "page.h"

#include "support/diff.h"

#include <algorithm>

namespace gpusel::test {
namespace {

using Lines = std::vector<std::string>;
using At = Lines::const_iterator;

constexpr std::string_view kAnything = "…";

std::string first_word(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(' ');
  if (begin == std::string::npos) return {};
  return line.substr(begin, line.find(' ', begin) - begin);
}

bool fits_from(At expected, At expected_end, At actual, At actual_end) {
  for (; expected != expected_end; ++expected, ++actual) {
    if (*expected == kAnything) {
      for (At rest = actual;; ++rest) {
        if (fits_from(expected + 1, expected_end, rest, actual_end)) return true;
        if (rest == actual_end) return false;
      }
    }
    if (actual == actual_end || *actual != *expected) return false;
  }
  return actual == actual_end;
}

}  // namespace

Page read_page(const std::string& path) {
  Page page{path, lines_of(read_whole(path)), {}};
  bool inside = false;
  for (std::size_t i = 0; i < page.lines.size(); ++i) {
    const std::string& line = page.lines[i];
    if (!inside) {
      inside = line == "```console";
    } else if (line == "```") {
      inside = false;
    } else if (line.starts_with("$ ")) {
      page.examples.push_back({i + 1, line.substr(2), {}});
    } else if (!page.examples.empty()) {
      page.examples.back().expected.push_back(line);
    }
  }
  return page;
}

bool fits(const Lines& expected, const Lines& actual) {
  return fits_from(expected.begin(), expected.end(), actual.begin(), actual.end());
}

Lines renewed(const Lines& expected, const Lines& actual) {
  if (std::find(expected.begin(), expected.end(), kAnything) == expected.end()) return actual;
  Lines result;
  At from = actual.begin();
  for (At part = expected.begin(); part != expected.end();) {
    if (*part == kAnything) {
      result.push_back(*part++);
      continue;
    }
    const At end = std::find(part, expected.end(), kAnything);
    const std::string word = first_word(*part);
    const At found = part == expected.begin()
                         ? from
                         : std::find_if(from, actual.end(), [&](const std::string& l) {
                             return first_word(l) == word;
                           });
    if (found == actual.end()) {
      result.insert(result.end(), part, end);
    } else {
      const auto count = std::min(end - part, actual.end() - found);
      result.insert(result.end(), found, found + count);
      from = found + count;
    }
    part = end;
  }
  return result;
}

std::string rewritten(const Page& page, const std::vector<Example>& examples) {
  std::string text;
  std::size_t next = 0;
  for (std::size_t i = 0; i < page.lines.size(); ++i) {
    text += page.lines[i] + "\n";
    if (next == examples.size() || examples[next].line != i + 1) continue;
    for (const std::string& line : examples[next].expected) text += line + "\n";
    i += page.examples[next].expected.size();
    ++next;
  }
  return text;
}

}  // namespace gpusel::test
