// Instances against what is known of their provider's series, from files of kind `lint`, and
// against the provider's own instances where they are resold.
#include "check.h"

#include "gpusel/base/suggest.h"
#include "gpusel/base/text.h"
#include "gpusel/units/format.h"

#include <fmt/format.h>

namespace gpusel::catalog {
namespace {

constexpr CodeInfo kUnknown{"catalog/unknown-family", Severity::warning,
                            "an instance id that the provider does not spell so"};
constexpr CodeInfo kGpu{"catalog/family-gpu", Severity::error,
                        "an instance with a GPU that its series does not have"};
constexpr CodeInfo kNoGpu{"catalog/family-without-gpu", Severity::error,
                          "an instance of a GPU series without a GPU"};
constexpr CodeInfo kRange{"catalog/family-range", Severity::warning,
                          "a figure that no instance of the series has"};
constexpr CodeInfo kConflict{"catalog/conflicting-instance", Severity::warning,
                             "an instance with other hardware in another file"};
constexpr CodeInfo kNotice{"catalog/spot-notice", Severity::warning,
                           "a warning time that the provider does not document"};
constexpr CodeInfo kStray{"catalog/stray-family", Severity::warning,
                          "a series of which the provider has no instance"};
constexpr CodeInfo kCodes[] = {kUnknown, kGpu, kNoGpu, kRange, kConflict, kNotice, kStray};

bool is_spelled(const Family& family, std::string_view id) {
  return glob_match(family.pattern, id) ||
         std::any_of(family.also.begin(), family.also.end(),
                     [&](const std::string& glob) { return glob_match(glob, id); });
}

std::vector<const Family*> families_of(const Catalog& catalog, std::string_view provider) {
  std::vector<const Family*> families;
  for (const Family& family : catalog.families) {
    if (family.provider == provider) families.push_back(&family);
  }
  return families;
}

// The figures of an instance that another file may state otherwise.
struct Figure {
  std::string_view key;
  std::optional<double> (*value)(const Hardware&);
  std::string (*text)(const Hardware&);
};
template <class T>
std::optional<double> number_of(const std::optional<T>& value) {
  if (!value) return std::nullopt;
  if constexpr (std::is_same_v<T, int>) {
    return *value;
  } else {
    return value->canonical();
  }
}
constexpr Figure kFigures[] = {
    {"vcpus", [](const Hardware& h) { return number_of(h.vcpus); },
     [](const Hardware& h) { return std::to_string(*h.vcpus); }},
    {"memory", [](const Hardware& h) { return number_of(h.memory); },
     [](const Hardware& h) { return units::to_text(*h.memory); }},
    {"local_disk", [](const Hardware& h) { return number_of(h.local_disk); },
     [](const Hardware& h) { return units::to_text(*h.local_disk); }},
    {"network", [](const Hardware& h) { return number_of(h.network); },
     [](const Hardware& h) { return fmt::format("{:g} Gbps", in_gbps(*h.network)); }},
};
// Disks and memory are listed by their label or by what is left of them.
constexpr double kSameFigure = 0.12;

void check_spelling(const Subject& s, const std::vector<const Family*>& families,
                    const std::string& seller) {
  const std::string& id = s.instance.id.text();
  const bool spelled = std::any_of(families.begin(), families.end(),
                                   [&](const Family* f) { return is_spelled(*f, id); });
  if (families.empty() || spelled) return;
  std::vector<std::string> known;
  for (const Instance& other : s.catalog.instances) {
    if (s.catalog.providers[other.provider].id.text() == seller && &other != &s.instance)
      known.push_back(other.id.text());
  }
  const std::string near_ids = did_you_mean(id, known);
  s.report(kUnknown, "id", "'" + seller + "' has no series with ids like '" + id + "'",
           near_ids.empty() ? "see 'gpusel catalog list --provider " + seller +
                                  "'; a new series goes to a file of kind 'lint'"
                            : near_ids);
}

// An id may hold the names of several series (GN10X, gn7 of gn7i): the longest counts.
const Family* family_in(const std::vector<const Family*>& families, std::string_view id) {
  const Family* best = nullptr;
  for (const Family* family : families) {
    if (!has_word(id, family->family) && !is_spelled(*family, id)) continue;
    if (best == nullptr || best->family.size() < family->family.size()) best = family;
  }
  return best;
}

void check_gpu(const Subject& s, const Family& family) {
  const Gpu* gpu = s.catalog.gpu_of(s.hardware);
  std::vector<std::string> names;
  for (const GpuId& id : family.gpus) names.push_back(id.text());
  if (gpu == nullptr) {
    return s.report(kNoGpu, "id", "series '" + family.family + "' has GPUs, this row has none",
                    "add 'gpu: " + names.front() + "' and 'count:'");
  }
  const bool right = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return name == gpu->id.text() || (gpu->slice_of && name == gpu->slice_of->text());
  });
  if (right) return;
  s.report(kGpu, "gpu", "series '" + family.family + "' has no '" + gpu->id.text() + "'",
           "it has " + quoted_list(names));
}

// Instances of the provider itself: those of the same id, else those of the series with as many
// GPUs.
std::vector<const Instance*> relatives(const Subject& s, const std::string& seller,
                                       const Family* family) {
  std::vector<const Instance*> same;
  std::vector<const Instance*> alike;
  for (const Instance& other : s.catalog.instances) {
    if (&other == &s.instance || s.catalog.providers[other.provider].id.text() != seller) continue;
    if (other.provider == s.instance.provider) continue;
    if (to_lower(other.id.text()) == to_lower(s.instance.id.text())) same.push_back(&other);
    if (family == nullptr || !is_spelled(*family, other.id.text())) continue;
    if (s.catalog.hardware[other.hardware].count == s.hardware.count) alike.push_back(&other);
  }
  return same.empty() ? alike : same;
}

