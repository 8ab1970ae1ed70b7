#include "gpusel/data/allow.h"

#include "gpusel/base/suggest.h"
#include "gpusel/base/text.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace gpusel::data {
namespace {

using diag::CodeInfo;
using diag::Severity;

constexpr CodeInfo kNoReason{"allow/no-reason", Severity::error,
                             "an allowing comment without a reason"};
constexpr CodeInfo kUnknownCode{"allow/unknown-code", Severity::error,
                                "an allowing comment for a code that does not exist"};
constexpr CodeInfo kBadComment{"allow/bad-comment", Severity::error,
                               "an allowing comment that cannot be read"};
constexpr CodeInfo kUnused{"allow/unused", Severity::warning,
                           "an allowing comment that covers no finding"};
constexpr CodeInfo kCodes[] = {kNoReason, kUnknownCode, kBadComment, kUnused};

constexpr std::string_view kMark = "gpusel:";
constexpr std::string_view kUntil = " until ";
constexpr std::size_t kMostReason = 300;     // bytes
constexpr std::size_t kMostCodes = 20;       // of one comment
constexpr std::size_t kMostComments = 5000;  // of one file
constexpr const char* kForm = "write '# gpusel: allow CODE: reason'";

// Where the comment of a line begins, or npos: a '#' at the start or after a blank, outside of
// quotes.
std::size_t comment_of(std::string_view line) {
  char quote = '\0';
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != '\0') {
      if (quote == '"' && c == '\\') ++i;
      if (c == quote) quote = '\0';
      continue;
    }
    const bool begins = i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t';
    if (c == '#' && begins) return i;
    const bool opens = begins || line[i - 1] == '[' || line[i - 1] == '{' || line[i - 1] == ',';
    if ((c == '"' || c == '\'') && opens) quote = c;
  }
  return std::string_view::npos;
}

// Reads the comments of one file.
class Reading {
 public:
  Reading(const diag::SourcePtr& source, std::span<const diag::CodeTable> known,
          std::vector<Allowance>& allowances, diag::Sink& sink)
      : source_(source), known_(known), allowances_(allowances), sink_(sink) {}

  void read() {
    const std::string_view text = source_->text;
    const std::vector<std::size_t>& starts = source_->line_starts;
    std::size_t count = 0;
    for (std::size_t at = text.find(kMark); at != std::string_view::npos && count < kMostComments;
         at = text.find(kMark, at + 1)) {
      const auto next = std::upper_bound(starts.begin(), starts.end(), at);
      const auto number = static_cast<std::size_t>(next - starts.begin());
      if (number == 0 || number == line_) continue;
      line_ = number;
      ++count;
      read_line(diag::line_text(*source_, number));
    }
  }

 private:
  void read_line(std::string_view line) {
    const std::size_t hash = comment_of(line);
    if (hash == std::string_view::npos) return;
    const std::string_view comment = line.substr(hash + 1);
    const std::size_t mark = comment.find_first_not_of(" \t");
    if (mark == std::string_view::npos || !comment.substr(mark).starts_with(kMark)) return;
    const bool alone = trim(line.substr(0, hash)).empty();
    read_comment(line, hash + 1 + mark + kMark.size(), alone ? next_record() : line_);
  }

  // The line that a comment alone on its line speaks of: comments may stand one below the other.
  [[nodiscard]] std::size_t next_record() const {
    std::size_t line = line_ + 1;
    const std::size_t last = std::min(source_->line_starts.size(), line_ + kMostCodes);
    while (line < last && trim(diag::line_text(*source_, line)).starts_with('#')) ++line;
    return line;
  }

  void read_comment(std::string_view line, std::size_t at, std::size_t covers) {
    const std::string_view words = trim(line.substr(at));
    at = static_cast<std::size_t>(words.data() - line.data());
    for (const auto& [verb, whole] : {std::pair<std::string_view, std::size_t>{"allow-file ", 0},
                                      std::pair<std::string_view, std::size_t>{"allow ", covers}}) {
      if (words.starts_with(verb)) return read_codes(line, at + verb.size(), whole);
    }
    report(kBadComment, at, words.size(),
           "'" + std::string(words.substr(0, 40)) + "' allows nothing", kForm);
  }

