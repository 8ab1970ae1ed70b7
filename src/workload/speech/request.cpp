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
constexpr double kMostSpeech = 1e15;  // s; more is a slip of the pen
constexpr double kMinute = 60;
constexpr std::string_view kList = "`gpusel models list --kind asr` shows what there is";

class Resolver {
 public:
  Resolver(const data::OptionValues& values, const Context& context, diag::Sink& sink)
      : read_(values, faults_), context_(context), sink_(sink) {}

  std::optional<Request> run() {
    const auto card = resolve_model();
    const double tokens = resolve_tokens();
    const double headroom = shared_.resolve_headroom();
    if (card) request_.job = job_of(*card, tokens, headroom);
    resolve_load();
    shared_.resolve_layout("pieces at once: what fits, 256 at most");
    faults_.pass_on(sink_);
    if (faults_.has_errors()) return std::nullopt;
    return std::move(request_);
  }

 private:
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
      shared_.field("model", 0, card->id.text(), Field::Type::text);
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
    shared_.field("tokens-per-minute", rate, units::show_count(rate), Field::Type::number);
    if (!given)
      shared_.assume("tokens_per_minute", "164 words a minute, 1.22 tokens a word", "200",
                     "words: LibriSpeech, dev sets; tokens a word: assumed");
    return rate * kPieceSeconds / kMinute;
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
      shared_.field("streams", streams->value, units::show_count(streams->value),
                    Field::Type::number);
    }
    shared_.resolve_load("audio", "streams", "an hour of speech", encoding::kUtilisation);
  }

  diag::Buffer faults_;
  data::OptionReader read_;
  const Context& context_;
  diag::Sink& sink_;
  Request request_;
  BatchOptions shared_{read_, request_};
};

}  // namespace

std::optional<Request> resolve(const data::OptionValues& values, const Context& context,
                               diag::Sink& sink) {
  return Resolver(values, context, sink).run();
}

}  // namespace gpusel::workload::speech
