#include "notes.h"

#include "gpusel/base/number.h"

namespace gpusel::workload::measured {
namespace {

// The number after `phrase`, where digits follow it.
std::optional<double> number_after(std::string_view text, std::string_view phrase) {
  const std::size_t at = text.find(phrase);
  if (at == std::string_view::npos) return std::nullopt;
  const NumberPrefix number = number_prefix(text.substr(at + phrase.size()));
  return number.length > 0 && number.value >= 1 ? std::optional(number.value) : std::nullopt;
}

// Stanford Alpaca (github.com/tatsu-lab/stanford_alpaca, alpaca_data.json): prompt and answer of a
// sample take about this many tokens of the Llama tokenizer.
constexpr double kAlpacaTokens = 110;

}  // namespace

Notes notes_of(std::string_view text) {
  Notes notes;
  notes.rank = number_after(text, "rank ");
  notes.mean_tokens = number_after(text, "mean about ");
  if (!notes.mean_tokens && text.find("longest Alpaca example") != std::string_view::npos)
    notes.mean_tokens = kAlpacaTokens;
  notes.compiled = text.find("compile") != std::string_view::npos;
  notes.pure = text.find("pure bf16") != std::string_view::npos;
  notes.gptq = text.find("GPTQ") != std::string_view::npos;
  notes.offloads = text.find("offload") != std::string_view::npos;
  return notes;
}

}  // namespace gpusel::workload::measured
