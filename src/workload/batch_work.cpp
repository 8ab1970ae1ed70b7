#include "batch_work.h"

#include "gpusel/units/format.h"

#include <fmt/format.h>

#include <array>

namespace gpusel::workload {
namespace {

constexpr std::array<std::string_view, 1> kChoiceNames = {"batch"};
constexpr int kMostBatch = 1'000'000;
constexpr int kMostNodes = 4096;
constexpr double kDefaultHeadroom = 0.05;

}  // namespace

void BatchOptions::assume(std::string id, std::string text, std::string value, std::string source) {
  request_.assumptions.push_back(
      {std::move(id), std::move(text), std::move(value), std::move(source)});
}

void BatchOptions::field(std::string_view option, double number, std::string text,
                         Field::Type type) {
  request_.fields.push_back(
      {data::snake_case(option), number, std::move(text), type, !read_.given(option)});
}

void BatchOptions::resolve_load(std::string_view job, std::string_view service,
                                std::string_view ranked_by, double utilisation) {
  if (read_.given(job) && read_.given(service)) {
    read_.report(service,
                 {"the work is a job or a service",
                  fmt::format("give --{} for a job, --{} for a service", job, service), 0, 0});
  }
  request_.traits.open_load = !read_.given(job) && !read_.given(service);
  if (request_.traits.open_load)
    assume("load", "no load is given",
           fmt::format("the largest; ranked by the price of {}", ranked_by));
  if (read_.given(job)) return;
  assume("utilisation", "a service carries at most this share of what it could",
         units::to_text(units::Ratio{utilisation}), "common practice, 70 to 80 %");
}

std::optional<int> BatchOptions::number_or_auto(std::string_view option, int most) {
  std::optional<int> number;
  if (read_.text(option).value_or("auto") != "auto") number = read_.whole(option, 1, most);
  field(option, number.value_or(0), number ? std::to_string(*number) : "auto",
        number ? Field::Type::whole : Field::Type::text);
  return number;
}

void BatchOptions::resolve_layout(std::string automatic) {
  request_.batch = number_or_auto("batch", kMostBatch);
  if (!request_.batch) assume("batch", std::move(automatic), "auto");
  request_.nodes = number_or_auto("nodes", kMostNodes);
  request_.max_nodes = read_.whole("max-nodes", 1, kMostNodes).value_or(request_.max_nodes);
  field("max-nodes", request_.max_nodes, std::to_string(request_.max_nodes));
}

double BatchOptions::resolve_headroom() {
  const auto share = read_.quantity<units::Ratio>("headroom");
  const double headroom = share ? share->value : kDefaultHeadroom;
  if (headroom < 0 || headroom >= 1)
    read_.report("headroom", {"must be below 100 %", "such as 5%", 0, 0});
  field("headroom", headroom, units::to_text(units::Ratio{headroom}), Field::Type::number);
  if (!share) assume("headroom", "share of each GPU's memory kept free", "5 %");
  return headroom;
}

std::vector<int> doubled(int first, int most) {
  std::vector<int> counts;
  for (int n = first; n < most; n *= 2) counts.push_back(n);
  counts.push_back(most);
  return counts;
}

std::span<const std::string_view> BatchWork::choice_names() const { return kChoiceNames; }
std::string BatchWork::choice_text(std::size_t, int value) const { return std::to_string(value); }

}  // namespace gpusel::workload
