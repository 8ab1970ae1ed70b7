#include "gpusel/recommend/recommend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "gpusel/units/format.h"
#include "filter.h"
#include "score.h"
#include "subject.h"

namespace gpusel::recommend {
namespace {

using catalog::Catalog;
using catalog::Offer;
using estimate::Machine;
using estimate::Plan;

// How far an offer came before it was rejected: the later, the nearer.
enum class Progress { filter, offer_rule, machine_rule, fit, plan_rule, deadline, budget, cost_rule };

struct Nearest {
  Rejection rejection;
  Progress progress = Progress::filter;
  double overshoot = 0;  // value / bound; smaller is nearer
};

// One offer at one node count that may be ranked.
struct Candidate {
  std::uint32_t offer = 0;
  int nodes = 1;
  Plan plan;
  cost::Usage usage;
  cost::Cost cost;
  units::Usd total;
  std::vector<rules::Finding> findings;
  TermValues values;
  double raw = 0;  // rank order, rules included; lower is better
};

struct MachineJob {
  std::uint32_t hardware = 0;
  int nodes = 1;
  double raw_bound = 0;
  TermValues values_bound;
  bool hopeless = false;  // no layout fits: searched for its reason alone
};

class Search {
 public:
  Search(const Request& request, const workload::Workload& work, const Catalog& catalog, const rules::RuleSet& rules)
      : request_(request), work_(work), catalog_(catalog), rules_(rules), weights_(weights_of(request)) {
    for (const rules::Rule& rule : rules.all()) {
      if (rule.effect == rules::Effect::prefer && rule.by) most_preferred_ *= 1 + rule.by->value;
    }
  }

  Recommendation run() {
    admit_offers();
    for (const MachineJob& job : jobs_in_order()) {
      if (can_skip(job)) {
        skipped_.insert(job.hardware);
        continue;
      }
      search_machine(job);
    }
    search_unpriced();
    return assemble();
  }

 private:
  struct OfferFindings {
    std::vector<rules::Finding> findings;
  };

  [[nodiscard]] Subject subject_of(std::uint32_t offer) const {
    Subject s;
    s.catalog = &catalog_;
    s.work = &work_;
    s.offer = &catalog_.offers[offer];
    s.as_of = request_.as_of;
    return s;
  }

  void admit_offers() {
    for (std::uint32_t i = 0; i < catalog_.offers.size(); ++i) {
      if (auto rejection = filter_offer(request_, catalog_, i)) {
        rejected_.emplace(i, Nearest{std::move(*rejection), Progress::filter, 0});
        continue;
      }
      std::vector<rules::Finding> findings;
      if (!pass_rules(rules::Stage::offer, subject_of(i), i, Progress::offer_rule, findings)) continue;
      const Offer& offer = catalog_.offers[i];
      const std::uint32_t hardware = catalog_.instance_of(offer).hardware;
      (offer.price ? priced_ : unpriced_)[hardware].push_back(i);
      offer_findings_.emplace(i, std::move(findings));
    }
  }

  // Judges the rules of a stage; false after a rejection, which is remembered.
  bool pass_rules(rules::Stage stage, const Subject& subject, std::uint32_t offer, Progress progress,
                  std::vector<rules::Finding>& findings) {
    for (const rules::Finding& finding : rules_.judge(stage, facts_of(subject))) {
      if (finding.rule->effect == rules::Effect::reject) {
        reject(offer, std::max(subject.nodes, 1), finding.rule->id.text(), finding.rule->because, "",
               finding.rule->help, progress, 1);
        return false;
      }
      findings.push_back(finding);
    }
    return true;
  }

  void reject(std::uint32_t offer, int nodes, std::string reason, std::string figure, std::string bound,
              std::string remedy, Progress progress, double overshoot) {
    const auto found = rejected_.find(offer);
    if (found != rejected_.end()) {
      const Nearest& held = found->second;
      if (held.progress > progress || (held.progress == progress && held.overshoot <= overshoot)) return;
    }
    rejected_.insert_or_assign(offer, Nearest{{offer, nodes, std::move(reason), std::move(figure), std::move(bound),
                                               std::move(remedy)},
                                              progress, overshoot});
  }

