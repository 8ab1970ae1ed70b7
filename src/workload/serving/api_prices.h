// List prices of metered APIs: files of kind `api_prices`.
//
//   std::vector<ApiPrice> prices = load_api_prices(data, sink);
#pragma once

#include "gpusel/workload/workload.h"

#include <string_view>
#include <vector>

namespace gpusel::workload::serving {

/// Each with its listing; rows that cannot be used are reported and left out.
std::vector<ApiPrice> load_api_prices(data::DataSet& set, diag::Sink& sink);

/// `0.60/2.40`, US dollars per million input and output tokens, or the name of a listed price.
Result<ApiPrice> parse_api_price(std::string_view text, const std::vector<ApiPrice>& listed);

}  // namespace gpusel::workload::serving
