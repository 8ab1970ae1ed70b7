#include "gpusel/base/suggest.h"

#include "gpusel/base/text.h"

#include <algorithm>

namespace gpusel {

std::size_t edit_distance(std::string_view a_text, std::string_view b_text, std::size_t limit) {
  const std::string a = to_lower(a_text);
  const std::string b = to_lower(b_text);
  const std::size_t gap = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (gap > limit) return limit + 1;
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    if (*std::min_element(row.begin(), row.end()) > limit) return limit + 1;
    std::swap(before, last);
    std::swap(last, row);
  }
  return std::min(last[b.size()], limit + 1);
}

std::vector<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates,
                                 std::size_t most) {
  struct Scored {
    std::size_t distance;
    std::size_t index;
  };
  constexpr std::size_t kMaxName = 64;  // longer texts are not misspelled names
  if (name.empty() || name.size() > kMaxName) return {};
  const std::size_t limit = name.size() / 3 + 1;
  const std::string lower = to_lower(name);
  std::vector<Scored> near;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const std::size_t distance = edit_distance(name, candidates[i], limit);
    const bool part = lower.size() >= 3 && to_lower(candidates[i]).find(lower) != std::string::npos;
    if (distance <= limit) {
      near.push_back({distance, i});
    } else if (part) {
      near.push_back({limit + 1, i});
    }
  }
  std::sort(near.begin(), near.end(), [](const Scored& a, const Scored& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.index < b.index;
  });
  std::vector<std::string> names;
  for (const Scored& s : near) {
    if (std::find(names.begin(), names.end(), candidates[s.index]) == names.end()) {
      names.push_back(candidates[s.index]);
    }
    if (names.size() == most) break;
  }
  return names;
}

std::string quoted_list(const std::vector<std::string>& names, std::string_view last_word) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " " + std::string(last_word) + " " : ", ";
    text += "'" + names[i] + "'";
  }
  return text;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  const std::vector<std::string> near = nearest(name, candidates);
  return near.empty() ? std::string() : "did you mean " + quoted_list(near) + "?";
}

}  // namespace gpusel