  [[nodiscard]] Machine machine_of(std::uint32_t hardware, int nodes) const {
    return estimate::make_machine(catalog_, catalog_.hardware[hardware], nodes);
  }

  [[nodiscard]] std::vector<int> node_counts_of(std::uint32_t hardware) {
    std::vector<int> counts = work_.node_counts(catalog_, catalog_.hardware[hardware]);
    if (request_.constraints.deadline && counts.size() > 1) add_deadline_count(hardware, counts);
    return counts;
  }

  // The smallest count that meets the deadline lies between two counts that were given.
  void add_deadline_count(std::uint32_t hardware, std::vector<int>& counts) {
    const auto meets = [&](int nodes) {
      const auto& verdict = plan_of(hardware, nodes);
      return verdict && verdict->figures.duration <= *request_.constraints.deadline;
    };
    const auto first = std::find_if(counts.begin(), counts.end(), meets);
    if (first == counts.end() || first == counts.begin()) return;
    int low = *(first - 1);
    int high = *first;
    while (high - low > 1) {
      const int middle = low + (high - low) / 2;
      (meets(middle) ? high : low) = middle;
    }
    if (high != *first) counts.insert(first, high);
  }

  const estimate::Verdict<Plan>& plan_of(std::uint32_t hardware, int nodes) {
    const std::pair<std::uint32_t, int> key(hardware, nodes);
    const auto found = plans_.find(key);
    if (found != plans_.end()) return found->second;
    workload::SearchCount count;
    estimate::Verdict<Plan> verdict = work_.search(machine_of(hardware, nodes), count);
    evaluated_ += count.evaluated;
    return plans_.emplace(key, std::move(verdict)).first->second;
  }

  [[nodiscard]] cost::Usage usage_of(const Offer& offer, int nodes, units::Seconds duration) const {
    cost::Usage usage;
    usage.nodes = nodes;
    const bool service = work_.nature() == workload::Nature::service;
    usage.nature = service ? cost::Usage::Nature::service : cost::Usage::Nature::job;
    usage.duration = service ? units::hours(units::kHoursPerMonth) : duration;
    usage.billing_increment = catalog_.provider_of(offer).billing_increment;
    return usage;
  }

  // The least that the score of any offer on this machine can be.
  MachineJob job_of(std::uint32_t hardware, int nodes) {
    const Machine machine = machine_of(hardware, nodes);
    const estimate::Bound bound = work_.bound(machine);
    MachineJob job;
    job.hardware = hardware;
    job.nodes = nodes;
    job.hopeless = machine.gpu == nullptr || bound.memory > machine.gpu_memory();
    units::Usd least{1e300};
    for (const std::uint32_t index : priced_[hardware]) {
      const Offer& offer = catalog_.offers[index];
      const cost::Usage usage = usage_of(offer, nodes, bound.time);
      least = units::min(least, cost::total_cost(cost::model_of(offer.purchase)
                                                     .cost(usage, offer.price->rate, offer.purchase)));
    }
    // For a service the bound is the least time of a unit of work, so its inverse bounds the throughput.
    const units::ItemsPerSecond most{in_seconds(bound.time) > 0 ? 1 / in_seconds(bound.time) : 1e300};
    job.values_bound.cost = cost_value(request_, work_, least, most);
    job.values_bound.time = time_value(request_, work_, bound.time, units::Seconds{});
    job.raw_bound = raw_score(job.values_bound, weights_) / most_preferred_;
    return job;
  }

  std::vector<MachineJob> jobs_in_order() {
    std::vector<MachineJob> jobs;
    for (const auto& [hardware, offers] : priced_) {
      for (const int nodes : node_counts_of(hardware)) jobs.push_back(job_of(hardware, nodes));
    }
    std::stable_sort(jobs.begin(), jobs.end(),
                     [](const MachineJob& a, const MachineJob& b) { return a.raw_bound < b.raw_bound; });
    return jobs;
  }

  // Exact: nothing on a skipped machine can enter the top rows, dominate one of them, or tie with one.
  [[nodiscard]] bool can_skip(const MachineJob& job) const {
    if (job.hopeless) return false;
    const std::vector<const Candidate*> top = top_candidates();
    if (top.size() < request_.top) return false;
    if (job.raw_bound <= top.back()->raw) return false;
    return std::none_of(top.begin(), top.end(), [&](const Candidate* c) {
      return job.values_bound.cost <= c->values.cost && job.values_bound.time <= c->values.time;
    });
  }

