// What a training row of a text encoder has of its own.
#pragma once

#include "cells.h"

#include <string_view>

namespace gpusel::workload::measured {

/// `bert-pretrain` and `bert-finetune` are rows of encoder-train.
bool is_encoder_run(const Cells& cells);
/// The options that encoder-train takes beside those of llm-train.
void set_encoder_options(const Cells& cells, RunOptions& options);

}  // namespace gpusel::workload::measured
