// Names: what an id says must be what the record has, and no two may be taken for one another.
#include "check.h"

#include "gpusel/base/number.h"
#include "gpusel/base/text.h"
#include "gpusel/units/format.h"

#include <fmt/format.h>

#include <map>
#include <set>

namespace gpusel::catalog {
namespace {

constexpr CodeInfo kCount{"catalog/name-count", Severity::warning,
                          "an instance whose name says another number of GPUs"};
constexpr CodeInfo kGpu{"catalog/name-gpu", Severity::warning,
                        "an instance whose name says another GPU"};
constexpr CodeInfo kMemory{"catalog/name-memory", Severity::error,
                           "a GPU whose id says another memory"};
constexpr CodeInfo kAlias{"catalog/alias-family", Severity::warning,
                          "an alias that names the family of another GPU"};
constexpr CodeInfo kLookAlike{"catalog/look-alike", Severity::warning,
                              "two names that look the same"};
constexpr CodeInfo kConfusable{"catalog/confusable-sign", Severity::warning,
                               "an alias with a letter that looks like another"};
constexpr CodeInfo kCodes[] = {kCount, kGpu, kMemory, kAlias, kLookAlike, kConfusable};

// Families that stand in names of instances: letters and digits, as h100 or mi300x.
using Families = std::map<std::string, std::set<std::uint32_t>, std::less<>>;

bool is_telling(std::string_view word) {
  const bool digit = word.find_first_of("0123456789") != std::string_view::npos;
  return word.size() >= 2 && digit &&
         word.find_first_not_of("0123456789") != std::string_view::npos;
}

Families families_of(const Catalog& catalog) {
  Families families;
  for (std::uint32_t i = 0; i < catalog.gpus.size(); ++i) {
    const std::string family = to_lower(catalog.gpus[i].family);
    if (is_telling(family) && family.find('-') == std::string::npos) families[family].insert(i);
  }
  return families;
}

// `8x` and `8xh100` in their parts; a word without a count has none.
struct Word {
  std::optional<int> count;
  std::string_view rest;
};
Word parts_of(std::string_view word) {
  const std::size_t digits = word.find_first_not_of("0123456789");
  constexpr std::size_t kMostDigits = 2;
  if (digits == 0 || digits == std::string_view::npos || digits > kMostDigits ||
      word[digits] != 'x')
    return {std::nullopt, word};
  const Result<double> count = parse_number(word.substr(0, digits));
  if (!count) return {std::nullopt, word};
  return {static_cast<int>(*count), word.substr(digits + 1)};
}

// Words that are the provider's name of the series: a2 of a2-highgpu-8g is no NVIDIA A2.
std::set<std::string> series_words(const Catalog& catalog, const Instance& instance) {
  std::set<std::string> words;
  for (const Family& family : catalog.families) {
    if (!glob_match(family.pattern, instance.id.text()) ||
        family.provider != seller_of(catalog, instance))
      continue;
    for (std::string& word : words_of(family.family)) words.insert(std::move(word));
  }
  return words;
}

void check_instance(const Catalog& catalog, const Families& families, const Instance& instance,
                    diag::Sink& sink) {
  const Hardware& h = catalog.hardware[instance.hardware];
  if (!h.gpu) return;
  const Gpu& gpu = catalog.gpus[*h.gpu];
  std::optional<std::uint32_t> parent;
  if (gpu.slice_of) {
    const auto members = catalog.gpus_named(gpu.slice_of->text());
    if (members.size() == 1) parent = members.front();
  }
  const std::set<std::string> own = series_words(catalog, instance);
  bool counted = false;  // the first count is that of the GPUs, later ones are of other parts
  for (const std::string& text : words_of(instance.id.text())) {
    const Word word = parts_of(text);
    const auto family = families.find(word.rest);
    if (family != families.end() && own.count(text) == 0 && family->second.count(*h.gpu) == 0 &&
        (!parent || family->second.count(*parent) == 0)) {
      sink.report(diag::finding(kGpu, catalog.span_of(instance.provenance, "gpu"),
                                fmt::format("'{}' says {}, the GPU is '{}'", instance.id.text(),
                                            word.rest, gpu.id.text()))
                      .with_help("correct the GPU"));
    }
    if (!word.count || !(word.rest.empty() || family != families.end()) || counted) continue;
    counted = true;
    if (*word.count == h.count || gpu.is_slice()) continue;
    sink.report(diag::finding(kCount, catalog.span_of(instance.provenance, "count"),
                              fmt::format("'{}' says {} GPUs, 'count' says {}", instance.id.text(),
                                          *word.count, h.count))
                    .with_help("correct the count"));
  }
}

// `nvidia-a100-sxm4-80gb` has 80 GB or GiB.
void check_memory(const Catalog& catalog, const Gpu& gpu, diag::Sink& sink) {
  if (gpu.is_slice()) return;
  for (const std::string& word : words_of(gpu.id.text())) {
    if (!word.ends_with("gb")) continue;
    const Result<double> stated = parse_number(std::string_view(word).substr(0, word.size() - 2));
    if (!stated || near(in_gb(gpu.memory), *stated, kRounding) ||
        near(in_gib(gpu.memory), *stated, kRounding)) {
      continue;
    }
    sink.report(diag::finding(kMemory, catalog.span_of(gpu.provenance, "memory"),
                              fmt::format("the id says {:g} GB, 'memory' says {}", *stated,
                                          units::to_text(gpu.memory)))
                    .with_help("write the memory of one GPU"));
  }
}

void check_aliases(const Catalog& catalog, const Families& families, const Gpu& gpu,
                   std::uint32_t index, diag::Sink& sink) {
  for (const std::string& alias : gpu.aliases) {
    const std::vector<std::string> words = words_of(alias);
    const bool own = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
      return to_lower(gpu.id.text()).find(word) != std::string::npos && is_telling(word);
    });
    for (const std::string& word : words) {
      const auto family = families.find(word);
      if (own || family == families.end() || family->second.count(index) > 0) continue;
      sink.report(diag::finding(kAlias, catalog.span_of(gpu.provenance, "aliases"),
                                fmt::format("alias '{}' of a GPU of family '{}' says {}", alias,
                                            gpu.family, word))
                      .with_help("give the alias to the GPU that it names"));
    }
    const bool ascii = std::all_of(alias.begin(), alias.end(),
                                   [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    if (ascii) continue;
    sink.report(diag::finding(kConfusable, catalog.span_of(gpu.provenance, "aliases"),
                              "alias '" + alias + "' has letters beside those of ids")
                    .with_help("write it with a to z, digits, '.', '_' and '-'"));
  }
}

// What two names that a reader cannot tell apart have in common.
std::string seen_as(std::string_view name) {
  std::string seen = to_lower(name);
  for (char& c : seen) {
    if (c == 'o') c = '0';
    if (c == 'l' || c == 'i') c = '1';
    if (c == '_') c = '-';
  }
  return seen;
}

template <class Record, class Place>
void expect_distinct(std::map<std::string, const Record*>& seen, const Record& record,
                     const Place& place, diag::Sink& sink) {
  const auto [at, fresh] = seen.emplace(seen_as(record.id.text()), &record);
  if (fresh || at->second->id == record.id) return;
  sink.report(diag::finding(kLookAlike, place(record),
                            "'" + record.id.text() + "' looks like '" + at->second->id.text() + "'")
                  .with_help("one of them may be a slip; correct or rename it"));
}

void check_look_alikes(const Catalog& catalog, diag::Sink& sink) {
  const auto place = [&](const auto& record) { return catalog.span_of(record.provenance, "id"); };
  std::map<std::string, const Gpu*> gpus;
  for (const Gpu& gpu : catalog.gpus) expect_distinct(gpus, gpu, place, sink);
  std::map<std::string, const Instance*> instances;
  std::map<std::string, const Region*> regions;
  std::uint32_t provider = UINT32_MAX;
  for (const Instance& instance : catalog.instances) {
    if (instance.provider != provider) instances.clear();
    provider = instance.provider;
    expect_distinct(instances, instance, place, sink);
  }
  for (const Region& region : catalog.regions) {
    if (region.provider != provider) regions.clear();
    provider = region.provider;
    expect_distinct(regions, region, place, sink);
  }
}

void run(const CheckContext& context, diag::Sink& sink) {
  const Catalog& catalog = context.catalog;
  const Families families = families_of(catalog);
  for (std::uint32_t i = 0; i < catalog.gpus.size(); ++i) {
    check_memory(catalog, catalog.gpus[i], sink);
    check_aliases(catalog, families, catalog.gpus[i], i, sink);
  }
  for (const Instance& instance : catalog.instances)
    check_instance(catalog, families, instance, sink);
  check_look_alikes(catalog, sink);
}

}  // namespace

extern const Check check_names;
constinit const Check check_names{"names", "names say what the record has and can be told apart",
                                  kCodes, &run};

}  // namespace gpusel::catalog
