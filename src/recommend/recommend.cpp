#include "gpusel/recommend/recommend.h"

#include "candidate.h"
#include "plans.h"
#include "rejections.h"
#include "score.h"
#include "subject.h"

#include "gpusel/recommend/filter.h"
#include "gpusel/units/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace gpusel::recommend {
namespace {

using catalog::Catalog;
using catalog::Offer;
using estimate::Machine;
using estimate::Plan;

// A machine to search, with the least that the score of any offer on it can be.
struct MachineJob {
  std::uint32_t hardware = 0;
  int nodes = 1;
  double raw_bound = 0;
  TermValues values_bound;
  bool hopeless = false;  // no layout fits: searched for its reason alone
};

class Search {
 public:
  Search(const Request& request, const workload::Workload& work, const Catalog& catalog,
         const rules::RuleSet& rules)
      : request_(request),
        work_(work),
        catalog_(catalog),
        rules_(rules),
        weights_(request.weights),
        plans_(catalog, work) {
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
  [[nodiscard]] Subject subject_of(std::uint32_t offer) const {
    Subject s;
    s.catalog = &catalog_;
    s.work = &work_;
    s.offer = &catalog_.offers[offer];
    s.as_of = request_.as_of;
    return s;
  }

  void admit_offers() {
    offer_findings_.resize(catalog_.offers.size());
    for (std::uint32_t i = 0; i < catalog_.offers.size(); ++i) {
      if (auto rejection = filter_offer(request_, catalog_, i)) {
        rejections_.add(i, Progress::filter, 0, [&] { return *std::move(rejection); });
        continue;
      }
      std::vector<rules::Finding> findings;
      if (!pass_rules(rules::Stage::offer, subject_of(i), i, Progress::offer_rule, findings))
        continue;
      const Offer& offer = catalog_.offers[i];
      const std::uint32_t hardware = catalog_.instance_of(offer).hardware;
      (offer.price ? priced_ : unpriced_)[hardware].push_back(i);
      offer_findings_[i] = std::move(findings);
    }
  }

  // Judges the rules of a stage; false after a rejection, which is remembered.
  bool pass_rules(rules::Stage stage, const Subject& subject, std::uint32_t offer,
                  Progress progress, std::vector<rules::Finding>& findings) {
    for (const rules::Finding& finding : rules_.judge(stage, facts_of(subject))) {
      if (finding.rule->effect == rules::Effect::reject) {
        rejections_.add(offer, progress, 1, [&] {
          return Rejection{
              offer, std::max(subject.nodes, 1), finding.rule->id.text(), finding.rule->because,
              "",    finding.rule->help};
        });
        return false;
      }
      findings.push_back(finding);
    }
    return true;
  }

  [[nodiscard]] cost::Usage usage_of(const Offer& offer, int nodes, units::Seconds duration) const {
    cost::Usage usage;
    usage.nodes = nodes;
    const bool service = work_.nature() == workload::Nature::service;
    usage.nature = service ? cost::Usage::Nature::service : cost::Usage::Nature::job;
    usage.duration = service ? units::hours(units::kHoursPerMonth) : duration;
    usage.setup_fee = catalog_.instance_of(offer).setup_fee;
    usage.min_term = catalog_.instance_of(offer).min_term;
    usage.billing_increment = catalog_.provider_of(offer).billing_increment;
    return usage;
  }

  // The least that the score of any offer on this machine can be.
  MachineJob job_of(std::uint32_t hardware, int nodes) {
    const Machine machine = plans_.machine(hardware, nodes);
    const estimate::Bound& bound = plans_.bound(hardware, nodes);
    MachineJob job;
    job.hardware = hardware;
    job.nodes = nodes;
    job.hopeless = machine.gpu == nullptr || bound.memory > machine.gpu_memory();
    units::Usd least{1e300};
    for (const std::uint32_t index : priced_[hardware]) {
      const Offer& offer = catalog_.offers[index];
      const cost::Usage usage = usage_of(offer, nodes, bound.time);
      least = units::min(
          least,
          cost::total_cost(
              cost::model_of(offer.purchase).cost(usage, offer.price->rate, offer.purchase)));
    }
    // For a service the bound is the least time of a unit of work, so its inverse bounds the
    // throughput.
    const units::ItemsPerSecond most{in_seconds(bound.time) > 0 ? 1 / in_seconds(bound.time)
                                                                : 1e300};
    job.values_bound.cost = cost_value(request_, work_, least, most);
    job.values_bound.time = time_value(request_, work_, bound.time, units::Seconds{});
    job.raw_bound = raw_score(job.values_bound, weights_) / most_preferred_;
    return job;
  }

  std::vector<MachineJob> jobs_in_order() {
    std::vector<MachineJob> jobs;
    for (const auto& [hardware, offers] : priced_) {
      for (const int nodes : plans_.node_counts(hardware, request_.constraints.deadline)) {
        jobs.push_back(job_of(hardware, nodes));
      }
    }
    std::stable_sort(jobs.begin(), jobs.end(), [](const MachineJob& a, const MachineJob& b) {
      return a.raw_bound < b.raw_bound;
    });
    return jobs;
  }

  // Exact: nothing on a skipped machine can enter the top rows, dominate one of them, or tie with
  // one.
  [[nodiscard]] bool can_skip(const MachineJob& job) {
    if (job.hopeless) return false;
    if (!top_) top_ = top_candidates();
    const std::vector<const Candidate*>& top = *top_;
    if (top.size() < request_.top) return false;
    if (job.raw_bound <= top.back()->raw) return false;
    return std::none_of(top.begin(), top.end(), [&](const Candidate* c) {
      return job.values_bound.cost <= c->values.cost && job.values_bound.time <= c->values.time;
    });
  }

  void search_machine(const MachineJob& job) {
    const std::vector<std::uint32_t>& offers = priced_[job.hardware];
    std::vector<std::pair<std::uint32_t, std::vector<rules::Finding>>> alive;
    for (const std::uint32_t index : offers) {
      Subject subject = subject_of(index);
      subject.nodes = job.nodes;
      std::vector<rules::Finding> found = offer_findings_[index];
      if (!pass_rules(rules::Stage::machine, subject, index, Progress::machine_rule, found))
        continue;
      alive.emplace_back(index, std::move(found));
    }
    if (alive.empty()) return;
    const estimate::Verdict<Plan>& verdict = plans_.best(job.hardware, job.nodes);
    for (auto& [index, findings] : alive) {
      if (verdict) {
        consider(index, job.nodes, *verdict, std::move(findings));
      } else {
        rejections_.add_unfit(index, job.nodes, verdict.error());
      }
    }
  }

  // Deadline and plan-stage rules, which need no price.
  bool pass_plan(std::uint32_t index, const Subject& subject,
                 std::vector<rules::Finding>& findings) {
    if (!pass_rules(rules::Stage::plan, subject, index, Progress::plan_rule, findings))
      return false;
    const auto& deadline = request_.constraints.deadline;
    const units::Seconds duration = subject.plan->figures.duration;
    if (!deadline || work_.nature() == workload::Nature::service || duration <= *deadline)
      return true;
    rejections_.add(index, Progress::deadline, duration / *deadline, [&] {
      return Rejection{index,
                       subject.nodes,
                       "filter.deadline",
                       "takes " + units::show_duration(duration),
                       units::show_duration(*deadline),
                       "allow more nodes with --max-nodes, or a later --deadline"};
    });
    return false;
  }

  void consider(std::uint32_t index, int nodes, const Plan& plan,
                std::vector<rules::Finding> findings) {
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
      rejections_.add(index, Progress::budget, c.total / *budget, [&] {
        return Rejection{index,
                         nodes,
                         "filter.budget",
                         "costs $" + units::money_grouped(in_usd(c.total)),
                         "$" + units::money_grouped(in_usd(*budget)),
                         "raise --budget"};
      });
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
    const double share =
        subject.gpu() == nullptr ? 0 : f.memory / subject.gpu()->available_memory();
    return {cost_value(request_, work_, c.total, f.throughput),
            time_value(request_, work_, f.duration, f.step),
            risk_value(*subject.offer, request_, c.nodes, c.usage.duration, share)};
  }

  [[nodiscard]] std::string order_id(const Candidate& c) const {
    return catalog_.id_of(catalog_.offers[c.offer]) + fmt::format("#{:06}", c.nodes);
  }

  [[nodiscard]] bool before(const Candidate& a, const Candidate& b) const {
    return a.raw != b.raw ? a.raw < b.raw : order_id(a) < order_id(b);
  }

  void keep(Candidate c) {
    ranked_of_instance_[catalog_.offers[c.offer].instance].insert(c.offer);
    rejections_.erase(c.offer);
    ranked_.insert(c.offer);
    top_.reset();
    const std::uint32_t instance = catalog_.offers[c.offer].instance;
    if (request_.detail == Detail::every_row) {
      rows_.push_back(std::move(c));
      return;
    }
    const auto [held, fresh] = row_of_instance_.emplace(instance, rows_.size());
    if (fresh) {
      rows_.push_back(std::move(c));
    } else if (before(c, rows_[held->second])) {
      rows_[held->second] = std::move(c);
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
      for (const int nodes : plans_.node_counts(hardware, request_.constraints.deadline)) {
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
    if (!pass_rules(rules::Stage::machine, subject, index, Progress::machine_rule, findings))
      return false;
    const estimate::Verdict<Plan>& verdict = plans_.best(hardware, nodes);
    if (!verdict) {
      rejections_.add_unfit(index, nodes, verdict.error());
      return false;
    }
    subject.plan = &*verdict;
    if (!pass_plan(index, subject, findings)) return false;
    unpriced_found_.push_back({index, nodes, verdict->figures.duration});
    rejections_.erase(index);
    return true;
  }

  Recommendation assemble() {
    Recommendation result;
    result.rows = make_rows(top_candidates(), rows_, request_, work_, catalog_, plans_);
    for (Row& row : result.rows) {
      const std::uint32_t instance = catalog_.offers[row.offer].instance;
      row.stands_for =
          request_.detail == Detail::every_row ? 1 : ranked_of_instance_[instance].size();
    }
    result.ranked = rows_.size();
    result.unpriced = std::move(unpriced_found_);
    const std::set<std::uint32_t> skipped = skipped_offers();
    result.nearest = rejections_.nearest(ranked_);
    result.rejected = rejections_.take_without(ranked_, skipped);
    result.by_reason = count_reasons(result.rejected, catalog_, rules_);
    result.searched = {plans_.machines(), plans_.evaluated(), ranked_.size(), skipped.size()};
    return result;
  }

  // Offers of hardware with a skipped node count that no searched one brought into the ranking.
  [[nodiscard]] std::set<std::uint32_t> skipped_offers() const {
    std::set<std::uint32_t> offers;
    for (const std::uint32_t hardware : skipped_) {
      for (const std::uint32_t offer : priced_.at(hardware)) {
        if (ranked_.count(offer) == 0) offers.insert(offer);
      }
    }
    return offers;
  }

  const Request& request_;
  const workload::Workload& work_;
  const Catalog& catalog_;
  const rules::RuleSet& rules_;
  Weights weights_;
  double most_preferred_ = 1;
  std::map<std::uint32_t, std::vector<std::uint32_t>> priced_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> unpriced_;
  std::vector<std::vector<rules::Finding>> offer_findings_;  // by offer
  Plans plans_;
  Rejections rejections_;
  std::vector<Candidate> rows_;
  std::optional<std::vector<const Candidate*>> top_;  // of rows_, until one is added
  std::map<std::uint32_t, std::size_t> row_of_instance_;
  std::set<std::uint32_t> ranked_;
  std::set<std::uint32_t> skipped_;  // hardware with a node count that was not searched
  std::map<std::uint32_t, std::set<std::uint32_t>> ranked_of_instance_;
  std::vector<Unpriced> unpriced_found_;
};

}  // namespace

Recommendation recommend(const Request& request, const workload::Workload& work,
                         const Catalog& catalog, const rules::RuleSet& rules) {
  return Search(request, work, catalog, rules).run();
}

}  // namespace gpusel::recommend
