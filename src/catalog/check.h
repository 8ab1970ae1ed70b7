// Shared parts of the checks over a whole catalog.
#pragma once

#include "gpusel/catalog/catalog.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpusel::catalog {

using diag::CodeInfo;
using diag::Severity;

/// The instance that a check looks at.
struct Subject {
  const Catalog& catalog;
  const Instance& instance;
  const Hardware& hardware;
  diag::Sink& sink;

  void report(const CodeInfo& info, std::string_view key, std::string message,
              std::string help) const {
    sink.report(diag::finding(info, catalog.span_of(instance.provenance, key), std::move(message))
                    .with_help(std::move(help)));
  }
};

/// Whether two positive figures are equal up to a share of the second.
constexpr bool near(double a, double b, double share) {
  const double gap = a > b ? a - b : b - a;
  return gap <= share * b;
}

/// Pages round their figures; more than this apart, two of them disagree.
inline constexpr double kRounding = 0.03;

/// An id with '#' for each number: sizes of one series have the same shape.
std::string shape_of(std::string_view id);

/// The words of an id in lower case: what stands between other signs than letters and digits.
std::vector<std::string> words_of(std::string_view id);

/// Whether a word, or several in a row, stands in an id; case is ignored.
bool has_word(std::string_view id, std::string_view word);

/// A GPU of a data centre: on a board of its own kind, or one without graphics units.
bool is_data_centre(const Gpu& gpu);

/// The middle of a list of figures that is not empty.
double median_of(std::vector<double> values);

const Provider* provider_named(const Catalog& catalog, std::string_view id);

/// The id of the provider whose instances these are: of another one where they are resold.
std::string seller_of(const Catalog& catalog, const Instance& instance);

}  // namespace gpusel::catalog