  // `CODE[, CODE]: reason` from a place of the line.
  void read_codes(std::string_view line, std::size_t at, std::size_t covers) {
    const std::string_view rest = line.substr(at);
    const std::size_t colon = rest.find(':');
    std::string_view codes = rest.substr(0, colon);
    const std::size_t word = codes.find(kUntil);
    std::optional<Date> until;
    if (word != std::string_view::npos) {
      const std::string_view day = trim(codes.substr(word + kUntil.size()));
      const Result<Date> date = Date::parse(day);
      if (!date) {
        return report(kBadComment, at + word + kUntil.size(), day.size(),
                      "'" + std::string(day.substr(0, 20)) + "' is not a day",
                      "write 'until 2027-06-01'");
      }
      until = *date;
      codes = codes.substr(0, word);
    }
    const std::string_view reason =
        colon == std::string_view::npos ? std::string_view() : trim(rest.substr(colon + 1));
    if (reason.empty()) {
      return report(kNoReason, at, trim(codes).size(), "the comment gives no reason",
                    "say why after a colon: '# gpusel: allow CODE: reason'");
    }
    const std::vector<std::string_view> parts = split(codes, ',');
    if (reason.size() > kMostReason || parts.size() > kMostCodes) {
      return report(kBadComment, at, codes.size(), "the comment is too long",
                    "at most 20 codes and a reason of 300 bytes");
    }
    for (const std::string_view part : parts) {
      const std::string_view code = trim(part);
      const auto place = static_cast<std::size_t>(code.data() - line.data());
      if (!is_known(code)) {
        report_unknown(code, place);
        continue;
      }
      allowances_.push_back({std::string(code),
                             source_,
                             covers,
                             std::string(reason),
                             until,
                             {source_, line_, place + 1, code.size()}});
    }
  }

  [[nodiscard]] bool is_known(std::string_view code) const {
    return std::any_of(known_.begin(), known_.end(), [&](const diag::CodeTable& table) {
      return std::any_of(table.codes.begin(), table.codes.end(), [&](const CodeInfo& info) {
        return info.code == code && info.meaning == diag::Meaning::fault;
      });
    });
  }

  void report_unknown(std::string_view code, std::size_t place) {
    std::vector<std::string> names;
    for (const diag::CodeTable& table : known_) {
      for (const CodeInfo& info : table.codes) {
        if (info.meaning == diag::Meaning::fault) names.emplace_back(info.code);
      }
    }
    const std::string near = did_you_mean(code, names);
    report(kUnknownCode, place, code.size(),
           "there is no code '" + std::string(code.substr(0, 60)) + "' that can be allowed",
           near.empty() ? "see 'gpusel catalog check --list'" : near);
  }

  void report(const CodeInfo& info, std::size_t offset, std::size_t length, std::string message,
              std::string help) {
    sink_.report(diag::finding(info, {source_, line_, offset + 1, std::max<std::size_t>(length, 1)},
                               std::move(message))
                     .with_help(std::move(help)));
  }

  const diag::SourcePtr& source_;
  std::span<const diag::CodeTable> known_;
  std::vector<Allowance>& allowances_;
  diag::Sink& sink_;
  std::size_t line_ = 0;
};

bool says_unreadable(std::string_view code, std::span<const diag::CodeTable> known) {
  return std::any_of(known.begin(), known.end(), [&](const diag::CodeTable& table) {
    return std::any_of(table.codes.begin(), table.codes.end(), [&](const CodeInfo& info) {
      return info.code == code && info.meaning == diag::Meaning::unreadable;
    });
  });
}

}  // namespace

diag::CodeTable allow_codes() { return {"allowances", kCodes}; }

std::vector<Allowance> read_allowances(const DataSet& set, std::span<const diag::CodeTable> known,
                                       diag::Sink& sink) {
  std::vector<Allowance> allowances;
  for (const DataFile& file : set.all()) {
    if (file.path.ends_with(".json")) continue;  // JSON has no comments
    Reading(file.source, known, allowances, sink).read();
  }
  return allowances;
}

std::vector<std::optional<std::string>> allowed_by(const std::vector<diag::Diagnostic>& findings,
                                                   const std::vector<Allowance>& allowances,
                                                   std::span<const diag::CodeTable> known,
                                                   Date today, diag::Sink& unused) {
  using Key = std::tuple<const diag::Source*, std::size_t, std::string_view>;
  std::map<Key, std::vector<std::size_t>> places;
  const auto over = [&](const Allowance& a) { return a.until && *a.until < today; };
  for (std::size_t i = 0; i < allowances.size(); ++i) {
    if (over(allowances[i])) continue;
    places[{allowances[i].source.get(), allowances[i].line, allowances[i].code}].push_back(i);
  }
  std::vector<bool> used(allowances.size(), false);
  std::vector<std::optional<std::string>> reasons(findings.size());
  for (std::size_t i = 0; i < findings.size() && !places.empty(); ++i) {
    const diag::Diagnostic& d = findings[i];
    if (d.span.source == nullptr || says_unreadable(d.code, known)) continue;
    for (const std::size_t line : {d.span.line, std::size_t{0}}) {
      const auto found = places.find({d.span.source.get(), line, d.code});
      if (found == places.end()) continue;
      for (const std::size_t at : found->second) used[at] = true;
      if (!reasons[i]) reasons[i] = allowances[found->second.front()].reason;
    }
  }
  for (std::size_t i = 0; i < allowances.size(); ++i) {
    if (used[i] || over(allowances[i])) continue;
    unused.report(diag::finding(kUnused, allowances[i].span,
                                "'" + allowances[i].code + "' is allowed and not found")
                      .with_help("remove the comment"));
  }
  return reasons;
}

}  // namespace gpusel::data
