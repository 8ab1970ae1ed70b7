// Sources: an address that can be opened, a date that can have been, a confidence that fits.
#include "check.h"

#include "gpusel/base/text.h"

#include <fmt/format.h>

namespace gpusel::catalog {
namespace {

constexpr CodeInfo kUrl{"catalog/source-url", Severity::error,
                        "a source whose address is no https address with a host"};
constexpr CodeInfo kFuture{"catalog/future-source", Severity::error,
                           "a source of a day that is still to come"};
constexpr CodeInfo kUndated{"catalog/undated-source", Severity::info,
                            "a source without a date that figures rest on"};
constexpr CodeInfo kConfidence{"catalog/recalled-verified", Severity::error,
                               "a source that nobody read and that is called verified"};
constexpr CodeInfo kUnused{"catalog/unused-source", Severity::warning,
                           "a source that no record refers to"};
constexpr CodeInfo kCodes[] = {kUrl, kFuture, kUndated, kConfidence, kUnused};

bool is_address(std::string_view url) {
  constexpr std::string_view kScheme = "https://";
  if (!url.starts_with(kScheme)) return false;
  const std::string_view host =
      url.substr(kScheme.size(), url.find('/', kScheme.size()) - kScheme.size());
  return host.find('.') != std::string_view::npos && !host.starts_with('.') &&
         !host.ends_with('.') && url.find(' ') == std::string_view::npos;
}

// Notes say so in these words.
bool says_unread(std::string_view note) {
  const std::string lower = to_lower(note);
  return lower.find("page not read") != std::string::npos ||
         lower.find("source not read") != std::string::npos || lower.starts_with("recalled");
}

void run(const CheckContext& context, diag::Sink& sink) {
  const Catalog& catalog = context.catalog;
  for (std::size_t i = 1; i < catalog.citations.size(); ++i) {
    const Citation& citation = catalog.citations[i];
    const CitationPlace& place = catalog.citation_places[i];
    const auto report = [&](const CodeInfo& info, std::string_view key, const std::string& message,
                            const std::string& help) {
      sink.report(diag::finding(info, catalog.span_of(place.provenance, key),
                                "source '" + place.key + "' " + message)
                      .with_help(help));
    };
    if (citation.url.empty()) continue;  // faulty: it was reported when it was read
    if (!is_address(citation.url))
      report(kUrl, "url", "has no public address", "write 'https://' and a host");
    if (citation.date && *citation.date > context.as_of) {
      report(kFuture, "date", "is dated " + citation.date->text() + ", after today",
             "correct the date, or give the day of the check with --as-of");
    }
    if (says_unread(citation.note) && citation.confidence == Confidence::verified)
      report(kConfidence, "confidence", "was recalled, not read", "write 'confidence: recalled'");
    if (!place.used) {
      report(kUnused, "", "is not used", "refer to it, or remove it");
    } else if (!citation.date && citation.confidence == Confidence::verified) {
      report(kUndated, "", "has no date", "add the day on which the figures held");
    }
  }
}

}  // namespace

extern const Check check_sources;
constinit const Check check_sources{"sources", "sources have an address, a date and a use", kCodes,
                                    &run};

}  // namespace gpusel::catalog
