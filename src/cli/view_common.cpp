#include "view.h"

#include "gpusel/base/number.h"
#include "gpusel/base/text.h"
#include "gpusel/units/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gpusel::cli {
namespace {

using report::Value;

Value field_value(const workload::Field& field) {
  switch (field.type) {
    case workload::Field::Type::number:
      return report::number(field.number);
    case workload::Field::Type::whole:
      return report::whole_of(field.number);
    case workload::Field::Type::boolean:
      return report::boolean(field.number != 0);
    case workload::Field::Type::text:
      break;
  }
  return report::text(field.text);
}

// Choices are numbers, or words such as `selective`.
Value choice_value(const workload::Workload& work, std::size_t index, int value) {
  const std::string text = work.choice_text(index, value);
  return text == std::to_string(value) ? report::whole(value) : report::text(text);
}

}  // namespace

namespace {

void collect_unknown(const Value& value, const std::string& path, Value& list) {
  if (const auto* unknown = value.get<report::Unknown>()) {
    Value v = report::object();
    v.set("field", report::text(path));
    v.set("reason", report::text(unknown->reason));
    list.add(std::move(v));
  }
  if (const auto* members = value.get<report::Object>()) {
    for (const report::Member& m : *members) {
      const bool may_hold =
          m.value.get<report::Unknown>() != nullptr || m.value.get<report::Object>() != nullptr;
      if (!may_hold) continue;
      collect_unknown(m.value, path.empty() ? m.key : path + "." + m.key, list);
    }
  }
}

}  // namespace

void add_unknown(Value& object) {
  Value list = report::list();
  collect_unknown(object, "", list);
  object.set("unknown", std::move(list));
}

Value catalog_value(const catalog::Catalog& catalog) {
  Value v = report::object();
  v.set("fingerprint", report::text(catalog.fingerprint));
  Value roots = report::list();
  for (const std::string& root : catalog.roots) roots.add(report::text(root));
  v.set("roots", std::move(roots));
  v.set("offers", report::whole(static_cast<std::int64_t>(catalog.offers.size())));
  v.set("instances", report::whole(static_cast<std::int64_t>(catalog.instances.size())));
  v.set("providers", report::whole(static_cast<std::int64_t>(catalog.providers.size())));
  const auto date = [](const std::optional<Date>& d) {
    return d ? report::text(d->text()) : report::unknown("no dated price");
  };
  v.set("newest_price", date(catalog.newest_price()));
  v.set("oldest_price", date(catalog.oldest_price()));
  return v;
}

Value workload_value(const workload::Workload& work) {
  Value v = report::object();
  v.set("kind", report::text(std::string(work.kind())));
  Value defaulted = report::list();
  for (const workload::Field& field : work.fields()) {
    v.set(field.key, field_value(field));
    if (field.defaulted) defaulted.add(report::text(field.key));
  }
  v.set("defaulted", std::move(defaulted));
  return v;
}

Value assumptions_value(const std::vector<estimate::Assumption>& assumptions) {
  Value list = report::list();
  for (const estimate::Assumption& a : assumptions) {
    Value v = report::object();
    v.set("id", report::text(a.id));
    v.set("text", report::text(a.text));
    v.set("value", report::text(a.value));
    v.set("source", report::text(a.source));
    list.add(std::move(v));
  }
  return list;
}

Value gpu_value(const catalog::Hardware& hardware, const catalog::Catalog& catalog) {
  const catalog::Gpu* gpu = catalog.gpu_of(hardware);
  Value v = report::object();
  v.set("id",
        gpu == nullptr ? report::unknown("the instance has no GPU") : report::text(gpu->id.text()));
  v.set("count", report::whole(hardware.count));
  v.set("memory_bytes", gpu == nullptr
                            ? report::unknown("the instance has no GPU")
                            : report::whole_of(in_bytes(gpu->available_memory()),
                                               units::show_gib(gpu->available_memory())));
  return v;
}

Value patched_value(const std::vector<const catalog::PatchMark*>& marks,
                    const catalog::Catalog& catalog) {
  Value list = report::list();
  for (const catalog::PatchMark* mark : marks) {
    Value v = report::object();
    v.set("record", report::text(mark->record));
    v.set("field", report::text(mark->field));
    v.set("was", mark->was.empty() ? report::null() : report::text(mark->was));
    v.set("now", report::text(mark->now));
    v.set("patch", report::text(mark->patch));
    v.set("because", mark->because.empty() ? report::null() : report::text(mark->because));
    v.set("file", report::text(catalog.files[mark->provenance.file]->name));
    v.set("line", report::whole(mark->provenance.line));
    v.set("source", report::text(catalog.citations[mark->provenance.citation].url));
    list.add(std::move(v));
  }
  return list;
}

