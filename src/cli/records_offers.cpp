#include "options.h"
#include "records.h"
#include "request.h"
#include "view.h"

#include "gpusel/base/text.h"
#include "gpusel/recommend/filter.h"
#include "gpusel/units/format.h"

#include <algorithm>

namespace gpusel::cli {
namespace {

using report::Align;
using report::Value;

constexpr ListColumn kColumns[] = {
    {"id", "offer"},
    {"gpu.count", "GPUs", Align::right},
    {"gpu.id", "GPU", Align::left, 2},
    {"vcpus", "vCPUs", Align::right, 4},
    {"memory_bytes", "memory", Align::right, 4},
    {"network.bandwidth_bytes_per_s", "network", Align::right, 3},
    {"virtualization", "virtualization", Align::left, 5},
    {"price.usd_per_hour", "$/h", Align::right},
    {"price.per_gpu_usd_per_hour", "$/GPU-h", Align::right, 1},
    {"price.age_days", "age d", Align::right},
    {"price.confidence", "confidence", Align::left, 3},
};

Value bytes_or_unknown(const std::optional<units::Bytes>& bytes) {
  if (!bytes) return report::unknown("not in the catalog");
  return report::whole_of(in_bytes(*bytes), units::to_text(*bytes));
}

Value price_record(const catalog::Catalog& catalog, const catalog::Offer& offer, Date as_of) {
  if (!offer.price) return report::unknown("no price in the catalog");
  const catalog::Price& price = *offer.price;
  const int gpus = catalog.hardware_of(offer).count;
  const double per_hour = in_usd_per_hour(price.rate);
  Value v = report::object();
  v.set("amount", report::money(shortest(price.listed.amount), price.listed.currency));
  v.set("currency", report::text(price.listed.currency));
  v.set("usd_per_hour", report::money(units::money(per_hour, 6), "USD", units::money(per_hour, 3)));
  v.set("per_gpu_usd_per_hour", gpus > 0 ? report::money(units::money(per_hour / gpus, 6), "USD",
                                                         units::money(per_hour / gpus, 3))
                                         : report::unknown("the instance has no GPU"));
  v.set("date",
        price.date ? report::text(price.date->text()) : report::unknown("the source is undated"));
  v.set("age_days", price.date ? report::whole(as_of.days_since(*price.date))
                               : report::unknown("the source is undated"));
  v.set("source", report::text(catalog.citations[price.provenance.citation].url));
  v.set("confidence", report::text(std::string(data::name_of(price.confidence))));
  return v;
}

Value offer_record(const catalog::Catalog& catalog, const catalog::Offer& offer, Date as_of) {
  const catalog::Hardware& h = catalog.hardware_of(offer);
  const catalog::Instance& instance = catalog.instance_of(offer);
  Value v = report::object();
  v.set("id", report::text(catalog.id_of(offer)));
  v.set("provider", report::text(catalog.provider_of(offer).id.text()));
  v.set("instance", report::text(instance.id.text()));
  v.set("region", offer.region ? report::text(catalog.regions[*offer.region].id.text())
                               : report::unknown("where it is sold is not known"));
  v.set("purchase", report::text(std::string(data::name_of(offer.purchase))));
  v.set("gpu", gpu_value(h, catalog));
  v.set("vcpus", h.vcpus ? report::whole(*h.vcpus) : report::unknown("not in the catalog"));
  v.set("memory_bytes", bytes_or_unknown(h.memory));
  v.set("local_disk_bytes", bytes_or_unknown(h.local_disk));
  v.set("network", network_value(h, catalog));
  v.set("virtualization", report::text(std::string(data::name_of(h.virtualization))));
  v.set("tier", instance.tier.empty() ? report::null() : report::text(instance.tier));
  v.set("min_nodes", report::whole(instance.min_nodes));
  v.set("price", price_record(catalog, offer, as_of));
  v.set("patched", patched_value(catalog.patches_of(offer), catalog));
  add_unknown(v);
  return v;
}

// `--like INSTANCE`: the same number of GPUs with at least as much memory each, and no less
// network.
bool is_like(const catalog::Catalog& catalog, const catalog::Hardware& model,
             const catalog::Hardware& other) {
  const catalog::Gpu* a = catalog.gpu_of(model);
  const catalog::Gpu* b = catalog.gpu_of(other);
  if ((a == nullptr) != (b == nullptr) || model.count != other.count) return false;
  if (a != nullptr && b->memory < a->memory) return false;
  return !model.network || (other.network && !(*other.network < *model.network));
}

ListAnswer read_offers(Session& session, Invocation& invocation) {
  const catalog::Catalog& catalog = session.catalog;
  ListAnswer answer{{}, "offers", "Offers", catalog_value(catalog), {}, kColumns};
  std::optional<recommend::Request> request = read_request(catalog, invocation);
  if (!request) return answer;
  if (invocation.options.find("purchase") == nullptr) {
    request->constraints.purchases.clear();
    for (const auto& [name, purchase] : data::EnumNames<catalog::Purchase>::kNames) {
      request->constraints.purchases.push_back(purchase);
    }
  }
  const data::OptionReader read(invocation.options, invocation.diagnostics);
  const catalog::Hardware* like = nullptr;
  if (const auto name = read.text("like")) {
    const std::vector<std::uint32_t> found = catalog.instances_named(*name);
    if (found.empty()) {
      std::vector<std::string> known;
      for (const catalog::Instance& i : catalog.instances) known.push_back(i.id.text());
      read.report("like",
                  Error{"there is no instance '" + *name + "'", did_you_mean(*name, known), 0, 0});
      return answer;
    }
    like = &catalog.hardware[catalog.instances[found[0]].hardware];
  }
  for (std::uint32_t i = 0; i < catalog.offers.size(); ++i) {
    const catalog::Offer& offer = catalog.offers[i];
    if (recommend::filter_offer(*request, catalog, i)) continue;
    if (like != nullptr && !is_like(catalog, *like, catalog.hardware_of(offer))) continue;
    answer.records.push_back(offer_record(catalog, offer, request->as_of));
  }
  return answer;
}

// `provider/instance/region/purchase` or any shorter form that names an instance.
bool is_named(const Value& record, std::string_view name) {
  const std::string id = record.find("id")->shown();
  const std::string instance = record.find("instance")->shown();
  return id == name || id.starts_with(std::string(name) + "/") || instance == name ||
         name.starts_with(instance + "/");
}

std::vector<std::string> known_names(const Session& session, const ListAnswer&) {
  std::vector<std::string> names;
  for (const catalog::Instance& i : session.catalog.instances) {
    names.push_back(i.id.text());
    names.push_back(session.catalog.providers[i.provider].id.text() + "/" + i.id.text());
  }
  return names;
}

Value tariff_record(const catalog::Catalog& catalog, const catalog::Tariff& tariff) {
  Value v = report::object();
  v.set("what", report::text(std::string(data::name_of(tariff.what))));
  v.set("usd_per_gb",
        tariff.per_byte
            ? report::money(shortest(round_significant(in_usd_per_gb(*tariff.per_byte), 6)))
            : report::null());
  v.set("usd_per_gb_month", tariff.per_byte_second
                                ? report::money(shortest(round_significant(
                                      in_usd_per_gb_month(*tariff.per_byte_second), 6)))
                                : report::null());
  v.set("region", tariff.region.empty() ? report::null() : report::text(tariff.region));
  v.set("product", tariff.product.empty() ? report::null() : report::text(tariff.product));
  const catalog::Citation& citation = catalog.citations[tariff.provenance.citation];
  v.set("date", citation.date ? report::text(citation.date->text())
                              : report::unknown("the source is undated"));
  v.set("source", report::text(citation.url));
  v.set("confidence", report::text(std::string(data::name_of(citation.confidence))));
  return v;
}

Value terms_record(const catalog::Catalog& catalog, const catalog::Provider& provider) {
  constexpr const char* kUnknown = "not in the catalog";
  const auto seconds = [&](const std::optional<units::Seconds>& time) {
    return time ? report::number(in_seconds(*time), units::to_text(*time))
                : report::unknown(kUnknown);
  };
  const auto word = [&](const std::string& text) {
    return text.empty() ? report::unknown(kUnknown) : report::text(text);
  };
  Value compliance = report::list();
  for (const std::string& mark : provider.compliance) compliance.add(report::text(mark));
  Value tariffs = report::list();
  for (const catalog::Tariff& tariff : provider.tariffs)
    tariffs.add(tariff_record(catalog, tariff));
  Value v = report::object();
  v.set("name", report::text(provider.name));
  v.set("country", word(provider.country));
  v.set("website", word(provider.website));
  v.set("billing_increment_s", seconds(provider.billing_increment));
  v.set("spot_kind",
        provider.spot_kind.empty() ? report::null() : report::text(provider.spot_kind));
  v.set("spot_notice_s", seconds(provider.spot_notice));
  v.set("compliance", std::move(compliance));
  v.set("kubernetes", word(provider.kubernetes));
  v.set("terraform", word(provider.terraform));
  v.set("tariffs", std::move(tariffs));
  return v;
}

// The terms of the provider, and where the instance's own figures come from.
void complete(const Session& session, Value& record) {
  const catalog::Catalog& catalog = session.catalog;
  const std::string provider = record.find("provider")->shown();
  const std::string instance = record.find("instance")->shown();
  for (const catalog::Instance& i : catalog.instances) {
    if (i.id.text() != instance || catalog.providers[i.provider].id.text() != provider) continue;
    Value source = citation_value(catalog, i.provenance);
    const std::string& note = catalog.citations[i.provenance.citation].note;
    source.set("note", note.empty() ? report::null() : report::text(note));
    record.set("source", std::move(source));
    record.set("terms", terms_record(catalog, catalog.providers[i.provider]));
    return;
  }
}

}  // namespace

std::vector<data::OptionSpec> offer_list_options() {
  constexpr std::string_view kNot[] = {"optimize", "weights", "deadline",     "budget",
                                       "top",      "all",     "show-rejected"};
  std::vector<data::OptionSpec> filters = choice_options();
  std::erase_if(filters, [&](const data::OptionSpec& s) {
    return std::find(std::begin(kNot), std::end(kNot), s.name) != std::end(kNot);
  });
  for (data::OptionSpec& s : filters) {
    s.group = "Filters";
    if (s.name == "purchase")
      s.help = "on-demand, spot, reserved-1m, reserved-1y, reserved-3y (default all)";
  }
  const data::OptionSpec like{
      "like",     data::OptionKind::value,
      "INSTANCE", "as many GPUs with at least as much memory and network as this instance",
      {},         "Filters"};
  return joined({filters, {like}, plain_list_options()});
}

constinit const RecordKind kOfferRecords{"catalog list", "catalog show", &read_offers,
                                         &known_names,   &is_named,      &complete};

}  // namespace gpusel::cli
