// Transcription: what a batch of pieces takes, and what must hold of every plan.
#include "../../../src/workload/speech/request.h"
#include "../../../src/workload/speech/work.h"
#include "catch.h"
#include "training_fixture.h"

#include "gpusel/base/io.h"

#include <fmt/format.h>

using namespace gpusel;
using namespace gpusel::workload;
using namespace gpusel::workload::speech;

namespace {

using test::Options;

std::unique_ptr<const Workload> speech_of(const Options& options, std::string* why = nullptr) {
  return test::made("speech-inference", options, why);
}

std::string fault_of(const Options& options) {
  std::string why;
  CHECK(speech_of(options, &why) == nullptr);
  return why;
}

const ModelCard& card_of(std::string_view name) {
  return std::get<ModelCard>(*test::data().models.find_model(name));
}

struct Place {
  catalog::Hardware hardware;
  estimate::Machine machine;
  explicit Place(std::string_view gpu, int count = 1, int nodes = 1)
      : hardware(test::hardware(gpu, count, 0)),
        machine(estimate::make_machine(test::data().catalog, hardware, nodes)) {}
};

estimate::Verdict<estimate::Plan> search(const Workload& work, const Place& place) {
  SearchCount count;
  return work.search(place.machine, count);
}

}  // namespace

TEST_CASE("the encoder of Whisper is counted as its card says", "[workload]") {
  for (const char* name : {"whisper-tiny", "whisper-small", "whisper-large-v3"}) {
    INFO(name);
    const ModelCard& card = card_of(name);
    const SpeechFlops flops = flops_of(job_of(card, 100, 0));
    const double cross = 4.0 * 1500 * card.hidden * card.hidden * card.decoder_layers;
    // The card's figure has the convolutions of the stem too.
    CHECK(units::in_flops(flops.encoder) - cross == Approx(card.forward.at(0).flops).epsilon(0.08));
  }
}

TEST_CASE("a decoder of fewer layers costs less, longer texts cost more", "[workload]") {
  const Place h200("nvidia-h200-sxm5-141gb");
  const auto seconds = [&](const char* model, double tokens) {
    const SpeechJob job = job_of(card_of(model), tokens, 0);
    return units::in_seconds(estimate::total(SpeechModel(job, h200.machine).time(128), kTimeTerms));
  };
  CHECK(seconds("whisper-large-v3-turbo", 100) < 0.7 * seconds("whisper-large-v3", 100));
  CHECK(seconds("whisper-large-v3", 200) > 1.5 * seconds("whisper-large-v3", 100));
}

TEST_CASE("more pieces at once are never slower per piece", "[workload]") {
  for (const char* gpu : {"nvidia-l4-24gb", "nvidia-h200-sxm5-141gb"}) {
    const Place place(gpu);
    const SpeechJob job = job_of(card_of("whisper-medium"), 100, 0);
    const SpeechModel model(job, place.machine);
    for (double b = 1; b < 256; b *= 2) {
      INFO(gpu << ", batch " << b);
      CHECK(estimate::total(model.time(2 * b), kTimeTerms) <=
            estimate::total(model.time(b), kTimeTerms) * (2 * (1 + 1e-12)));
    }
  }
}

TEST_CASE("a plan of transcription adds up and keeps its bounds", "[workload]") {
  const Place place("nvidia-l40s-48gb", 4, 2);
  for (const Options& options : {Options{{"model", "whisper-large-v3"}, {"audio", "5000h"}},
                                 Options{{"model", "whisper-large-v3"}},
                                 Options{{"model", "whisper-large-v3"}, {"streams", "800"}}}) {
    const auto work = speech_of(options);
    REQUIRE(work != nullptr);
    const auto plan = search(*work, place);
    REQUIRE(plan.has_value());
    const estimate::Figures& f = plan->figures;
    const estimate::Bound bound = work->bound(place.machine);
    CHECK(bound.memory <= f.memory);
    CHECK(f.memory <= f.capacity);
    if (work->nature() == Nature::job) {
      CHECK(bound.time <= f.duration);
      CHECK(units::in_items_per_second(f.throughput) * units::in_seconds(f.duration) ==
            Approx(5000.0 * 3600));
    } else {
      CHECK(units::in_seconds(bound.time) * units::in_items_per_second(f.throughput) <= 1 + 1e-9);
    }
    const estimate::Estimate e = work->explain(*plan, place.machine);
    CHECK(e.ledgers[0].total() == Approx(units::in_bytes(f.memory)));
    CHECK(e.ledgers[1].total() == Approx(units::in_seconds(f.step)));
    CHECK(e.ledgers[2].total() == Approx(units::in_flops(f.flops)));
    CHECK(f.mfu > 0);
    CHECK(f.mfu < 1);
    CHECK(e.capacity.has_value() == (work->nature() == Nature::service));
    CHECK(e.time_high == Approx(1.3));
  }
}

