#include "request.h"

#include "../llm/model_option.h"
#include "constants.h"

#include "gpusel/base/suggest.h"
#include "gpusel/data/option.h"
#include "gpusel/units/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gpusel::workload::encoding {
namespace {

using catalog::NumberFormat;

constexpr int kUsualLength = 512;  // tokens
constexpr int kMostLength = 1'000'000;
constexpr double kMostTexts = 1e15;  // more is a slip of the pen
constexpr std::array kFormats = {NumberFormat::fp32, NumberFormat::tf32, NumberFormat::fp16,
                                 NumberFormat::bf16, NumberFormat::int8, NumberFormat::fp8};

class Resolver {
 public:
  Resolver(const data::OptionValues& values, const Context& context, diag::Sink& sink)
      : read_(values, faults_), context_(context), sink_(sink) {}

  std::optional<Request> run() {
    resolve_model();
    resolve_engine();
    resolve_format();
    resolve_lengths();
    resolve_load();
    resolve_layout();
    faults_.pass_on(sink_);
    if (faults_.has_errors()) return std::nullopt;
    return std::move(request_);
  }

 private:
  void resolve_model() {
    const auto card = llm::resolve_encoder(read_, context_);
    if (!card) return;
    request_.job.tower = tower_of(*card);
    request_.job.params = count_parameters(*card).total;
    longest_ = card->max_context > 0 ? card->max_context : kMostLength;
    shared_.field("model", 0, card->id.text(), Field::Type::text);
    request_.fields.push_back({"params", request_.job.params,
                               units::show_count(request_.job.params), Field::Type::whole, false});
  }

  void resolve_engine() {
    const std::string name = read_.text("engine").value_or("pytorch");
    const Software* software = find_software(name);
    if (software == nullptr) {
      return read_.report("engine", {"no engine '" + name + "' for encoders",
                                     "one of " + quoted_list(software_names()), 0, name.size()});
    }
    request_.job.software = *software;
    shared_.field("engine", 0, name, Field::Type::text);
    if (!read_.given("engine"))
      shared_.assume("engine", "software that runs the model", std::string(software->name));
  }

  void resolve_format() {
    const std::string name = read_.text("weights-dtype").value_or("auto");
    request_.traits.dtype = name;
    shared_.field("weights-dtype", 0, name, Field::Type::text);
    if (name == "auto")
      return shared_.assume("weights_dtype", "bf16, or fp16 on a GPU without bf16", "auto");
    std::vector<std::string> names{"auto"};
    for (const NumberFormat format : kFormats) {
      names.emplace_back(data::name_of(format));
      if (names.back() == name) request_.job.format = format;
    }
    if (!request_.job.format) {
      return read_.report("weights-dtype", {"no format '" + name + "'",
                                            "one of " + quoted_list(names), 0, name.size()});
    }
    if (runs_in(request_.job.software, *request_.job.format)) return;
    read_.report(
        "weights-dtype",
        {fmt::format("{} does not run encoders in {}", request_.job.software.name, name),
         "leave --weights-dtype out for 16 bits, or name another --engine", 0, name.size()});
  }

  void resolve_lengths() {
    PassJob& job = request_.job;
    job.positions =
        read_.whole("seq-len", 1, kMostLength).value_or(std::min(kUsualLength, longest_));
    shared_.field("seq-len", job.positions, fmt::format("{:.0f}", job.positions));
    request_.fields.back().headline = true;
    if (!read_.given("seq-len")) {
      shared_.assume("seq_len", "texts of 512 tokens, or as long as the model takes",
                     fmt::format("{:.0f}", job.positions));
    }
    if (job.positions > longest_ && context_.purpose == Purpose::plan) {
      read_.report("seq-len", {fmt::format("the model takes at most {} tokens", longest_),
                               "cut the texts into shorter ones", 0, 0});
    }
    job.mean = read_.whole("mean-seq-len", 1, static_cast<int>(job.positions))
                   .value_or(static_cast<int>(job.positions));
    shared_.field("mean-seq-len", job.mean, fmt::format("{:.0f}", job.mean));
    if (!read_.given("mean-seq-len"))
      shared_.assume("mean_seq_len", "every text is as long as the longest",
                     fmt::format("{:.0f} tokens", job.mean));
  }

  void resolve_load() {
    if (const auto count = read_.quantity<units::Count>("sequences")) {
      if (count->value < 1 || count->value > kMostTexts) {
        read_.report("sequences",
                     {"must be at least one, at most 10^15", "such as --sequences 10M", 0, 0});
      }
      request_.sequences = count->value;
      shared_.field("sequences", count->value, units::show_count(count->value));
    }
    if (const auto rate = read_.quantity<units::ItemsPerSecond>("rate")) {
      if (rate->canonical() <= 0 || rate->canonical() > kMostTexts) {
        read_.report("rate", {"must be positive, at most 10^15 a second", "such as 200/s", 0, 0});
      }
      request_.rate = rate->canonical();
      shared_.field("rate", *request_.rate, units::to_text(*rate), Field::Type::number);
    }
    shared_.resolve_load("sequences", "rate", "a token", kUtilisation);
  }

  void resolve_layout() {
    shared_.resolve_layout("texts per pass: a power of two with 16,384 tokens at most");
    request_.job.headroom = shared_.resolve_headroom();
  }

  diag::Buffer faults_;
  data::OptionReader read_;
  const Context& context_;
  diag::Sink& sink_;
  Request request_;
  BatchOptions shared_{read_, request_};
  int longest_ = kMostLength;
};

}  // namespace

std::optional<Request> resolve(const data::OptionValues& values, const Context& context,
                               diag::Sink& sink) {
  return Resolver(values, context, sink).run();
}

}  // namespace gpusel::workload::encoding
