#include "check.h"

#include "gpusel/base/text.h"

namespace gpusel::catalog {
namespace {

bool is_word_sign(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

}  // namespace

std::string shape_of(std::string_view id) {
  std::string shape;
  bool digits = false;
  for (const char c : id) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit) shape += c;
    if (digit && !digits) shape += '#';
    digits = digit;
  }
  return shape;
}

std::vector<std::string> words_of(std::string_view id) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : id) {
    if (is_word_sign(c)) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(to_lower(word));
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(to_lower(word));
  return words;
}

bool has_word(std::string_view id, std::string_view word) {
  const std::vector<std::string> wanted = words_of(word);
  const std::vector<std::string> words = words_of(id);
  return !wanted.empty() &&
         std::search(words.begin(), words.end(), wanted.begin(), wanted.end()) != words.end();
}

bool is_data_centre(const Gpu& gpu) {
  const std::string& form = gpu.form_factor;
  return form == "sxm" || form == "oam" || form == "superchip" || gpu.rt_cores == false;
}

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

const Provider* provider_named(const Catalog& catalog, std::string_view id) {
  const auto found = std::find_if(catalog.providers.begin(), catalog.providers.end(),
                                  [&](const Provider& p) { return p.id.text() == id; });
  return found == catalog.providers.end() ? nullptr : &*found;
}

std::string seller_of(const Catalog& catalog, const Instance& instance) {
  const Provider& provider = catalog.providers[instance.provider];
  return provider.instances_of.empty() ? provider.id.text() : provider.instances_of;
}

}  // namespace gpusel::catalog
