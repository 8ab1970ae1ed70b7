#include "encoder_run.h"

namespace gpusel::workload::measured {

bool is_encoder_run(const Cells& cells) {
  const std::string workload = cells.text("workload");
  return workload == "bert-pretrain" || workload == "bert-finetune";
}

void set_encoder_options(const Cells& cells, RunOptions& options) {
  const bool labels = cells.text("workload") == "bert-finetune";
  options.set("head", std::string(labels ? "classifier" : "mlm"), "workload");
  if (const auto mean = cells.positive("mean_seq_len"))
    options.set("mean-seq-len", *mean, "mean_seq_len");
}

}  // namespace gpusel::workload::measured
