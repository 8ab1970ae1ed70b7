#include "request.h"

#include "../llm/model_option.h"
#include "api_prices.h"
#include "constants.h"
#include "options.h"

#include "gpusel/base/number.h"
#include "gpusel/base/suggest.h"
#include "gpusel/units/format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gpusel::workload::serving {
namespace {

using data::OptionReader;
using units::Count;
using units::Seconds;

constexpr double kDefaultPrompt = 1024;  // tokens
constexpr double kDefaultAnswer = 256;   // tokens
constexpr Seconds kDefaultTtft = units::seconds(2);
constexpr Seconds kDefaultTpot = units::seconds(0.1);
constexpr double kMostTokens = 1e8;
constexpr int kMostNodes = 4096;
constexpr int kMostClients = 1000000;

enum class Origin { given, fallback };

// "3@70%": three draft tokens per step, of which 70 % are accepted.
Result<Speculation> parse_speculation(std::string_view text) {
  constexpr int kMostDrafts = 64;
  constexpr const char* kForm =
      "write the draft tokens per step and the share of them that is accepted, such as 3@70%";
  const std::size_t at = text.find('@');
  if (at == std::string_view::npos) return Error{"says no accepted share", kForm, 0, text.size()};
  const Result<std::int64_t> drafted = parse_integer(text.substr(0, at), 1, kMostDrafts);
  if (!drafted) return Error{drafted.error().message, kForm, 0, at};
  const Result<units::Ratio> accepted = units::parse<units::Ratio>(text.substr(at + 1));
  if (!accepted || accepted->value <= 0 || accepted->value > 1) {
    return Error{"the accepted share must be above 0 and at most 100 %", kForm, at + 1,
                 text.size() - at - 1};
  }
  return Speculation{static_cast<double>(*drafted), accepted->value};
}

class Resolver {
 public:
  Resolver(const data::OptionValues& values, const Context& context, diag::Sink& sink)
      : faults_(), read_(values, faults_), context_(context), sink_(sink) {}

  std::optional<Request> run() {
    resolve_model();
    resolve_engine();
    if (!faults_.has_errors()) resolve_formats();
    resolve_traffic();
    resolve_shortcuts();
    resolve_load();
    resolve_cost();
    resolve_layout();
    request_.document = read_.choice_index("estimator", kEstimators).value_or(0) == 1;
    text_field("estimator", request_.document ? "document" : "analytical", origin("estimator"));
    faults_.pass_on(sink_);
    if (faults_.has_errors()) return std::nullopt;
    request_.shape = shape_of(request_.card);
    request_.traits.tokens = service_;
    request_.traits.tokens->prompt = request_.traffic.prompt;
    request_.traits.tokens->answer = request_.traffic.answer;
    request_.traits.open_load = !request_.rate && !request_.clients;
    return std::move(request_);
  }

 private:
  void assume(std::string id, std::string text, std::string value, std::string source = "default") {
    request_.assumptions.push_back(
        {std::move(id), std::move(text), std::move(value), std::move(source)});
  }
  void text_field(std::string key, std::string text, Origin origin) {
    request_.fields.push_back(
        {std::move(key), 0, std::move(text), Field::Type::text, origin == Origin::fallback});
  }
  void number_field(std::string key, double number, std::string text, Origin origin,
                    Field::Type type = Field::Type::whole) {
    request_.fields.push_back(
        {std::move(key), number, std::move(text), type, origin == Origin::fallback});
  }

  void resolve_model() {
    const auto choice = llm::resolve_model(read_, context_, request_.assumptions);
    if (!choice) return;
    request_.card = choice->card;
    request_.nominal_params = choice->nominal_params;
    if (!choice->chosen_for_size) text_field("model", choice->card.id.text(), Origin::given);
    number_field("params", choice->nominal_params, units::show_count(choice->nominal_params),
                 Origin::given);
    if (!choice->card.is_moe()) return;
    const double active = count_parameters(choice->card).active;
    number_field("active_params", active, units::show_count(active), Origin::given);
  }

  void resolve_engine() {
    const EngineSet engines = load_engines(*context_.data, faults_);
    const std::string name = read_.text("engine").value_or("vllm");
    const Engine* engine = engines.find(name);
    if (engine == nullptr) {
      return read_.report("engine", {"no engine '" + name + "'",
                                     "one of " + quoted_list(engines.names()), 0, name.size()});
    }
    request_.engine = *engine;
    request_.profile = engine->current();
    resolve_generation();
    const bool given = read_.given("engine");
    text_field("engine", engine->id, given ? Origin::given : Origin::fallback);
    if (!given)
      assume("engine", "serving software", engine->name + ", " + request_.profile.versions);
  }

