#include "gpusel/report/wrap.h"

#include "gpusel/base/text.h"

#include <algorithm>

namespace gpusel::report {
namespace {

// What may be neither parted nor begin with a space.
struct Atom {
  std::string_view text;
  std::size_t spaces_before;
};

std::string_view code_point_at(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) ++end;
  return text.substr(at, end - at);
}

bool may_break_between(std::string_view before, std::string_view after) {
  // Closing marks don't begin a line and opening marks don't end one (the rule that Chinese
  // typesetting follows).
  constexpr std::string_view kNeverFirst = "，。、；：！？）」』】》〉”’…,.;:!?)]}%";
  constexpr std::string_view kNeverLast = "（「『【《〈“‘([{$";
  const std::size_t after_width = display_width(after);
  if (after_width == 0 || (after_width < 2 && display_width(before) < 2)) return false;
  return kNeverFirst.find(after) == std::string_view::npos &&
         kNeverLast.find(before) == std::string_view::npos;
}

std::vector<Atom> atoms_of(std::string_view text) {
  std::vector<Atom> atoms;
  std::size_t begin = 0;
  std::size_t spaces = 0;
  std::string_view last;
  const auto finish = [&](std::size_t end) {
    if (end == begin) return;
    atoms.push_back({text.substr(begin, end - begin), spaces});
    begin = end;
    spaces = 0;
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view point = code_point_at(text, at);
    if (point == " ") {
      finish(at);
      ++spaces;
      begin = at + 1;
    } else {
      if (at > begin && may_break_between(last, point)) finish(at);
      last = point;
    }
    at += point.size();
  }
  finish(text.size());
  return atoms;
}

}  // namespace

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines = {""};
  std::size_t used = 0;
  for (const Atom& atom : atoms_of(text)) {
    const std::size_t cells = display_width(atom.text);
    std::size_t gap = used == 0 ? 0 : atom.spaces_before;
    if (used > 0 && used + gap + cells > width) {
      lines.emplace_back();
      used = 0;
      gap = 0;
    }
    lines.back().append(gap, ' ').append(atom.text);
    used += gap + cells;
  }
  return lines;
}

}  // namespace gpusel::report