TEST_CASE("streams take the fewest nodes that carry them", "[workload]") {
  const Place one("nvidia-l4-24gb");
  const auto open = speech_of({{"model", "whisper-small"}});
  REQUIRE(open != nullptr);
  CHECK(open->traits().open_load);
  const auto plan = search(*open, one);
  REQUIRE(plan.has_value());
  const double carried = units::in_items_per_second(plan->figures.throughput);
  CHECK(open->explain(*plan, one.machine).time_high > 1.5);
  const auto asked =
      speech_of({{"model", "whisper-small"}, {"streams", fmt::format("{:.0f}", 2.5 * carried)}});
  REQUIRE(asked != nullptr);
  CHECK(asked->node_counts(test::data().catalog, one.hardware) == std::vector<int>{3});
  CHECK(search(*asked, Place("nvidia-l4-24gb", 1, 3)).has_value());
  const auto slow = search(*asked, Place("nvidia-l4-24gb", 1, 2));
  REQUIRE_FALSE(slow.has_value());
  CHECK(slow.error().resource == "throughput");
}

TEST_CASE("a batch of pieces fills the memory unless it is given", "[workload]") {
  const Place t4("nvidia-t4-16gb");
  const auto plan = search(*speech_of({{"model", "whisper-large-v3"}, {"audio", "10h"}}), t4);
  REQUIRE(plan.has_value());
  CHECK(plan->choices[0] > 8);
  CHECK(plan->choices[0] < 64);
  const auto given =
      search(*speech_of({{"model", "whisper-large-v3"}, {"audio", "10h"}, {"batch", "100"}}), t4);
  REQUIRE_FALSE(given.has_value());
  CHECK(given.error().resource == "gpu_memory");
  // Two pieces are no batch of hundreds.
  CHECK(search(*speech_of({{"model", "whisper-tiny"}, {"audio", "1min"}}), t4).value().choices[0] ==
        2);
}

TEST_CASE("intervals of speech are wider where nothing was measured", "[workload]") {
  const SpeechJob large = job_of(card_of("whisper-large-v3"), 100, 0);
  CHECK(interval_of(large, "card").high < interval_of(large, "cdna3").high);
  const SpeechJob small = job_of(card_of("whisper-small"), 100, 0);
  CHECK(interval_of(small, "card").high == interval_of(large, "cdna3").high);
}

TEST_CASE("wrong options of transcription say what to write", "[workload]") {
  CHECK(fault_of({}).find("gpusel models list --kind asr") != std::string::npos);
  CHECK(fault_of({{"model", "whisper-smal"}}).find("did you mean 'whisper-small'") !=
        std::string::npos);
  CHECK(fault_of({{"model", "bert-large"}}).find("which hears no speech") != std::string::npos);
  const auto fault = [](const char* option, const char* value) {
    return fault_of({{"model", "whisper-tiny"}, {option, value}});
  };
  CHECK(fault("audio", "0h").find("must be positive") != std::string::npos);
  CHECK(fault("streams", "0").find("must be positive") != std::string::npos);
  CHECK(fault("audio", "1e200h").find("at most 10^15") != std::string::npos);
  CHECK(fault("streams", "1e200").find("at most 10^15") != std::string::npos);
  CHECK(fault("tokens-per-minute", "1000").find("between 1 and 896") != std::string::npos);
  CHECK(fault("headroom", "100%").find("below 100 %") != std::string::npos);
  CHECK(fault_of({{"model", "whisper-tiny"}, {"audio", "1h"}, {"streams", "5"}})
            .find("a job or a service") != std::string::npos);
}