  void resolve_generation() {
    const std::optional<std::string> asked = read_.text("engine-profile");
    if (!asked) return;
    const Profile* profile = request_.engine.profile(*asked);
    if (profile == nullptr) {
      std::vector<std::string> names;
      for (const Profile& p : request_.engine.profiles) names.push_back(p.id);
      return read_.report("engine-profile", {"no generation '" + *asked + "' of this engine",
                                             "one of " + quoted_list(names), 0, asked->size()});
    }
    request_.profile = *profile;
    text_field("engine_profile", profile->id, Origin::given);
  }

  void resolve_formats() {
    const std::string asked = read_.text("weights-dtype").value_or("published");
    const bool published = asked == "published";
    const std::string name = published ? published_format(request_.card) : asked;
    request_.traits.dtype = published ? "auto" : name;
    text_field("weights_dtype", name,
               read_.given("weights-dtype") ? Origin::given : Origin::fallback);
    if (asked == "auto") {
      choose_among_formats();
    } else if (const WeightFormat* format = find_weight_format(name)) {
      request_.formats = {*format};
    } else {
      std::vector<std::string> names{"published", "auto"};
      for (const WeightFormat& f : weight_formats()) names.emplace_back(f.name);
      return read_.report("weights-dtype", {"no format '" + name + "'",
                                            "one of " + quoted_list(names), 0, name.size()});
    }
    if (published) assume("weights_dtype", "weights as published", name, "model card");
    request_.format = request_.formats.front();
    resolve_cache_format();
  }

  // Not wider than published, which adds bytes and no accuracy, and not below four bits, which
  // loses much of it (llama.cpp: perplexity of Llama 3 8B 0.1 higher as q4_k_m, 3.5 as q2_k).
  void choose_among_formats() {
    const WeightFormat* published = find_weight_format(published_format(request_.card));
    std::vector<std::string> names;
    for (const WeightFormat* f : served_formats(request_.engine, request_.card)) {
      constexpr double kLeastBytes = 0.5;
      if (f->bytes < kLeastBytes || (published != nullptr && f->bytes > published->bytes)) continue;
      request_.formats.push_back(*f);
      names.emplace_back(f->name);
    }
    if (request_.formats.empty() && published != nullptr) request_.formats = {*published};
    assume("weights_dtype",
           "the widest format that carries the load on the fewest nodes, or a narrower one that "
           "carries over 5 % more where no load is given; narrow formats cost accuracy that is not "
           "estimated: test it",
           quoted_list(names), request_.engine.name);
  }

  void resolve_cache_format() {
    const std::string name = read_.text("kv-dtype").value_or("auto");
    request_.kv_value_bytes = kv_value_bytes(name);
    if (name != "auto" && !request_.kv_value_bytes) {
      std::vector<std::string> names{"auto"};
      for (const std::string_view f : kv_formats()) names.emplace_back(f);
      return read_.report(
          "kv-dtype", {"no format '" + name + "'", "one of " + quoted_list(names), 0, name.size()});
    }
    text_field("kv_dtype", name, read_.given("kv-dtype") ? Origin::given : Origin::fallback);
    if (name != "auto") return;
    const bool narrow = request_.profile.eight_bit_kv;
    assume("kv_dtype", "format of the cache",
           narrow ? "fp8 where weights compute in fp8 or fp4, else 16 bits" : "16 bits",
           request_.engine.name);
  }

  double tokens(std::string_view option, const std::string& key, double fallback,
                const char* text) {
    const std::optional<Count> given = read_.quantity<Count>(option);
    const double value = given ? given->value : fallback;
    if (given && (value < 1 || value > kMostTokens)) {
      read_.report(option, {"must lie between 1 and 100M tokens", "", 0, 0});
    }
    number_field(key, value, units::show_count(value), given ? Origin::given : Origin::fallback);
    request_.fields.back().headline = true;
    if (!read_.given(option)) assume(key, text, units::show_count(value));
    return value;
  }

