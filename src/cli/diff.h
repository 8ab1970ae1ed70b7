// The difference of two lists of records: by id, member by member.
#pragma once

#include "gpusel/report/value.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpusel::cli {

struct Change {
  std::string record;  // offer, gpu, model
  std::string id;
  std::string field;  // path of the member: `network.bandwidth_bytes_per_s`
  report::Value was;  // null for an added record
  report::Value now;
  std::optional<double> share;  // of a price: now / was - 1
};

struct Difference {
  std::vector<Change> added;
  std::vector<Change> removed;
  std::vector<Change> prices;   // US dollars per hour
  std::vector<Change> changed;  // every other figure
};

/// Adds what differs between two lists of one kind of record; price moves below `threshold` (a
/// share) are left out.
void add_difference(std::string_view record, const std::vector<report::Value>& was,
                    const std::vector<report::Value>& now, double threshold,
                    Difference& difference);

}  // namespace gpusel::cli