  void search_machine(const MachineJob& job) {
    const std::vector<std::uint32_t>& offers = priced_[job.hardware];
    std::vector<std::uint32_t> alive;
    std::map<std::uint32_t, std::vector<rules::Finding>> findings;
    for (const std::uint32_t index : offers) {
      Subject subject = subject_of(index);
      subject.nodes = job.nodes;
      std::vector<rules::Finding> found = offer_findings_.at(index).findings;
      if (!pass_rules(rules::Stage::machine, subject, index, Progress::machine_rule, found)) continue;
      alive.push_back(index);
      findings.emplace(index, std::move(found));
    }
    if (alive.empty()) return;
    ++machines_;
    const estimate::Verdict<Plan>& verdict = plan_of(job.hardware, job.nodes);
    for (const std::uint32_t index : alive) {
      if (verdict) {
        consider(index, job.nodes, *verdict, std::move(findings[index]));
      } else {
        reject_unfit(index, job.nodes, verdict.error());
      }
    }
  }

  void reject_unfit(std::uint32_t offer, int nodes, const estimate::DoesNotFit& why) {
    const double overshoot = why.available > 0 ? why.needed / why.available : 1e300;
    reject(offer, nodes, "fit." + why.resource, why.text, "", why.what_would_help, Progress::fit, overshoot);
  }

  // Deadline and plan-stage rules, which need no price.
  bool pass_plan(std::uint32_t index, const Subject& subject, std::vector<rules::Finding>& findings) {
    if (!pass_rules(rules::Stage::plan, subject, index, Progress::plan_rule, findings)) return false;
    const auto& deadline = request_.constraints.deadline;
    const units::Seconds duration = subject.plan->figures.duration;
    if (!deadline || work_.nature() == workload::Nature::service || duration <= *deadline) return true;
    reject(index, subject.nodes, "filter.deadline", "takes " + units::show_duration(duration),
           units::show_duration(*deadline), "allow more nodes with --max-nodes, or a later --deadline",
           Progress::deadline, duration / *deadline);
    return false;
  }

  void consider(std::uint32_t index, int nodes, const Plan& plan, std::vector<rules::Finding> findings) {
    const Offer& offer = catalog_.offers[index];
    Subject subject = subject_of(index);
    subject.nodes = nodes;
    subject.plan = &plan;
    if (!pass_plan(index, subject, findings)) return;
    Candidate c;
    c.offer = index;
    c.nodes = nodes;
    c.plan = plan;
    c.usage = usage_of(offer, nodes, plan.figures.duration);
    c.cost = cost::model_of(offer.purchase).cost(c.usage, offer.price->rate, offer.purchase);
    c.total = cost::total_cost(c.cost);
    subject.total = c.total;
    subject.per_hour = offer.price->rate * nodes;
    const auto& budget = request_.constraints.budget;
    if (budget && c.total > *budget) {
      reject(index, nodes, "filter.budget", "costs $" + units::money_grouped(in_usd(c.total)),
             "$" + units::money_grouped(in_usd(*budget)), "raise --budget", Progress::budget, c.total / *budget);
      return;
    }
    if (!pass_rules(rules::Stage::cost, subject, index, Progress::cost_rule, findings)) return;
    c.findings = std::move(findings);
    c.values = values_of(c, subject);
    c.raw = raw_score(c.values, weights_) / rule_factor(c.findings);
    keep(std::move(c));
  }

  [[nodiscard]] TermValues values_of(const Candidate& c, const Subject& subject) const {
    const auto& f = c.plan.figures;
    const double share = subject.gpu() == nullptr ? 0 : f.memory / subject.gpu()->available_memory();
    return {cost_value(request_, work_, c.total, f.throughput), time_value(request_, work_, f.duration, f.step),
            risk_value(risk_of(*subject.offer, request_, c.nodes, c.usage.duration, share))};
  }

  [[nodiscard]] std::string order_id(const Candidate& c) const {
    return catalog_.id_of(catalog_.offers[c.offer]) + fmt::format("#{:06}", c.nodes);
  }

