// The cost of a service of a language model: its part of the tree and of the headline.
#include "view_service_cost.h"

#include "gpusel/units/format.h"

#include <fmt/format.h>

namespace gpusel::cli {
namespace {

using recommend::RunningCost;
using recommend::ServiceCost;
using report::Value;

constexpr double kMillion = 1e6;

std::string per_million(units::UsdPerItem price, int places) {
  return units::money(in_usd_per_item(price) * kMillion, places);
}

Value running_value(const RunningCost& cost) {
  Value v = report::object();
  v.set("total", report::money(units::money(in_usd(cost.month))));
  v.set("per_million_input_tokens", report::money(per_million(cost.input, 6)));
  v.set("per_million_output_tokens", report::money(per_million(cost.output, 6)));
  return v;
}

std::optional<int> age_of(const Shown& s, const workload::ApiListing& listing) {
  if (!listing.citation.date) return std::nullopt;
  return s.request.as_of.days_since(*listing.citation.date);
}

Value listing_value(const Shown& s, const workload::ApiListing& listing) {
  const catalog::Citation& citation = listing.citation;
  const auto age = age_of(s, listing);
  Value v = report::object();
  v.set("name", report::text(listing.name));
  v.set("date", age ? report::text(citation.date->text()) : report::unknown("undated source"));
  v.set("age_days", age ? report::whole(*age) : report::unknown("undated source"));
  v.set("source", report::text(citation.url));
  v.set("confidence", report::text(std::string(data::name_of(citation.confidence))));
  return v;
}

Value api_value(const Shown& s, const recommend::ApiCost& api, const workload::ApiPrice& price) {
  Value v = report::object();
  v.set("listing", price.listing ? listing_value(s, *price.listing) : report::null());
  v.set("per_million_input_tokens", report::money(per_million(price.input, 6)));
  v.set("per_million_output_tokens", report::money(per_million(price.output, 6)));
  v.set("total", report::money(units::money(in_usd(api.month))));
  Value even = report::object();
  even.set("requests_per_s", report::number(api.break_even_requests));
  even.set("tokens_per_month", report::number(api.break_even_tokens));
  even.set("within_capacity", report::boolean(api.within_capacity));
  v.set("break_even", std::move(even));
  v.set("cheaper", report::text(api.cheaper ? "api" : "offer"));
  return v;
}

std::string month_text(units::Usd amount) {
  return fmt::format("${} per month", units::money_grouped(in_usd(amount)));
}

std::string tokens_text(const ServiceCost& c) {
  const RunningCost& way = c.cheapest();
  const bool scaled = &way != &c.always_on;
  return fmt::format(
      "${} per million input tokens, ${} per million output tokens{} ({} and {} a month, "
      "{:.0f} % of what it carries)",
      per_million(way.input, 3), per_million(way.output, 3), scaled ? ", scaled to zero" : "",
      units::show_count(c.input_tokens), units::show_count(c.output_tokens), c.utilisation * 100);
}

std::string duty_text(const ServiceCost& c, double duty) {
  const std::string share = units::to_text(units::Ratio{duty}) + " of the month: ";
  if (!c.scale_to_zero) return share + "a commitment is paid whether it is used or not";
  return fmt::format("{}{} scaled to zero, {} always on", share, month_text(c.scale_to_zero->month),
                     month_text(c.always_on.month));
}

std::string listing_text(const Shown& s, const workload::ApiPrice& price) {
  if (!price.listing) return "";
  const auto age = age_of(s, *price.listing);
  return fmt::format("{} at ${}/${} per million tokens, {}, {}: ", price.listing->name,
                     per_million(price.input, 3), per_million(price.output, 3),
                     age ? fmt::format("{} days old", *age) : "undated",
                     data::name_of(price.listing->citation.confidence));
}

std::string api_text(const Shown& s, const recommend::ApiCost& api) {
  return fmt::format(
      "{}{} at this load: {} is cheaper; break-even at {} requests/s, {} tokens a "
      "month{}",
      listing_text(s, *s.work.traits().tokens->api), month_text(api.month),
      api.cheaper ? "the API" : "the offer", units::show_number(api.break_even_requests),
      units::show_count(api.break_even_tokens),
      api.within_capacity ? "" : ", more than the offer carries");
}

}  // namespace

Value service_cost_value(const Shown& s, const recommend::Row& row) {
  const std::optional<ServiceCost> c = service_cost_of(s, row);
  if (!c) return report::unknown("the estimate says nothing about the load");
  Value v = report::object();
  v.set("requests_per_s", report::number(c->requests));
  v.set("duty", report::number(s.work.traits().tokens->duty));
  v.set("utilisation", report::number(c->utilisation));
  v.set("input_tokens_per_month", report::number(c->input_tokens));
  v.set("output_tokens_per_month", report::number(c->output_tokens));
  v.set("always_on", running_value(c->always_on));
  v.set("scale_to_zero", c->scale_to_zero ? running_value(*c->scale_to_zero)
                                          : report::unknown("a commitment is paid anyway"));
  v.set("api", c->api ? api_value(s, *c->api, *s.work.traits().tokens->api) : report::null());
  return v;
}

std::vector<report::Fact> service_cost_facts(const Shown& s, const recommend::Row& row) {
  std::vector<report::Fact> facts;
  const std::optional<ServiceCost> c = service_cost_of(s, row);
  if (!c) return facts;
  facts.push_back({"per token", tokens_text(*c)});
  const double duty = s.work.traits().tokens->duty;
  if (duty < 1) facts.push_back({"duty", duty_text(*c, duty)});
  if (c->api) facts.push_back({"API", api_text(s, *c->api)});
  return facts;
}

}  // namespace gpusel::cli
