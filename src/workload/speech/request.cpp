#include "request.h"

#include "../encoding/constants.h"

#include "gpusel/base/suggest.h"
#include "gpusel/data/option.h"
#include "gpusel/units/format.h"

#include <fmt/format.h>

namespace gpusel::workload::speech {
namespace {

constexpr double kUsualTokens = 200;  // a minute
constexpr double kMostTokens = 2 * 448;
constexpr int kMostBatch = 1'000'000;
constexpr int kMostNodes = 4096;
constexpr double kMostSpeech = 1e15;  // s; more is a slip of the pen
constexpr double kDefaultHeadroom = 0.05;
constexpr double kMinute = 60;
constexpr std::string_view kList = "`gpusel models list --kind asr` shows what there is";

class Resolver {
 public:
  Resolver(const data::OptionValues& values, const Context& context, diag::Sink& sink)
      : read_(values, faults_), context_(context), sink_(sink) {}

  std::optional<Request> run() {
    const auto card = resolve_model();
    const double tokens = resolve_tokens();
    const double headroom = resolve_headroom();
    if (card) request_.job = job_of(*card, tokens, headroom);
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

  std::optional<ModelCard> resolve_model() {
    const std::optional<std::string> name = read_.text("model");
    if (!name) {
      read_.sink().report(diag::error("option/missing", {}, "the model is not known")
                              .with_help("give --model NAME; " + std::string(kList)));
      return std::nullopt;
    }
    const ModelSet models = load_models(*context_.data, read_.sink());
    const Model* found = models.find_model(*name);
    const auto* card = found != nullptr ? std::get_if<ModelCard>(found) : nullptr;
    if (card != nullptr && card->kind == ModelKind::asr) {
      field("model", 0, card->id.text(), Field::Type::text);
      request_.fields.push_back(
          {"params", card->params, units::show_count(card->params), Field::Type::whole, false});
      return *card;
    }
    std::string help = found == nullptr ? did_you_mean(*name, models.names()) : "";
    if (help.empty()) help = kList;
    const std::string what = found == nullptr ? "' is not a known model"
                                              : fmt::format("' is {}, which hears no speech",
                                                            in_words(head_of(*found).kind));
    read_.report("model", Error{"'" + *name + what, help, 0, name->size()});
    return std::nullopt;
  }

  double resolve_tokens() {
    const auto given = read_.quantity<units::Count>("tokens-per-minute");
    const double rate = given ? given->value : kUsualTokens;
    if (rate < 1 || rate > kMostTokens) {
      read_.report("tokens-per-minute", {"must lie between 1 and 896, two texts of 448",
                                         "read speech has about 200", 0, 0});
    }
    field("tokens-per-minute", rate, units::show_count(rate), Field::Type::number);
    if (!given)
      assume("tokens_per_minute", "164 words a minute, 1.22 tokens a word", "200",
             "words: LibriSpeech, dev sets; tokens a word: assumed");
    return rate * kPieceSeconds / kMinute;
  }

  double resolve_headroom() {
    const auto share = read_.quantity<units::Ratio>("headroom");
    const double headroom = share ? share->value : kDefaultHeadroom;
    if (headroom < 0 || headroom >= 1)
      read_.report("headroom", {"must be below 100 %", "such as 5%", 0, 0});
    field("headroom", headroom, units::to_text(units::Ratio{headroom}), Field::Type::number);
    if (!share) assume("headroom", "share of each GPU's memory kept free", "5 %");
    return headroom;
  }

  void resolve_load() {
    if (const auto audio = read_.quantity<units::Seconds>("audio")) {
      if (*audio <= units::Seconds{} || *audio > units::seconds(kMostSpeech)) {
        read_.report("audio", {"must be positive, at most 10^15 s", "such as --audio 5000h", 0, 0});
      }
      request_.seconds = units::in_seconds(*audio);
      request_.fields.push_back(
          {"audio_s", *request_.seconds,
           units::show_count(*request_.seconds / units::kSecondsPerHour) + " h",
           Field::Type::number, false});
    }
    if (const auto streams = read_.quantity<units::Count>("streams")) {
      if (streams->value <= 0 || streams->value > kMostSpeech) {
        read_.report("streams", {"must be positive, at most 10^15", "such as --streams 200", 0, 0});
      }
      request_.streams = streams->value;
      field("streams", streams->value, units::show_count(streams->value), Field::Type::number);
    }
    if (read_.given("audio") && read_.given("streams")) {
      read_.report("streams", {"the work is a job or a service",
                               "give --audio for a job, --streams for a service", 0, 0});
    }
    request_.traits.open_load = !read_.given("audio") && !read_.given("streams");
    if (request_.traits.open_load)
      assume("load", "no load is given", "the largest; ranked by the price of an hour of speech");
    if (read_.given("audio")) return;
    assume("utilisation", "a service carries at most this share of what it could",
           units::to_text(units::Ratio{encoding::kUtilisation}), "common practice, 70 to 80 %");
  }

  void resolve_layout() {
    if (read_.text("batch").value_or("auto") != "auto")
      request_.batch = read_.whole("batch", 1, kMostBatch);
    field("batch", request_.batch.value_or(0),
          request_.batch ? std::to_string(*request_.batch) : "auto",
          request_.batch ? Field::Type::whole : Field::Type::text);
    if (!request_.batch) assume("batch", "pieces at once: what fits, 256 at most", "auto");
    if (read_.text("nodes").value_or("auto") != "auto")
      request_.nodes = read_.whole("nodes", 1, kMostNodes);
    field("nodes", request_.nodes.value_or(0),
          request_.nodes ? std::to_string(*request_.nodes) : "auto",
          request_.nodes ? Field::Type::whole : Field::Type::text);
    request_.max_nodes = read_.whole("max-nodes", 1, kMostNodes).value_or(request_.max_nodes);
    field("max-nodes", request_.max_nodes, std::to_string(request_.max_nodes));
  }

  diag::Buffer faults_;
  data::OptionReader read_;
  const Context& context_;
  diag::Sink& sink_;
  Request request_;
};

}  // namespace

std::optional<Request> resolve(const data::OptionValues& values, const Context& context,
                               diag::Sink& sink) {
  return Resolver(values, context, sink).run();
}

}  // namespace gpusel::workload::speech
