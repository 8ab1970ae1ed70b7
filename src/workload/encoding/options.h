// The options of encoder-inference. What other kinds have too reads alike: one text for a flag.
#pragma once

#include "../llm/train_option_table.h"
#include "../serving/options.h"

#include "gpusel/data/option.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace gpusel::workload::encoding {

template <class Table>
constexpr const data::OptionSpec& option_of(const Table& table, std::string_view name) {
  return *std::find_if(std::begin(table), std::end(table),
                       [&](const data::OptionSpec& spec) { return spec.name == name; });
}

inline constexpr data::OptionSpec kOptions[] = {
    option_of(llm::kTrainOptions, "model"),
    serving::option("sequences", "COUNT", "texts to encode once; without, the work is a service"),
    option_of(serving::kOptions, "rate"),
    option_of(llm::kTrainOptions, "seq-len"),
    option_of(llm::kAdapterOptions, "mean-seq-len"),
    serving::option(
        "batch", "N",
        "texts or pieces of speech at once (default: 16,384 tokens of texts at most; of "
        "speech what fits)"),
    option_of(serving::kOptions, "weights-dtype"),
    option_of(serving::kOptions, "engine"),
    option_of(llm::kTrainOptions, "nodes"),
    option_of(llm::kTrainOptions, "max-nodes"),
    option_of(llm::kTrainOptions, "headroom")};

}  // namespace gpusel::workload::encoding
