// The shipped catalog and rules with one piece of work, for tests of the ranking.
#pragma once

#include "catch.h"

#include "gpusel/data/data_set.h"
#include "gpusel/recommend/recommend.h"
#include "gpusel/rules/rule.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gpusel::recommend::test {

using Options = std::vector<std::pair<std::string, std::string>>;

struct World {
  diag::Buffer faults;
  data::DataSet data =
      data::DataSet::open({{data::Root::Kind::builtin, {}}}, memory_files({}), faults);
  catalog::Catalog catalog = catalog::load_catalog(data, faults);
  rules::RuleSet rules = rules::load_rules(data, recommend::fact_table(), faults);
  Files files = memory_files({});
  std::unique_ptr<const workload::Workload> work;

  World(std::string_view kind, const Options& options) {
    data::OptionValues values;
    for (const auto& [name, text] : options) values.set(name, {text, {}, data::Origin::flag});
    work = workload::find_kind(kind)->make(values, {&catalog, &data, &files}, faults);
    REQUIRE_FALSE(faults.has_errors());
  }

  [[nodiscard]] recommend::Recommendation answer(const recommend::Request& request) const {
    return recommend::recommend(request, *work, catalog, rules);
  }
};

inline Request request_of(recommend::Objective objective, std::size_t top) {
  recommend::Request request;
  request.objective = objective;
  request.weights = recommend::weights_of(objective, request.weights);
  request.top = top;
  request.as_of = *Date::parse("2026-11-20");
  return request;
}

}  // namespace gpusel::recommend::test
