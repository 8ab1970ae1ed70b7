#include "gpusel/workload/holding.h"

#include "constants.h"
#include "planner.h"

#include "gpusel/base/suggest.h"
#include "gpusel/units/format.h"

#include <algorithm>
#include <cmath>

namespace gpusel::workload {

struct Holdings::Setup {
  HoldingRequest request;
  serving::Engine engine;
};

namespace {

using serving::Fitting;
using serving::Planner;
using serving::Replica;

constexpr double kUnstated = 1e9;  // tokens, where a card states no longest sequence

serving::Request request_of(const serving::Engine& engine, const ModelCard& card,
                            const serving::WeightFormat& format, double context) {
  serving::Request q;
  q.card = card;
  q.shape = serving::shape_of(card);
  q.engine = engine;
  q.profile = engine.current();
  q.format = format;
  q.traffic = {context, 0};
  q.max_context = context;
  return q;
}

// The most whole tokens whose cache the pool holds; the cache grows with the tokens.
double longest_sequence(const Replica& r, units::Bytes pool, double most) {
  if (cache_per_gpu(r, most) <= pool) return most;
  double low = 0;
  double high = most;
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    (cache_per_gpu(r, middle) <= pool ? low : high) = middle;
  }
  return low;
}

estimate::Judgement judge(const FormatHolding& h, units::Bytes pool, units::Bytes memory) {
  if (h.sequences < 1) return estimate::judge_misfit(*h.misfit);
  if (pool >= memory * estimate::kTightCache) return {};
  return {estimate::Fit::borderline,
          "only " + units::show_gib(pool) + " of " + units::show_gib(memory) +
              " are left for the cache: a small error of the weights and activations decides"};
}

FormatHolding hold(const serving::Engine& engine, const ModelCard& card,
                   const serving::WeightFormat& format, const estimate::Machine& machine,
                   double asked) {
  FormatHolding h;
  h.format = format.name;
  const double most = card.max_context > 0 ? card.max_context : kUnstated;
  h.context = std::min(asked, most);
  const serving::Request least = request_of(engine, card, format, 1);
  const Planner planner(least, machine);
  if (planner.blocked()) {
    h.misfit = planner.blocked();
    h.judgement.fit = estimate::Fit::does_not_fit;
    return h;
  }
  units::Bytes pool;  // of the layout that holds the longest sequence
  for (const Fitting& f : planner.fitting(1)) {
    const Replica r = planner.replica(f.layout, 1);
    const double sequences =
        std::floor(sequences_that_fit(r, f.pool, h.context) * (1 + 1e-9)) * planner.replicas(f, 1);
    if (cache_per_gpu(r, h.context) <= f.pool) h.sequences = std::max(h.sequences, sequences);
    const double longest = longest_sequence(r, f.pool, most);
    if (longest <= h.longest) continue;
    h.longest = longest;
    h.weights = weights_per_gpu(r);
    h.degrees = {f.layout.tensor, f.layout.pipeline, f.layout.data, f.layout.expert};
    pool = f.pool;
  }
  h.bound_by_model = h.longest == most;
  if (h.sequences < 1) {
    const serving::Request whole = request_of(engine, card, format, h.context);
    h.misfit = Planner(whole, machine).memory_misfit(1);
  }
  h.judgement = judge(h, pool, machine.gpu_memory());
  return h;
}

}  // namespace

Holdings::Holdings(std::unique_ptr<Setup> setup) : setup_(std::move(setup)) {}
Holdings::Holdings(Holdings&&) noexcept = default;
Holdings& Holdings::operator=(Holdings&&) noexcept = default;
Holdings::~Holdings() = default;

Result<Holdings> Holdings::open(data::DataSet& data, HoldingRequest request, diag::Sink& sink) {
  const serving::EngineSet engines = serving::load_engines(data, sink);
  const serving::Engine* engine = engines.find(request.engine);
  if (engine == nullptr) {
    return Error{"no engine '" + request.engine + "'", "one of " + quoted_list(engines.names()), 0,
                 request.engine.size()};
  }
  return Holdings(std::make_unique<Setup>(Setup{std::move(request), *engine}));
}

std::string Holdings::engine_name() const { return setup_->engine.name; }
std::string Holdings::engine_versions() const { return setup_->engine.current().versions; }
double Holdings::memory_share() const { return setup_->engine.current().memory_share; }

std::vector<FormatHolding> Holdings::of(const ModelCard& card,
                                        const estimate::Machine& machine) const {
  std::vector<FormatHolding> all;
  for (const serving::WeightFormat* format : serving::served_formats(setup_->engine, card)) {
    all.push_back(hold(setup_->engine, card, *format, machine, setup_->request.context));
  }
  return all;
}

}  // namespace gpusel::workload
