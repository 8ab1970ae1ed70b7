#include "support/diff.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace gpusel::test {
namespace {

// One line of the comparison: ' ' common, '-' expected only, '+' actual only.
struct Step {
  char mark = ' ';
  std::string line;
};

// Longest common subsequence; texts of tests are some hundred lines.
std::vector<Step> steps(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const std::size_t columns = b.size() + 1;
  std::vector<std::size_t> common((a.size() + 1) * columns, 0);
  for (std::size_t i = a.size(); i-- > 0;) {
    for (std::size_t j = b.size(); j-- > 0;) {
      common[i * columns + j] =
          a[i] == b[j] ? common[(i + 1) * columns + j + 1] + 1
                       : std::max(common[(i + 1) * columns + j], common[i * columns + j + 1]);
    }
  }
  std::vector<Step> result;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      result.push_back({' ', a[i]});
      ++i;
      ++j;
    } else if (j == b.size() ||
               (i < a.size() && common[(i + 1) * columns + j] >= common[i * columns + j + 1])) {
      result.push_back({'-', a[i++]});
    } else {
      result.push_back({'+', b[j++]});
    }
  }
  return result;
}

}  // namespace

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::string diff(std::string_view expected, std::string_view actual) {
  constexpr std::size_t kAround = 2;
  const std::vector<Step> all = steps(lines_of(expected), lines_of(actual));
  std::vector<bool> shown(all.size(), false);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].mark == ' ') continue;
    const std::size_t end = std::min(all.size(), i + kAround + 1);
    for (std::size_t k = i < kAround ? 0 : i - kAround; k < end; ++k) shown[k] = true;
  }
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (shown[i]) {
      text += std::string("    ") + all[i].mark + " " + all[i].line + "\n";
    } else if (i > 0 && shown[i - 1]) {
      text += "      …\n";
    }
  }
  return text;
}

std::string read_whole(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read '" + path + "'");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void write_whole(const std::string& path, std::string_view text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  if (!out.flush()) throw std::runtime_error("cannot write '" + path + "'");
}

std::vector<std::string> shell_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;
  char quote = '\0';
  for (const char c : text) {
    if (quote != '\0') {
      if (c == quote) {
        quote = '\0';
      } else {
        word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      inside = true;
    } else if (c != ' ') {
      word += c;
      inside = true;
    } else if (inside) {
      words.push_back(std::move(word));
      word.clear();
      inside = false;
    }
  }
  if (inside) words.push_back(std::move(word));
  return words;
}

bool updating() {
  const char* value = std::getenv("GPUSEL_UPDATE_GOLDEN");
  return value != nullptr && std::string_view(value) == "1";
}

}  // namespace gpusel::test
