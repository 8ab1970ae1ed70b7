// The options of speech-inference.
#pragma once

#include "../encoding/options.h"

namespace gpusel::workload::speech {

inline constexpr data::OptionSpec kOptions[] = {
    encoding::option_of(llm::kTrainOptions, "model"),
    serving::option("audio", "TIME",
                    "speech to transcribe once, such as 5000h; without, the work is a service"),
    serving::option("streams", "COUNT",
                    "seconds of speech that arrive in a second: live streams at once"),
    serving::option("tokens-per-minute", "COUNT",
                    "tokens written for a minute of speech (default 200)"),
    encoding::option_of(encoding::kOptions, "batch"),
    encoding::option_of(llm::kTrainOptions, "nodes"),
    encoding::option_of(llm::kTrainOptions, "max-nodes"),
    encoding::option_of(llm::kTrainOptions, "headroom")};

}  // namespace gpusel::workload::speech
