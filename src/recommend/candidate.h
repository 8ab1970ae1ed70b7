// One offer at one node count that may be ranked, and the rows that are shown of the best.
#pragma once

#include "plans.h"
#include "score.h"

#include "gpusel/recommend/recommend.h"

#include <vector>

namespace gpusel::recommend {

struct Candidate : Choice {
  TermValues values;
  double raw = 0;  // rank order, rules included; lower is better
};

/// The best candidates as rows: scored, explained, with Pareto marks against all candidates and
/// ties.
std::vector<Row> make_rows(const std::vector<const Candidate*>& best,
                           const std::vector<Candidate>& all, const Request& request,
                           const workload::Workload& work, const catalog::Catalog& catalog,
                           const Plans& plans);

}  // namespace gpusel::recommend