std::vector<std::string> patched_texts(const std::vector<const catalog::PatchMark*>& marks,
                                       const catalog::Catalog& catalog) {
  std::vector<std::string> texts;
  for (const catalog::PatchMark* mark : marks) {
    std::string text = fmt::format("{} {}", mark->field, mark->now);
    if (!mark->was.empty()) text += " (was " + mark->was + ")";
    text +=
        fmt::format(", {}:{}", catalog.files[mark->provenance.file]->name, mark->provenance.line);
    if (!mark->because.empty()) text += ": " + mark->because;
    texts.push_back(std::move(text));
  }
  return texts;
}

Value network_value(const catalog::Hardware& hardware, const catalog::Catalog& catalog) {
  const catalog::Fabric* fabric = catalog.fabric_of(hardware);
  Value v = report::object();
  v.set("fabric", fabric == nullptr ? report::unknown("not in the catalog")
                                    : report::text(fabric->id.text()));
  v.set("bandwidth_bytes_per_s",
        hardware.network ? report::number(in_bytes_per_second(*hardware.network),
                                          units::show_number(in_gbps(*hardware.network)) + " Gbps")
                         : report::unknown("not in the catalog"));
  return v;
}

Value cluster_value(const workload::Workload& work, const estimate::Machine& machine,
                    const estimate::Plan& plan) {
  Value v = report::object();
  v.set("nodes", report::whole(machine.nodes));
  v.set("gpus", report::whole(machine.gpus()));
  v.set("replicas", report::whole(plan.figures.replicas));
  Value parallelism = report::object();
  const auto names = work.choice_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    parallelism.set(std::string(names[i]), choice_value(work, i, plan.choices[i]));
  }
  v.set("parallelism", std::move(parallelism));
  return v;
}

namespace {

Value memory_value(const estimate::Plan& plan, const estimate::Estimate& estimate) {
  const double total = in_bytes(plan.figures.memory);
  Value v = report::object();
  v.set("total", report::whole_of(total));
  v.set("low", report::whole_of(total * estimate.memory_low));
  v.set("high", report::whole_of(total * estimate.memory_high));
  v.set("capacity", report::whole_of(in_bytes(plan.figures.capacity)));
  const auto ledger = std::find_if(estimate.ledgers.begin(), estimate.ledgers.end(),
                                   [](const estimate::Ledger& l) { return l.id == "memory"; });
  if (ledger == estimate.ledgers.end()) return v;
  // Whole bytes that still sum to the whole total: the last addend takes the rounding.
  double left = std::round(total);
  for (std::size_t i = 0; i < ledger->lines.size(); ++i) {
    const bool last = i + 1 == ledger->lines.size();
    const double part = last ? left : std::round(ledger->lines[i].value);
    left -= part;
    v.set(ledger->lines[i].id, report::whole_of(part));
  }
  return v;
}

Value latency_value(units::Seconds latency) {
  if (latency > units::Seconds{}) return report::number(in_seconds(latency));
  return report::unknown("these formulas say nothing about it");
}

Value range_value(const estimate::Range<units::Seconds>& range) {
  Value v = report::object();
  v.set("low", report::number(in_seconds(range.low)));
  v.set("value", report::number(in_seconds(range.value)));
  v.set("high", report::number(in_seconds(range.high)));
  return v;
}

Value first_token_value(const std::optional<estimate::FirstToken>& parts) {
  if (!parts) return report::unknown("these formulas say nothing about it");
  Value v = report::object();
  v.set("prompt", range_value(parts->prompt));
  v.set("waiting", range_value(parts->waiting));
  return v;
}

Value capacity_value(const workload::Workload& work,
                     const std::optional<estimate::ServiceCapacity>& capacity) {
  if (!capacity) return report::unknown("these formulas say nothing about it");
  Value v = report::object();
  v.set("requests_per_s", report::number(capacity->requests));
  Value throughput = report::object();
  throughput.set("value", report::number(in_items_per_second(capacity->throughput)));
  throughput.set("unit", report::text(std::string(work.throughput_unit())));
  v.set("throughput", std::move(throughput));
  v.set("concurrency", report::number(capacity->concurrency));
  v.set("limit", report::text(capacity->limit));
  v.set("limit_text", report::text(capacity->text));
  return v;
}

// The time per token, or of a pass where nothing follows it.
units::Seconds latency_of(const estimate::Figures& f) {
  return f.tpot > units::Seconds{} ? f.tpot : f.ttft;
}

Value time_interval_value(units::Seconds time, const estimate::Estimate& estimate) {
  Value v = report::object();
  v.set("low", report::number(in_seconds(time) * estimate.time_low));
  v.set("high", report::number(in_seconds(time) * estimate.time_high));
  v.set("basis", report::text(estimate.basis));
  return v;
}

}  // namespace

