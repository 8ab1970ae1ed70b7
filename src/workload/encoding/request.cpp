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
constexpr int kMostBatch = 1'000'000;
constexpr int kMostNodes = 4096;
constexpr double kMostTexts = 1e15;  // more is a slip of the pen
constexpr double kDefaultHeadroom = 0.05;
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
  void assume(std::string id, std::string text, std::string value, std::string source = "default") {
    request_.assumptions.push_back(
        {std::move(id), std::move(text), std::move(value), std::move(source)});
  }
  void field(std::string_view option, double number, std::string text,
             Field::Type type = Field::Type::whole) {
    request_.fields.push_back(
        {data::snake_case(option), number, std::move(text), type, !read_.given(option)});
  }

  void resolve_model() {
    const auto card = llm::resolve_encoder(read_, context_);
    if (!card) return;
    request_.job.tower = tower_of(*card);
    request_.job.params = count_parameters(*card).total;
    longest_ = card->max_context > 0 ? card->max_context : kMostLength;
    field("model", 0, card->id.text(), Field::Type::text);
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
    field("engine", 0, name, Field::Type::text);
    if (!read_.given("engine"))
      assume("engine", "software that runs the model", std::string(software->name));
  }

  void resolve_format() {
    const std::string name = read_.text("weights-dtype").value_or("auto");
    request_.traits.dtype = name;
    field("weights-dtype", 0, name, Field::Type::text);
    if (name == "auto")
      return assume("weights_dtype", "bf16, or fp16 on a GPU without bf16", "auto");
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
    field("seq-len", job.positions, fmt::format("{:.0f}", job.positions));
    request_.fields.back().headline = true;
    if (!read_.given("seq-len")) {
      assume("seq_len", "texts of 512 tokens, or as long as the model takes",
             fmt::format("{:.0f}", job.positions));
    }
    if (job.positions > longest_ && context_.purpose == Purpose::plan) {
      read_.report("seq-len", {fmt::format("the model takes at most {} tokens", longest_),
                               "cut the texts into shorter ones", 0, 0});
    }
    job.mean = read_.whole("mean-seq-len", 1, static_cast<int>(job.positions))
                   .value_or(static_cast<int>(job.positions));
    field("mean-seq-len", job.mean, fmt::format("{:.0f}", job.mean));
    if (!read_.given("mean-seq-len"))
      assume("mean_seq_len", "every text is as long as the longest",
             fmt::format("{:.0f} tokens", job.mean));
  }

  void resolve_load() {
    if (const auto count = read_.quantity<units::Count>("sequences")) {
      if (count->value < 1 || count->value > kMostTexts) {
        read_.report("sequences",
                     {"must be at least one, at most 10^15", "such as --sequences 10M", 0, 0});
      }
      request_.sequences = count->value;
      field("sequences", count->value, units::show_count(count->value));
    }
    if (const auto rate = read_.quantity<units::ItemsPerSecond>("rate")) {
      if (rate->canonical() <= 0 || rate->canonical() > kMostTexts) {
        read_.report("rate", {"must be positive, at most 10^15 a second", "such as 200/s", 0, 0});
      }
      request_.rate = rate->canonical();
      field("rate", *request_.rate, units::to_text(*rate), Field::Type::number);
    }
    if (read_.given("sequences") && read_.given("rate")) {
      read_.report("rate", {"the work is a job or a service",
                            "give --sequences for a job, --rate for a service", 0, 0});
    }
    request_.traits.open_load = !read_.given("sequences") && !read_.given("rate");
    if (request_.traits.open_load)
      assume("load", "no load is given", "the largest; ranked by the price of a token");
    if (read_.given("sequences")) return;
    assume("utilisation", "a service carries at most this share of what it could",
           units::to_text(units::Ratio{kUtilisation}), "common practice, 70 to 80 %");
  }

  void resolve_layout() {
    if (read_.text("batch").value_or("auto") != "auto")
      request_.batch = read_.whole("batch", 1, kMostBatch);
    field("batch", request_.batch.value_or(0),
          request_.batch ? std::to_string(*request_.batch) : "auto",
          request_.batch ? Field::Type::whole : Field::Type::text);
    if (!request_.batch)
      assume("batch", "texts per pass: a power of two with 16,384 tokens at most", "auto");
    if (read_.text("nodes").value_or("auto") != "auto")
      request_.nodes = read_.whole("nodes", 1, kMostNodes);
    field("nodes", request_.nodes.value_or(0),
          request_.nodes ? std::to_string(*request_.nodes) : "auto",
          request_.nodes ? Field::Type::whole : Field::Type::text);
    request_.max_nodes = read_.whole("max-nodes", 1, kMostNodes).value_or(request_.max_nodes);
    field("max-nodes", request_.max_nodes, std::to_string(request_.max_nodes));
    const auto share = read_.quantity<units::Ratio>("headroom");
    request_.job.headroom = share ? share->value : kDefaultHeadroom;
    if (request_.job.headroom < 0 || request_.job.headroom >= 1)
      read_.report("headroom", {"must be below 100 %", "such as 5%", 0, 0});
    field("headroom", request_.job.headroom, units::to_text(units::Ratio{request_.job.headroom}),
          Field::Type::number);
    if (!share) assume("headroom", "share of each GPU's memory kept free", "5 %");
  }

  diag::Buffer faults_;
  data::OptionReader read_;
  const Context& context_;
  diag::Sink& sink_;
  Request request_;
  int longest_ = kMostLength;
};

}  // namespace

std::optional<Request> resolve(const data::OptionValues& values, const Context& context,
                               diag::Sink& sink) {
  return Resolver(values, context, sink).run();
}

}  // namespace gpusel::workload::encoding