void check_against(const Subject& s, const std::vector<const Instance*>& others) {
  if (others.empty()) return;
  const bool same = to_lower(others.front()->id.text()) == to_lower(s.instance.id.text());
  const CodeInfo& info = same ? kConflict : kRange;
  const Hardware& first = s.catalog.hardware[others.front()->hardware];
  if (same && first.count != s.hardware.count) {
    s.report(info, "count",
             fmt::format("{} GPUs, but '{}' has {}", s.hardware.count, others.front()->id.text(),
                         first.count),
             "an instance is sold whole; correct the count");
  }
  if (same && first.gpu != s.hardware.gpu) {
    const Gpu* gpu = s.catalog.gpu_of(first);
    s.report(info, "gpu", "the provider's own file has another GPU",
             gpu == nullptr ? "it has none" : "it has '" + gpu->id.text() + "'");
  }
  for (const Figure& figure : kFigures) {
    const auto own = figure.value(s.hardware);
    if (!own) continue;
    std::vector<std::string> known;
    bool found = false;
    for (const Instance* other : others) {
      const Hardware& h = s.catalog.hardware[other->hardware];
      const auto value = figure.value(h);
      if (!value) continue;
      found = found || near(*own, *value, kSameFigure) || *own == *value;
      const std::string text = figure.text(h);
      if (std::find(known.begin(), known.end(), text) == known.end()) known.push_back(text);
    }
    if (known.empty() || found) continue;
    s.report(info, figure.key,
             fmt::format("{} of {}, where the provider's own file has {}", figure.key,
                         figure.text(s.hardware), quoted_list(known)),
             "correct the figure, or name its source");
  }
}

// The same id at providers that do not say that one resells the other.
void check_twins(const Catalog& catalog, diag::Sink& sink) {
  std::vector<const Instance*> all;
  for (const Instance& instance : catalog.instances) {
    const std::string seller = seller_of(catalog, instance);
    if (seller == catalog.providers[instance.provider].id.text()) all.push_back(&instance);
  }
  std::sort(all.begin(), all.end(), [](const Instance* a, const Instance* b) {
    return a->id == b->id ? a < b : a->id < b->id;
  });
  for (std::size_t i = 1; i < all.size(); ++i) {
    const Instance& a = *all[i - 1];
    const Instance& b = *all[i];
    const Hardware& x = catalog.hardware[a.hardware];
    const Hardware& y = catalog.hardware[b.hardware];
    if (a.id != b.id || a.provider == b.provider || (x.gpu == y.gpu && x.count == y.count))
      continue;
    sink.report(diag::finding(kConflict, catalog.span_of(b.provenance, "id"),
                              fmt::format("'{}' has other GPUs at '{}'", b.id.text(),
                                          catalog.providers[a.provider].id.text()))
                    .with_help("correct one of them, or allow it where both are right"));
  }
}

void check_notices(const Catalog& catalog, diag::Sink& sink) {
  for (const Provider& provider : catalog.providers) {
    const std::string& seller =
        provider.instances_of.empty() ? provider.id.text() : provider.instances_of;
    for (const KnownNotice& known : catalog.notices) {
      if (known.provider != seller || !provider.spot_notice ||
          near(in_seconds(*provider.spot_notice), in_seconds(known.notice), kRounding))
        continue;
      sink.report(diag::finding(kNotice, catalog.span_of(provider.provenance, "spot"),
                                fmt::format("{} of warning before an interruption, the provider "
                                            "documents {}",
                                            units::to_text(*provider.spot_notice),
                                            units::to_text(known.notice)))
                      .with_help("correct 'notice'"));
    }
  }
}

void check_lint(const Catalog& catalog, diag::Sink& sink) {
  for (const Family& family : catalog.families) {
    const bool sold = std::any_of(catalog.instances.begin(), catalog.instances.end(),
                                  [&](const Instance& instance) {
                                    return seller_of(catalog, instance) == family.provider &&
                                           is_spelled(family, instance.id.text());
                                  });
    const bool known = provider_named(catalog, family.provider) != nullptr;
    if (sold || !known) continue;
    sink.report(diag::finding(kStray, catalog.span_of(family.provenance, "pattern"),
                              "no instance of '" + family.provider + "' is spelled like '" +
                                  family.pattern + "'")
                    .with_help("correct the pattern, or remove the series"));
  }
}

void run(const CheckContext& context, diag::Sink& sink) {
  const Catalog& catalog = context.catalog;
  std::string provider;
  std::vector<const Family*> families;
  for (const Instance& instance : catalog.instances) {
    const std::string seller = seller_of(catalog, instance);
    if (seller != provider) families = families_of(catalog, seller);
    provider = seller;
    const Subject subject{catalog, instance, catalog.hardware[instance.hardware], sink};
    check_spelling(subject, families, seller);
    const Family* family = family_in(families, instance.id.text());
    if (family != nullptr && !family->gpus.empty()) check_gpu(subject, *family);
    if (seller != catalog.providers[instance.provider].id.text())
      check_against(subject, relatives(subject, seller, family));
  }
  check_twins(catalog, sink);
  check_notices(catalog, sink);
  check_lint(catalog, sink);
}

}  // namespace

extern const Check check_families;
constinit const Check check_families{"families", "instances are those of their provider's series",
                                     kCodes, &run};

}  // namespace gpusel::catalog
