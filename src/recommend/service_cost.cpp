#include "gpusel/recommend/service_cost.h"

namespace gpusel::recommend {
namespace {

using units::Usd;
using units::UsdPerItem;

RunningCost running(Usd month, const ServiceCost& c, double prompt_share) {
  return {month, month * prompt_share / units::items(c.input_tokens),
          month * (1 - prompt_share) / units::items(c.output_tokens)};
}

Usd month_at(const Row& row, const catalog::Offer& offer, double duty) {
  cost::Usage usage = row.usage;
  usage.duration = usage.duration * duty;
  const cost::CostModel& model = cost::model_of(offer.purchase);
  return cost::total_cost(model.cost(usage, offer.price->rate, offer.purchase));
}

ApiCost api_cost(const ServiceCost& c, const workload::TokenService& service,
                 const workload::ApiPrice& price, double most_requests, double seconds) {
  const Usd request =
      price.input * units::items(service.prompt) + price.output * units::items(service.answer);
  ApiCost api;
  api.month = request * (c.requests * seconds);
  api.break_even_requests = c.cheapest().month / request / seconds;
  api.break_even_tokens = api.break_even_requests * seconds * (service.prompt + service.answer);
  api.within_capacity = api.break_even_requests <= most_requests;
  api.cheaper = api.month < c.cheapest().month;
  return api;
}

}  // namespace

std::optional<ServiceCost> service_cost(const Row& row, const catalog::Offer& offer,
                                        const workload::TokenService& service) {
  const auto& capacity = row.estimate.capacity;
  const double answers = in_items_per_second(row.plan.figures.throughput);
  if (!capacity || !offer.price || answers <= 0 || capacity->requests <= 0) return std::nullopt;
  const double seconds = in_seconds(row.usage.duration) * service.duty;
  ServiceCost c;
  c.requests = answers / service.answer;
  c.utilisation = service.duty * c.requests / capacity->requests;
  c.input_tokens = c.requests * seconds * service.prompt;
  c.output_tokens = c.requests * seconds * service.answer;
  c.always_on = running(row.total, c, row.estimate.prompt_share);
  if (!cost::term_of(offer.purchase)) {
    c.scale_to_zero = running(month_at(row, offer, service.duty), c, row.estimate.prompt_share);
  }
  if (service.api) c.api = api_cost(c, service, *service.api, capacity->requests, seconds);
  return c;
}

}  // namespace gpusel::recommend