void set_verdict(const estimate::Judgement& judgement, Value& v) {
  v.set("verdict", report::text(std::string(estimate::name_of(judgement.fit))));
  v.set("verdict_reason",
        judgement.reason.empty() ? report::null() : report::text(judgement.reason));
}

Value estimate_value(const workload::Workload& work, const estimate::Machine& machine,
                     const estimate::Plan& plan, const estimate::Estimate& estimate) {
  const estimate::Figures& f = plan.figures;
  const bool service = work.nature() == workload::Nature::service;
  Value v = report::object();
  v.set("fits", report::boolean(true));
  set_verdict(estimate::judge_fit(plan, estimate, machine), v);
  v.set("memory_per_gpu_bytes", memory_value(plan, estimate));
  v.set("flops_total", f.flops > units::Flops{}
                           ? report::number(in_flops(f.flops))
                           : report::unknown("this kind of work is not counted in FLOPs"));
  if (service) {
    v.set("ttft_s", latency_value(f.ttft));
    v.set("ttft_parts_s", first_token_value(estimate.first_token));
    v.set("tpot_s", latency_value(f.tpot));
  } else {
    v.set("step_time_s", report::number(in_seconds(f.step)));
  }
  Value throughput = report::object();
  throughput.set("value", report::number(in_items_per_second(f.throughput)));
  throughput.set("unit", report::text(std::string(work.throughput_unit())));
  v.set("throughput", std::move(throughput));
  if (service) v.set("capacity", capacity_value(work, estimate.capacity));
  v.set("mfu", f.mfu > 0 ? report::number(f.mfu)
                         : report::unknown("has no meaning for this kind of work"));
  v.set("duration_s", service ? report::null() : report::number(in_seconds(f.duration)));
  const auto power = machine.gpu == nullptr ? std::nullopt : machine.gpu->tdp;
  v.set("power_w", power ? report::number(in_watts(*power) * machine.gpus())
                         : report::unknown("the GPU's power limit is not in the catalog"));
  v.set("interval", time_interval_value(service ? latency_of(f) : f.duration, estimate));
  Value thumb = report::object();
  const bool has_thumb = estimate.rule_of_thumb_memory > units::Bytes{};
  const char* none = "the source formulas say nothing about this kind of work";
  thumb.set("memory_bytes", has_thumb ? report::whole_of(in_bytes(estimate.rule_of_thumb_memory))
                                      : report::unknown(none));
  thumb.set("flops", has_thumb ? report::number(in_flops(estimate.rule_of_thumb_flops))
                               : report::unknown(none));
  v.set("rule_of_thumb", std::move(thumb));
  return v;
}

Value ledger_value(const estimate::Ledger& ledger) {
  Value lines = report::list();
  for (const estimate::LedgerLine& line : ledger.lines) {
    Value v = report::object();
    v.set("id", report::text(line.id));
    v.set("label", report::text(line.label));
    v.set("value", ledger.unit == "bytes" ? report::whole_of(std::round(line.value))
                                          : report::number(line.value));
    v.set("unit", report::text(ledger.unit));
    v.set("formula", report::text(line.formula));
    Value inputs = report::object();
    for (const estimate::Input& input : ledger.inputs)
      inputs.set(input.name, report::text(input.value));
    v.set("inputs", std::move(inputs));
    lines.add(std::move(v));
  }
  return lines;
}

report::Section assumptions_section(const std::vector<estimate::Assumption>& assumptions) {
  report::Section section;
  section.title = "Assumptions";
  for (const estimate::Assumption& a : assumptions) {
    const std::string value = a.value.empty() ? std::string() : " = " + a.value;
    section.facts.push_back(
        {a.id, a.text + value + (a.source.empty() ? "" : "  [" + a.source + "]")});
  }
  return section;
}

