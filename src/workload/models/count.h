// Parameters counted from a shape, by kind of model.
#pragma once

#include "gpusel/workload/model.h"

#include <optional>

namespace gpusel::workload {

double count(const ConvNet& m);
std::optional<double> count(const DiffusionTransformer& m);
double count(const Recommender& m);
/// Everything but the tables.
double dense_parameters(const Recommender& m);

}  // namespace gpusel::workload