  [[nodiscard]] bool before(const Candidate& a, const Candidate& b) const {
    return a.raw != b.raw ? a.raw < b.raw : order_id(a) < order_id(b);
  }

  void keep(Candidate c) {
    ranked_offers_[catalog_.offers[c.offer].instance].insert(c.offer);
    rejected_.erase(c.offer);
    ranked_.insert(c.offer);
    const std::uint32_t instance = catalog_.offers[c.offer].instance;
    if (request_.detail == Detail::every_row) {
      rows_.push_back(std::move(c));
      return;
    }
    const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const Candidate& held) {
      return catalog_.offers[held.offer].instance == instance;
    });
    if (found == rows_.end()) {
      rows_.push_back(std::move(c));
    } else if (before(c, *found)) {
      *found = std::move(c);
    }
  }

  [[nodiscard]] std::vector<const Candidate*> top_candidates() const {
    std::vector<const Candidate*> all;
    for (const Candidate& c : rows_) all.push_back(&c);
    const auto less = [&](const Candidate* a, const Candidate* b) { return before(*a, *b); };
    const std::size_t n = std::min(request_.top, all.size());
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n), all.end(), less);
    all.resize(n);
    return all;
  }

  // An offer without a price is listed at the smallest node count on which the work fits.
  void search_unpriced() {
    for (const auto& [hardware, offers] : unpriced_) {
      std::vector<std::uint32_t> left = offers;
      for (const int nodes : node_counts_of(hardware)) {
        if (left.empty()) break;
        std::vector<std::uint32_t> still;
        for (const std::uint32_t index : left) {
          if (!place_unpriced(hardware, nodes, index)) still.push_back(index);
        }
        left = std::move(still);
      }
    }
  }

  bool place_unpriced(std::uint32_t hardware, int nodes, std::uint32_t index) {
    Subject subject = subject_of(index);
    subject.nodes = nodes;
    std::vector<rules::Finding> findings;
    if (!pass_rules(rules::Stage::machine, subject, index, Progress::machine_rule, findings)) return false;
    const estimate::Verdict<Plan>& verdict = plan_of(hardware, nodes);
    if (!verdict) {
      reject_unfit(index, nodes, verdict.error());
      return false;
    }
    subject.plan = &*verdict;
    if (!pass_plan(index, subject, findings)) return false;
    unpriced_found_.push_back({index, nodes, verdict->figures.duration});
    rejected_.erase(index);
    return true;
  }

  Row row_of(const Candidate& c) {
    Row row;
    const Offer& offer = catalog_.offers[c.offer];
    row.offer = c.offer;
    row.nodes = c.nodes;
    row.machine = machine_of(catalog_.instance_of(offer).hardware, c.nodes);
    row.plan = c.plan;
    row.usage = c.usage;
    row.cost = c.cost;
    row.total = c.total;
    row.findings = c.findings;
    row.rule_factor = rule_factor(c.findings);
    const double share = row.machine.gpu == nullptr ? 0 : c.plan.figures.memory / row.machine.gpu_memory();
    row.risk = risk_of(offer, request_, c.nodes, c.usage.duration, share);
    const double units_of_work = in_items_per_second(c.plan.figures.throughput) * in_seconds(c.usage.duration);
    if (units_of_work > 0) row.per_unit = c.total / units::items(units_of_work);
    row.stands_for = request_.detail == Detail::every_row ? 1 : ranked_offers_[offer.instance].size();
    row.estimate = work_.explain(c.plan, row.machine);
    row.cheaper = cheaper_than(c.offer);
    return row;
  }

  [[nodiscard]] std::optional<std::uint32_t> cheaper_than(std::uint32_t index) const {
    const Offer& offer = catalog_.offers[index];
    std::optional<std::uint32_t> best;
    for (std::uint32_t i = 0; i < catalog_.offers.size(); ++i) {
      const Offer& other = catalog_.offers[i];
      if (other.instance != offer.instance || other.region != offer.region || !other.price) continue;
      if (!(other.price->rate < offer.price->rate)) continue;
      if (!best || other.price->rate < catalog_.offers[*best].price->rate) best = i;
    }
    return best;
  }

  void mark_pareto(std::vector<Row>& rows, const std::vector<TermValues>& values) const {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].pareto = std::none_of(rows_.begin(), rows_.end(), [&](const Candidate& c) {
        const bool no_worse = c.values.cost <= values[i].cost && c.values.time <= values[i].time;
        return no_worse && (c.values.cost < values[i].cost || c.values.time < values[i].time);
      });
    }
  }

  // Two rows tie when their scores lie closer than the estimate's interval.
  static void mark_ties(std::vector<Row>& rows, const Weights& weights) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < rows.size(); ++j) {
        if (i == j) continue;
        const auto width = [&](const Row& r) {
          return std::log(r.estimate.time_high / r.estimate.time_low) / 2 * (weights.cost + weights.time);
        };
        const double apart = std::fabs(std::log(rows[i].score / rows[j].score));
        if (apart <= std::min(width(rows[i]), width(rows[j]))) rows[i].tied_with.push_back(j + 1);
      }
    }
  }

  Recommendation assemble() {
    Recommendation result;
    std::vector<TermValues> values;
    for (const Candidate* c : top_candidates()) {
      result.rows.push_back(row_of(*c));
      values.push_back(c->values);
    }
    fill_scores(result.rows, values, weights_);
    mark_pareto(result.rows, values);
    mark_ties(result.rows, weights_);
    result.ranked = rows_.size();
    result.unpriced = std::move(unpriced_found_);
    for (auto& [offer, nearest] : rejected_) {
      if (ranked_.count(offer) == 0) result.rejected.push_back(nearest.rejection);
    }
    count_skipped(result);
    count_reasons(result);
    result.searched.machines = machines_;
    result.searched.evaluated = evaluated_;
    result.searched.ranked_offers = ranked_.size();
    return result;
  }

  void count_skipped(Recommendation& result) {
    for (const std::uint32_t hardware : skipped_) {
      for (const std::uint32_t offer : priced_[hardware]) {
        if (ranked_.count(offer) > 0) continue;
        ++result.searched.skipped_offers;
        std::erase_if(result.rejected, [&](const Rejection& r) { return r.offer == offer; });
      }
    }
  }

  void count_reasons(Recommendation& result) const {
    std::map<std::string, ReasonCount> counts;
    for (const Rejection& r : result.rejected) {
      ReasonCount& count = counts[r.reason];
      ++count.count;
      count.reason = r.reason;
      if (count.text.empty()) count.text = reason_text(r);
    }
    for (auto& [reason, count] : counts) result.by_reason.push_back(std::move(count));
    std::stable_sort(result.by_reason.begin(), result.by_reason.end(),
                     [](const ReasonCount& a, const ReasonCount& b) { return a.count > b.count; });
  }

  [[nodiscard]] std::string reason_text(const Rejection& r) const {
    if (const rules::Rule* rule = rules_.find(RuleId(r.reason))) return rule->because;
    if (r.reason == "filter.deadline") return "misses the deadline";
    if (r.reason == "filter.budget") return "above the budget";
    const std::string text = filter_text(r.reason);
    return text.empty() ? fmt::format("the nearest {}", r.figure) : text;
  }

  const Request& request_;
  const workload::Workload& work_;
  const Catalog& catalog_;
  const rules::RuleSet& rules_;
  Weights weights_;
  double most_preferred_ = 1;
  std::map<std::uint32_t, std::vector<std::uint32_t>> priced_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> unpriced_;
  std::map<std::uint32_t, OfferFindings> offer_findings_;
  std::map<std::uint32_t, Nearest> rejected_;
  std::map<std::pair<std::uint32_t, int>, estimate::Verdict<Plan>> plans_;
  std::vector<Candidate> rows_;
  std::set<std::uint32_t> ranked_;
  std::set<std::uint32_t> skipped_;
  std::map<std::uint32_t, std::set<std::uint32_t>> ranked_offers_;
  std::vector<Unpriced> unpriced_found_;
  std::size_t machines_ = 0;
  std::uint64_t evaluated_ = 0;
};

}  // namespace

Recommendation recommend(const Request& request, const workload::Workload& work, const Catalog& catalog,
                         const rules::RuleSet& rules) {
  return Search(request, work, catalog, rules).run();
}

}  // namespace gpusel::recommend