std::string layout_text(const workload::Workload& work, const estimate::Plan& plan) {
  std::string text;
  const auto names = work.choice_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string value = work.choice_text(i, plan.choices[i]);
    // A degree of 1, no ZeRO and no recompute say nothing.
    const bool silent =
        value == "0" || value == "none" || (value == "1" && names[i] != "micro_batch");
    if (silent) continue;
    text += (text.empty() ? "" : ", ") + replace_all(names[i], '_', ' ') + " " + value;
  }
  return text.empty() ? "nothing to lay out" : text;
}

std::string count_text(double count, std::string_view noun) {
  // Things that are counted are told to the last one: 1024 GPUs.
  const bool whole = count == std::floor(count) && count < 1e7;
  const std::string number = whole ? fmt::format("{:.0f}", count) : units::show_number(count);
  return fmt::format("{} {}{}", number, noun, count == 1 ? "" : "s");
}

std::string gpus_text(const estimate::Machine& machine) {
  if (machine.gpu == nullptr) return "no GPU";
  std::string name = machine.gpu->name;
  for (const std::string_view vendor : {"NVIDIA ", "AMD Instinct ", "AMD "}) {
    if (name.starts_with(vendor)) name = name.substr(vendor.size());
  }
  return fmt::format("{} x {}", machine.gpus_per_node(), name);
}

std::string work_text(const workload::Workload& work) {
  std::string text(work.kind());
  std::string parts;
  for (const workload::Field& field : work.fields()) {
    if (field.text.empty() || (field.defaulted && !field.headline)) continue;
    std::string_view key = field.key;
    for (const std::string_view unit : {"_s", "_bytes"}) {
      if (key.ends_with(unit)) key.remove_suffix(unit.size());
    }
    parts += (parts.empty() ? ": " : ", ") + replace_all(key, '_', ' ') + " " + field.text;
  }
  return text + parts;
}

std::string throughput_text(const workload::Workload& work, units::ItemsPerSecond rate) {
  const std::string unit(work.throughput_unit());
  constexpr double kSlow = 0.1;
  const double per_second = in_items_per_second(rate);
  constexpr double kGrouped = 10000;
  if (per_second >= kGrouped) {
    return units::money_grouped(round_significant(per_second, 3)) + " " + unit;
  }
  if (per_second >= kSlow || !unit.ends_with("/s"))
    return units::show_number(per_second) + " " + unit;
  return units::show_number(per_second * units::kSecondsPerHour) + " " +
         unit.substr(0, unit.size() - 1) + "h";
}

std::string latency_text(const estimate::Figures& figures, const estimate::Estimate& estimate) {
  const bool alone = figures.tpot <= units::Seconds{} && figures.ttft > units::Seconds{};
  if (alone) return units::show_duration(figures.ttft) + " a batch";
  const auto& parts = estimate.first_token;
  const std::string split =
      parts ? fmt::format(" (prompt {}, waiting {})", units::show_duration(parts->prompt.value),
                          units::show_duration(parts->waiting.value))
            : std::string();
  return fmt::format("TTFT {}{}, TPOT {}", units::show_duration(figures.ttft), split,
                     units::show_duration(figures.tpot));
}

std::string capacity_text(const workload::Workload& work,
                          const estimate::ServiceCapacity& capacity) {
  constexpr double kWhole = 100;
  return fmt::format(
      "at most {} requests/s, {}, {} at once; bound by {}", units::show_number(capacity.requests),
      throughput_text(work, capacity.throughput),
      capacity.concurrency < kWhole ? units::show_number(capacity.concurrency)
                                    : units::show_number(std::round(capacity.concurrency), 9),
      capacity.text);
}

std::vector<estimate::Assumption> all_assumptions(const workload::Workload& work,
                                                  const estimate::Estimate& estimate) {
  std::vector<estimate::Assumption> all = work.assumptions();
  for (const estimate::Assumption& a : estimate.assumptions) {
    const bool known = std::any_of(all.begin(), all.end(), [&](const estimate::Assumption& k) {
      return k.id == a.id && k.text == a.text;
    });
    if (!known) all.push_back(a);
  }
  return all;
}

std::string time_text(units::Seconds value, const estimate::Estimate& estimate) {
  if (estimate.time_low == estimate.time_high) return units::show_duration(value);
  return fmt::format("{} ({} to {})", units::show_duration(value),
                     units::show_duration(value * estimate.time_low),
                     units::show_duration(value * estimate.time_high));
}

}  // namespace gpusel::cli
