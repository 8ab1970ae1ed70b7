#include "training_search.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace gpusel::workload::llm {
namespace {

constexpr int kMostPcieTensorRanks = 2;  // wider groups lose more on PCIe than they gain
constexpr int kMostPipelineStages = 128;
constexpr int kMostMicroBatch = 64;  // sequences
constexpr int kMostContextRanks = 16;
constexpr double kShortestSlice =
    4096;  // tokens of a sequence that one context-parallel rank keeps
constexpr int kMostChunks = 8;
// Nearly equal steps count as equal: the layout that comes first has fewer dimensions.
constexpr double kTie = 1e-9;

std::vector<int> powers_of_two(double most) {
  std::vector<int> values;
  for (int v = 1; v <= most; v *= 2) values.push_back(v);
  return values;
}

template <class T>
std::vector<T> fixed_or(const std::optional<T>& fixed, std::vector<T> otherwise) {
  if (fixed) return {*fixed};
  return otherwise;
}

bool divides(int divisor, int number) { return divisor > 0 && number % divisor == 0; }

// Stages of equal length; the two tables may stand for a layer each.
bool divides_layers(int chunks, int layers) {
  return divides(chunks, layers) || divides(chunks, layers + 2);
}

std::vector<int> pipeline_degrees(const TrainingModel& model) {
  const int layers = model.job().card.layers;
  std::vector<int> values;
  const int most = std::min({layers, kMostPipelineStages, static_cast<int>(model.gpus())});
  for (int p = 1; p <= most; ++p) {
    const bool power = (p & (p - 1)) == 0;  // unequal stages where need be
    if (power || divides_layers(p, layers)) values.push_back(p);
  }
  return values;
}

double most_tensor_ranks(const TrainingModel& model) {
  const double domain = std::min(model.domain(), model.gpus());
  return model.fast_link() ? domain : std::min<double>(domain, kMostPcieTensorRanks);
}

// Chunks of layers that go together with the stages, whatever the micro-batch.
bool chunks_are_possible(const TrainingModel& model, const Layout& l) {
  if (l.interleave == 1) return true;
  if (l.pp == 1) return false;
  const int chunks = l.pp * l.interleave;
  const int layers = model.job().card.layers;
  return model.job().fixed.interleave ? chunks <= layers + 2 : divides_layers(chunks, layers);
}

bool experts_are_possible(const TrainingModel& model, const Layout& l) {
  if (l.ep == 1) return true;
  const int ranks = l.tp * l.cp * l.dp;
  return divides(l.ep, ranks) && divides(l.ep, model.job().card.experts);
}

bool tensor_is_possible(const ModelCard& card, int tp) {
  if (!divides(tp, card.heads)) return false;
  // KV heads are split, or copied where there are fewer than ranks.
  return card.mla || divides(tp, card.kv_heads) || divides(card.kv_heads, tp);
}

// What does not depend on the micro-batch.
bool degrees_are_possible(const TrainingModel& model, const Layout& l) {
  const TrainingJob& job = model.job();
  if (job.fixed.dp && *job.fixed.dp != l.dp) return false;
  return l.pp <= job.card.layers && experts_are_possible(model, l) && chunks_are_possible(model, l);
}

bool micro_batch_is_possible(const TrainingModel& model, const Layout& l, double micro_batches) {
  // Every rank needs a sequence.
  if (static_cast<double>(l.dp) * l.micro_batch > model.job().global_batch) return false;
  if (l.interleave == 1 || model.job().fixed.interleave) return true;
  return micro_batches >= l.pp && std::fmod(micro_batches, l.pp) == 0;
}

class Searcher {
 public:
  Searcher(const TrainingModel& model, SearchCount& count, units::Bytes comfortable)
      : model_(model), count_(count), comfortable_(comfortable), space_(search_space(model)) {}

  SearchResult run() {
    find_places();
    consider_leanest();
    for (auto begin = places_.begin(); begin != places_.end();) {
      const auto end = std::find_if(begin, places_.end(), [&](const Place& p) {
        return !same_part(p.layout, begin->layout);
      });
      batches({begin, end});
      begin = end;
    }
    if (calm_.found && calm_.step <= result_.step * (1 + kCalmLoss)) {
      result_.layout = calm_.layout;
      result_.step = calm_.step;
      result_.memory = calm_.memory;
    }
    return result_;
  }