  void resolve_traffic() {
    request_.traffic.prompt =
        tokens("input-tokens", "input_tokens", kDefaultPrompt, "mean length of a prompt, tokens");
    request_.traffic.answer = tokens("output-tokens", "output_tokens", kDefaultAnswer,
                                     "mean length of an answer, tokens");
    const double both = request_.traffic.prompt + request_.traffic.answer;
    request_.max_context =
        tokens("max-context", "max_context", both, "longest sequence: prompt and answer");
    if (request_.max_context < both) {
      read_.report("max-context", {"is shorter than prompt and answer together",
                                   "give at least " + units::show_number(both, 9), 0, 0});
    }
    const double longest = request_.card.max_context;
    const bool binds = context_.purpose == Purpose::plan && longest > 0;
    if (binds && request_.max_context > longest) {
      read_.report(read_.given("max-context") ? "max-context" : "input-tokens",
                   {"the model reads " + units::show_number(longest, 9) +
                        " tokens at most, asked are " + units::show_number(request_.max_context, 9),
                    "shorten the prompt or choose a model with a longer context", 0, 0});
    }
  }

  Seconds limit(std::string_view option, Seconds fallback, const char* text) {
    const std::optional<Seconds> given = read_.quantity<Seconds>(option);
    const Seconds value = given.value_or(fallback);
    if (value <= units::seconds(0))
      read_.report(option, {"must be positive", "such as " + units::to_text(fallback), 0, 0});
    number_field(std::string(option) + "_s", value.canonical(), units::show_duration(value),
                 given ? Origin::given : Origin::fallback, Field::Type::number);
    if (!read_.given(option))
      assume(std::string(option), text, units::show_duration(value) + " at the 95th percentile");
    return value;
  }

  void resolve_shortcuts() {
    if (const auto share = read_.quantity<units::Ratio>("cached-prompt")) {
      if (share->value < 0 || share->value >= 1)
        read_.report("cached-prompt", {"must be below 100 %", "such as 60%", 0, 0});
      request_.traffic.cached = std::floor(request_.traffic.prompt * share->value);
      number_field("cached_prompt", share->value, units::to_text(*share), Origin::given,
                   Field::Type::number);
      assume("cached_prompt",
             "share of each prompt that a prefix cache holds: it is not computed again, and its "
             "memory is counted for every sequence",
             units::to_text(*share), "--cached-prompt");
    }
    const auto speculation = read_.convert<Speculation>("speculative", parse_speculation);
    if (!speculation) return;
    request_.speculation = *speculation;
    text_field("speculative", *read_.text("speculative"), Origin::given);
    assume("speculative",
           "tokens per step with a draft head of one layer that proposes " +
               units::show_number(speculation->drafted) + ", each accepted at " +
               units::to_text(units::Ratio{speculation->accepted}) + " when those before it were",
           units::show_number(speculation->tokens_per_step()), "arXiv 2211.17192, equation 1");
  }

  void resolve_load() {
    request_.limits.ttft = limit("ttft", kDefaultTtft, "limit on the time to the first token");
    request_.limits.tpot = limit("tpot", kDefaultTpot, "limit on the time per further token");
    if (const auto rate = read_.quantity<units::ItemsPerSecond>("rate")) {
      request_.rate = rate->canonical();
      number_field("rate", *request_.rate, units::to_text(*rate), Origin::given,
                   Field::Type::number);
      if (*request_.rate <= 0) read_.report("rate", {"must be positive", "such as 20/s", 0, 0});
    }
    if (const auto clients = read_.whole("concurrency", 1, kMostClients)) {
      request_.clients = *clients;
      number_field("concurrency", *clients, std::to_string(*clients), Origin::given);
    }
    if (read_.given("rate") && read_.given("concurrency")) {
      read_.report("concurrency", {"a load is a rate or a number of clients",
                                   "give --rate or --concurrency", 0, 0});
    }
    if (!read_.given("rate") && !read_.given("concurrency")) {
      assume("load", "no load is given",
             "the largest within the limits; ranked by the price of a token");
    }
    resolve_load_headroom();
  }

  // Clients wait for their answers, so that their number is all that can come at once.
  void resolve_load_headroom() {
    const auto given = read_.quantity<units::Ratio>("load-headroom");
    const units::Ratio share = given.value_or(units::Ratio{kLoadHeadroom});
    request_.limits.busy = 1 - share.value;
    if (given && (share.value < 0 || share.value >= 1))
      read_.report("load-headroom", {"must be below 100 %", "such as 20%", 0, 0});
    if (read_.given("concurrency")) {
      if (!given) return;
      return read_.report("load-headroom", {"is a share of a rate, and the load is clients",
                                            "give --rate, or more clients", 0, 0});
    }
    number_field("load_headroom", share.value, units::to_text(share), origin("load-headroom"),
                 Field::Type::number);
    assume("load_headroom", "share of a replica's saturated rate kept free for bursts",
           units::to_text(share),
           given ? "--load-headroom" : "default, common practice is 20 to 30 %");
  }

