#include "data_set.h"

#include "gpusel/units/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gpusel::workload::llm {
namespace {

using data::OptionReader;
using Assumptions = std::vector<estimate::Assumption>;

constexpr double kUsualEpochs = 3;  // Stanford Alpaca and BERT (arXiv 1810.04805, section 4.2)
constexpr int kMostEpochs = 100000;
constexpr int kMostBatch = 100'000'000;
constexpr int kMostSequence = 100'000'000;
// The recipe of BERT (arXiv 1810.04805, section A.2): one million steps of 256 sequences of 512
// tokens, of which 15 % are masked; fine-tuning on SQuAD v1.1 (section 4.2) in steps of 32.
constexpr std::string_view kBert = "arXiv 1810.04805";
constexpr std::string_view kSquad = "arXiv 1810.04805, SQuAD v1.1";
constexpr int kBertSequence = 512;  // tokens
constexpr int kBertBatch = 256;     // sequences
constexpr double kBertTokens = 131.072e9;
constexpr double kMaskedShare = 0.15;
constexpr int kSquadBatch = 32;  // sequences
constexpr double kSquadSamples = 87599;

int read_batch(const OptionReader& read, int usual, std::string_view source,
               Assumptions& assumptions) {
  const auto batch = read.whole("global-batch", 1, kMostBatch);
  if (!read.given("global-batch")) {
    assumptions.push_back({"global_batch", fmt::format("{} sequences per step", usual),
                           fmt::format("{}", usual), std::string(source)});
  }
  return batch.value_or(usual);
}

std::optional<double> read_tokens(const OptionReader& read) {
  const auto tokens = read.quantity<units::Count>("tokens");
  if (!tokens) return std::nullopt;
  if (tokens->value < 1)
    read.report("tokens", Error{"training takes at least one token", "write --tokens 50M", 0, 0});
  return tokens->value;
}

void refuse_samples(const OptionReader& read, const char* message, const char* help) {
  for (const std::string_view option : {"samples", "epochs"}) {
    if (read.given(option)) read.report(option, Error{message, help, 0, 0});
  }
}

// How long sequences are.
void read_positions(const OptionReader& read, const Context& context, TrainingJob& job,
                    Assumptions& assumptions) {
  const int most = job.card.max_context > 0 ? job.card.max_context : kMostSequence;
  job.sequence = read.whole("seq-len", 1, kMostSequence).value_or(std::min(kBertSequence, most));
  if (!read.given("seq-len")) {
    assumptions.push_back({"seq_len", "sequences of 512 tokens, or as long as the model takes",
                           fmt::format("{:.0f}", job.sequence), std::string(kBert)});
  }
  if (job.sequence > most && context.purpose == workload::Purpose::plan) {
    read.report("seq-len",
                Error{fmt::format("'{}' takes at most {} tokens", job.card.id.text(), most),
                      "give a shorter sequence", 0, 0});
  }
}

void read_mean(const OptionReader& read, TrainingJob& job) {
  const auto mean = read.whole("mean-seq-len", 1, static_cast<int>(job.sequence));
  if (mean) job.mean_sequence = *mean;
}

}  // namespace

void read_samples(const OptionReader& read, const UsualSamples& usual, TrainingJob& job,
                  Assumptions& assumptions) {
  job.global_batch = read_batch(read, usual.batch, usual.source, assumptions);
  read_mean(read, job);
  const auto tokens = read_tokens(read);
  if (tokens) {
    refuse_samples(read, "the data set is given twice, by its tokens and by its samples",
                   "give --tokens, or --samples and --epochs");
  }
  const auto samples = read.quantity<units::Count>("samples");
  if (samples && samples->value < 1)
    read.report("samples",
                Error{"a data set has at least one sample", "write --samples 10k", 0, 0});
  const auto epochs = read.whole("epochs", 1, kMostEpochs);
  const double passes = epochs ? *epochs : kUsualEpochs;
  const double all = (samples ? samples->value : usual.samples) * passes * job.mean_tokens();
  job.tokens = tokens.value_or(all);
  if (tokens) return;
  const std::string source(usual.source);
  if (!samples) {
    assumptions.push_back(
        {"samples", std::string(usual.text), fmt::format("{:.0f}", usual.samples), source});
  }
  if (!epochs) assumptions.push_back({"epochs", "three passes over the data set", "3", source});
  if (job.mean_sequence) return;
  assumptions.push_back({"tokens", "every sample fills its sequence", units::show_count(job.tokens),
                         "samples x seq_len x epochs"});
}

Head read_texts(const OptionReader& read, const Context& context, TrainingJob& job,
                Assumptions& assumptions) {
  const Head head = read.choice<Head>("head").value_or(Head::mlm);
  if (!read.given("head"))
    assumptions.push_back({"head", "pre-training on masked tokens", "mlm", std::string(kBert)});
  job.bidirectional = true;
  read_positions(read, context, job, assumptions);
  if (head == Head::classifier) {
    job.logit_share = 0;
    read_samples(read, {kSquadBatch, kSquadSamples, "87,599 questions of SQuAD v1.1", kSquad}, job,
                 assumptions);
    return head;
  }
  job.logit_share = job.framework.masked_logits ? kMaskedShare : 1;
  refuse_samples(read, "pre-training on masked tokens is sized by its tokens",
                 "give --tokens, or --head classifier");
  read_mean(read, job);
  job.global_batch = read_batch(read, kBertBatch, kBert, assumptions);
  const auto tokens = read_tokens(read);
  job.tokens = tokens.value_or(kBertTokens);
  if (!read.given("tokens")) {
    assumptions.push_back({"tokens", "one million steps of 256 sequences of 512 tokens",
                           units::show_count(job.tokens), std::string(kBert)});
  }
  return head;
}

}  // namespace gpusel::workload::llm