 private:
  // Degrees that go together, with all that they decide: computed once, not per micro-batch and
  // recompute.
  struct Place {
    Layout layout;
    Placement placement;
    units::Bytes least;        // of memory, without what a micro-batch adds
    double micro_batches = 0;  // of the micro-batch at hand
  };

  // Layouts that share what a micro-batch costs.
  static bool same_part(const Layout& a, const Layout& b) {
    return a.zero == b.zero && a.tp == b.tp && a.cp == b.cp && a.ep == b.ep;
  }

  void find_places() {
    Layout l;
    for (const int zero : space_.zero) {
      l.zero = zero;
      for (const int tp : space_.tp) {
        l.tp = tp;
        if (!tensor_is_possible(model_.job().card, tp)) continue;
        for (const int cp : space_.cp) {
          l.cp = cp;
          for (const int ep : space_.ep) {
            l.ep = ep;
            find_stages(l);
          }
        }
      }
    }
  }

  void find_stages(Layout l) {
    for (const int pp : space_.pp) {
      l.pp = pp;
      l.dp = data_parallel_ranks(model_, l);
      if (l.dp == 0) continue;
      for (const int chunks : space_.interleave) {
        l.interleave = chunks;
        if (!degrees_are_possible(model_, l)) continue;
        const Placement placement = model_.placement(l);
        if (is_above_host(placement)) continue;
        places_.push_back({l, placement, model_.least_memory(placement, {})});
      }
    }
  }

  bool is_above_host(const Placement& placement) {
    const auto memory = model_.host_memory();
    if (!memory || placement.host <= *memory) return false;
    if (result_.smallest_host == units::Bytes{} || placement.host < result_.smallest_host)
      result_.smallest_host = placement.host;
    return true;
  }

  // Where nothing fits, only the least memory is told: the layout that holds least comes first, and
  // its figure cuts nearly all others.
  void consider_leanest() {
    const auto leanest =
        std::min_element(places_.begin(), places_.end(),
                         [](const Place& a, const Place& b) { return a.least < b.least; });
    if (leanest == places_.end()) return;
    Layout l = leanest->layout;
    for (const int b : space_.micro_batch) {
      l.micro_batch = b;
      if (!micro_batch_is_possible(model_, l, model_.micro_batches(l))) continue;
      for (const Recompute recompute : space_.recompute) {
        l.recompute = recompute;
        static_cast<void>(memory_of(l, leanest->placement, model_.activations(l)));
      }
      return;
    }
  }

  void batches(std::span<Place> places) {
    for (const int b : space_.micro_batch) {
      if (b > model_.job().global_batch) break;
      take_places(places, b);
      if (taken_.empty()) continue;
      for (const Recompute recompute : space_.recompute) {
        Layout l = places.front().layout;
        l.micro_batch = b;
        l.recompute = recompute;
        const Activations activations = model_.activations(l);
        part_.reset();
        for (Place* place : taken_) {
          place->layout.recompute = recompute;
          consider(*place, activations);
        }
      }
    }
  }

  // The places that a micro-batch of b sequences goes with.
  void take_places(std::span<Place> places, int b) {
    taken_.clear();
    for (Place& place : places) {
      if (is_out(place.least)) continue;
      place.layout.micro_batch = b;
      place.micro_batches = model_.micro_batches(place.layout);
      if (micro_batch_is_possible(model_, place.layout, place.micro_batches))
        taken_.push_back(&place);
    }
  }

  // Whether memory of so much or more can change nothing any more.
  [[nodiscard]] bool is_out(units::Bytes memory) const {
    return memory > model_.capacity() && result_.any_possible &&
           (result_.found || memory >= result_.smallest_memory);
  }

  // Slower layouts can neither win nor be preferred for their memory.
  [[nodiscard]] units::Seconds limit() const {
    if (comfortable_ >= model_.capacity()) return result_.step;
    const units::Seconds most = result_.step * (1 + kCalmLoss);
    return calm_.found ? std::min(calm_.step, most) : most;
  }

  // Exact: a bound at the best step is far nearer to the true time than kTie.
  [[nodiscard]] bool is_slower(const Place& place) {
    return result_.found && model_.least_time(place.layout, part_of(place.layout), place.placement,
                                              place.micro_batches) >= limit();
  }