  void resolve_cost() {
    const auto duty = read_.quantity<units::Ratio>("duty");
    if (duty && (duty->value <= 0 || duty->value > 1))
      read_.report("duty", {"must be above 0 and at most 100 %", "such as 30%", 0, 0});
    service_.duty = duty ? duty->value : 1;
    number_field("duty", service_.duty, units::to_text(units::Ratio{service_.duty}), origin("duty"),
                 Field::Type::number);
    if (!duty) assume("duty", "share of the month at this load", "100 %");
    if (!read_.given("api-price")) return;
    const std::vector<ApiPrice> listed = load_api_prices(*context_.data, faults_);
    service_.api = read_.convert<ApiPrice>(
        "api-price", [&](std::string_view text) { return parse_api_price(text, listed); });
    if (!service_.api) return;
    text_field("api_price", *read_.text("api-price"), Origin::given);
    if (service_.api->listing) assume_listing(*service_.api);
  }

  void assume_listing(const ApiPrice& price) {
    const auto dollars = [](units::UsdPerItem item) {
      constexpr double kMillion = 1e6;
      return units::money(in_usd_per_item(item) * kMillion, 3);
    };
    const catalog::Citation& citation = price.listing->citation;
    assume("api_price",
           "list price of " + price.listing->name +
               ", US dollars per million input and output tokens; no discount is counted",
           dollars(price.input) + "/" + dollars(price.output),
           citation.url + (citation.date ? ", " + citation.date->text() : "") + ", " +
               std::string(data::name_of(citation.confidence)));
  }

  std::optional<int> degree(std::string_view option, int most) {
    const std::optional<std::string> text = read_.text(option);
    if (!text || *text == "auto") {
      text_field(std::string(option), "auto", Origin::fallback);
      return std::nullopt;
    }
    const std::optional<int> value = read_.whole(option, 1, most);
    if (value) number_field(std::string(option), *value, std::to_string(*value), Origin::given);
    return value;
  }

  void resolve_layout() {
    constexpr int kMostDegree = 1024;
    request_.tensor = degree("tp", kMostDegree);
    request_.pipeline = degree("pp", kMostDegree);
    request_.nodes = degree("nodes", kMostNodes);
    request_.max_nodes = read_.whole("max-nodes", 1, kMostNodes).value_or(request_.max_nodes);
    request_.min_replicas = read_.whole("min-replicas", 1, kMostNodes).value_or(1);
    number_field("max_nodes", request_.max_nodes, std::to_string(request_.max_nodes),
                 origin("max-nodes"));
    number_field("min_replicas", request_.min_replicas, std::to_string(request_.min_replicas),
                 origin("min-replicas"));
    if (request_.min_replicas > 1) {
      assume("replicas",
             "copies of the model at least; all run on one offer, hence in one region, and several "
             "may share a node, which --nodes prevents; over zones they are not spread",
             std::to_string(request_.min_replicas), "--min-replicas");
    }
    if (const auto share = read_.quantity<units::Ratio>("headroom")) {
      request_.headroom = share->value;
      number_field("headroom", share->value, units::to_text(*share), Origin::given,
                   Field::Type::number);
      if (share->value < 0 || share->value >= 1)
        read_.report("headroom", {"must be below 100 %", "such as 5%", 0, 0});
    }
    assume("memory_share", "share of each GPU's memory that the engine fills",
           units::to_text(units::Ratio{
               std::min(request_.profile.memory_share, 1 - request_.headroom.value_or(0))}),
           request_.headroom ? "--headroom" : request_.engine.name);
  }

  Origin origin(std::string_view option) const {
    return read_.given(option) ? Origin::given : Origin::fallback;
  }

  diag::Buffer faults_;
  OptionReader read_;
  const Context& context_;
  diag::Sink& sink_;
  Request request_;
  TokenService service_;
};

}  // namespace

std::optional<Request> resolve(const data::OptionValues& values, const Context& context,
                               diag::Sink& sink) {
  return Resolver(values, context, sink).run();
}

}  // namespace gpusel::workload::serving