  // Times are computed when the first layout of a micro-batch fits: on many machines none does.
  const MicroBatch& part_of(const Layout& l) {
    if (!part_) part_ = model_.micro_batch(l);
    return *part_;
  }

  units::Bytes memory_of(const Layout& l, const Placement& placement, const Activations& part) {
    ++count_.evaluated;
    const units::Bytes memory = estimate::total(model_.memory(l, part, placement), kMemoryTerms);
    if (!result_.any_possible || memory < result_.smallest_memory) result_.smallest_memory = memory;
    result_.any_possible = true;
    return memory;
  }

  void consider(const Place& place, const Activations& activations) {
    if (is_slower(place) || is_out(model_.least_memory(place.placement, activations))) return;
    const Layout& l = place.layout;
    const units::Bytes memory = memory_of(l, place.placement, activations);
    if (memory > model_.capacity()) return;
    const units::Seconds step =
        estimate::total(model_.time(l, part_of(l), place.placement), kTimeTerms);
    keep(l, step, memory, result_);
    if (memory <= comfortable_) keep(l, step, memory, calm_);
  }

  static void keep(const Layout& l, units::Seconds step, units::Bytes memory, SearchResult& best) {
    if (best.found && step >= best.step * (1 - kTie)) return;
    best.found = true;
    best.layout = l;
    best.step = step;
    best.memory = memory;
  }

  const TrainingModel& model_;
  SearchCount& count_;
  units::Bytes comfortable_;
  SearchSpace space_;
  std::vector<Place> places_;  // in the order of the search: the first of equals wins
  std::vector<Place*> taken_;
  std::optional<MicroBatch> part_;  // of the micro-batch and recompute at hand
  SearchResult result_;             // the fastest
  SearchResult calm_;               // the fastest of those with comfortable memory
};

}  // namespace

SearchSpace search_space(const TrainingModel& model) {
  const TrainingJob& job = model.job();
  const Framework& f = job.framework;
  const FixedChoices& fixed = job.fixed;
  SearchSpace space;
  space.tp = fixed_or(
      fixed.tp, f.tensor_parallel ? powers_of_two(most_tensor_ranks(model)) : std::vector<int>{1});
  const double slices = std::min<double>(kMostContextRanks, job.sequence / kShortestSlice);
  space.cp = fixed_or(
      fixed.cp, f.context_parallel ? powers_of_two(std::max(1.0, slices)) : std::vector<int>{1});
  const bool spread = f.expert_parallel && job.card.is_moe();
  space.ep =
      fixed_or(fixed.ep, spread ? powers_of_two(std::min<double>(job.card.experts, model.gpus()))
                                : std::vector<int>{1});
  space.zero = fixed_or(fixed.zero, f.zero_stages);
  std::sort(space.zero.begin(), space.zero.end());
  if (job.offload == Offload::all && model.gpus() > 1 && !fixed.zero) space.zero = {3};
  space.micro_batch = fixed_or(fixed.micro_batch,
                               powers_of_two(std::min<double>(kMostMicroBatch, job.global_batch)));
  std::vector<int> chunks = {1};
  if (f.interleaved && f.pipeline_parallel) {
    for (int v = 2; v <= kMostChunks; ++v) chunks.push_back(v);
  }
  space.interleave = fixed_or(fixed.interleave, chunks);
  space.recompute =
      fixed_or(fixed.recompute, {Recompute::none, Recompute::selective, Recompute::full});
  space.pp =
      fixed_or(fixed.pp, f.pipeline_parallel ? pipeline_degrees(model) : std::vector<int>{1});
  return space;
}

int data_parallel_ranks(const TrainingModel& model, const Layout& l) {
  const int gpus = static_cast<int>(model.gpus());
  const long long inner = 1LL * l.tp * l.pp * l.cp;
  if (inner > gpus || gpus % inner != 0) return 0;
  return static_cast<int>(gpus / inner);
}

bool is_possible(const TrainingModel& model, const Layout& l) {
  return tensor_is_possible(model.job().card, l.tp) && degrees_are_possible(model, l) &&
         micro_batch_is_possible(model, l, model.micro_batches(l));
}

SearchResult search_layouts(const TrainingModel& model, SearchCount& count,
                            units::Bytes comfortable) {
  return Searcher(model, count, comfortable).run();
}

}  // namespace gpusel::workload::llm
