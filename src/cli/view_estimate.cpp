#include "view.h"

#include "gpusel/base/text.h"
#include "gpusel/units/format.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpusel::cli {
namespace {

using estimate::Ledger;
using report::Value;

Value ledgers_value(const EstimateAnswer& a) {
  Value v = report::object();
  if (!a.estimate) return v;
  for (const Ledger& ledger : a.estimate->ledgers) v.set(ledger.id, ledger_value(ledger));
  return v;
}

Value unfit_value(const estimate::DoesNotFit& why) {
  Value v = report::object();
  v.set("fits", report::boolean(false));
  set_verdict(estimate::judge_misfit(why), v);
  v.set("reason", report::text("fit." + why.resource));
  v.set("figure", report::text(why.text));
  v.set("needed", why.needed > 0 ? report::number(why.needed) : report::null());
  v.set("available", why.available > 0 ? report::number(why.available) : report::null());
  v.set("remedy", why.what_would_help.empty() ? report::null() : report::text(why.what_would_help));
  return v;
}

std::vector<const catalog::PatchMark*> patches_of(const EstimateAnswer& a) {
  return a.catalog->patches_of(a.target->bare_gpu ? std::string() : a.target->name,
                               a.target->hardware);
}

Value target_value(const EstimateAnswer& a) {
  Value v = report::object();
  v.set("name", report::text(a.target->name));
  v.set("gpu", gpu_value(*a.machine.hardware, *a.catalog));
  v.set("network", network_value(*a.machine.hardware, *a.catalog));
  v.set("patched", patched_value(patches_of(a), *a.catalog));
  return v;
}

std::vector<estimate::Assumption> assumptions_of(const EstimateAnswer& a) {
  return a.estimate ? all_assumptions(*a.work, *a.estimate) : a.work->assumptions();
}

Value whole_value(const EstimateAnswer& a) {
  Value v = report::object();
  v.set("schema_version", report::text(kSchemaVersion));
  v.set("gpusel_version", report::text(GPUSEL_VERSION));
  v.set("command", report::text("estimate"));
  v.set("as_of", report::text(a.as_of.text()));
  v.set("catalog", catalog_value(*a.catalog));
  v.set("workload", workload_value(*a.work));
  v.set("assumptions", assumptions_value(assumptions_of(a)));
  v.set("on", target_value(a));
  if (!*a.verdict) {
    v.set("cluster", report::null());
    v.set("estimate", unfit_value(a.verdict->error()));
  } else {
    v.set("cluster", cluster_value(*a.work, a.machine, **a.verdict));
    v.set("estimate", estimate_value(*a.work, a.machine, **a.verdict, *a.estimate));
  }
  v.set("ledgers", ledgers_value(a));
  add_unknown(v);
  return v;
}

std::string shown_amount(const Ledger& ledger, double value) {
  if (ledger.unit == "bytes") return fmt::format("{:.2f} GiB", units::in_gib(units::bytes(value)));
  if (ledger.unit == "s") return units::show_duration(units::seconds(value));
  if (ledger.unit == "flop") return units::show_flops(units::flops(value));
  return units::show_number(value);
}

std::string title_of(const Ledger& ledger, const workload::Workload& work) {
  if (ledger.id == "memory") return "Memory per GPU";
  if (ledger.id == "time")
    return work.throughput_unit().starts_with("frames") ? "Time of a frame" : "Time of a step";
  if (ledger.id == "flops") {
    return work.nature() == workload::Nature::job ? "Floating-point operations of the whole job"
                                                  : "Floating-point operations of a request";
  }
  if (ledger.id == "host_memory") return "Memory of a host";
  return "Ledger of " + replace_all(ledger.id, '_', ' ');
}

report::Section ledger_section(const Ledger& ledger, const workload::Workload& work) {
  using report::Align;
  report::Section section;
  section.title = title_of(ledger, work);
  section.table = report::Table{{{"id", "term", Align::left, 0},
                                 {"value_" + ledger.unit, "value", Align::right, 0},
                                 {"share", "share", Align::right, 2},
                                 {"formula", "formula", Align::left, 0}},
                                {},
                                "no terms"};
  const double total = ledger.total();
  std::vector<std::string> absent;
  for (const estimate::LedgerLine& line : ledger.lines) {
    if (line.value == 0) {
      absent.push_back(line.label);
      continue;
    }
    const double share = total > 0 ? line.value / total : 0;
    section.table->rows.push_back(
        {report::text(line.label), report::number(line.value, shown_amount(ledger, line.value)),
         report::number(share, fmt::format("{:.1f} %", share * 100)), report::text(line.formula)});
  }
  section.table->rows.push_back({report::text("total"),
                                 report::number(total, shown_amount(ledger, total)),
                                 report::number(1, "100 %"), report::text("the sum")});
  if (!absent.empty()) section.facts.push_back({"", "nothing for: " + join(absent, ", ")});
  return section;
}

report::Section inputs_section(const EstimateAnswer& a) {
  report::Section section;
  section.title = "Inputs of the formulas";
  std::vector<std::string> seen;
  for (const Ledger& ledger : a.estimate->ledgers) {
    for (const estimate::Input& input : ledger.inputs) {
      const bool known = std::find(seen.begin(), seen.end(), input.name) != seen.end();
      if (!known) section.facts.push_back({input.name, input.value});
      seen.push_back(input.name);
    }
  }
  return section;
}

report::Section headline(const EstimateAnswer& a) {
  report::Section section;
  section.title = "Estimate";
  auto& facts = section.facts;
  facts.push_back({"work", work_text(*a.work)});
  facts.push_back({"on", fmt::format("{}{} ({} of {})", a.target->name,
                                     a.target->bare_gpu ? ", host and network not stated" : "",
                                     count_text(a.machine.nodes, "node"), gpus_text(a.machine))});
  for (std::string& text : patched_texts(patches_of(a), *a.catalog))
    facts.push_back({"patched", std::move(text)});
  if (!*a.verdict) {
    const estimate::DoesNotFit& why = a.verdict->error();
    facts.push_back({"does not fit", why.text});
    const estimate::Judgement edge = estimate::judge_misfit(why);
    if (edge.fit == estimate::Fit::borderline) facts.push_back({"borderline", edge.reason});
    if (!why.what_would_help.empty()) facts.push_back({"what would help", why.what_would_help});
    return section;
  }
  const estimate::Plan& plan = **a.verdict;
  const estimate::Figures& f = plan.figures;
  facts.push_back({"layout", fmt::format("{}: {}", count_text(a.machine.gpus(), "GPU"),
                                         layout_text(*a.work, plan))});
  facts.push_back({"memory", fmt::format("{} of {} per GPU ({} to {})", units::show_gib(f.memory),
                                         units::show_gib(f.capacity),
                                         units::show_gib(f.memory * a.estimate->memory_low),
                                         units::show_gib(f.memory * a.estimate->memory_high))});
  const estimate::Judgement edge = estimate::judge_fit(plan, *a.estimate, a.machine);
  if (edge.fit == estimate::Fit::borderline) facts.push_back({"borderline", edge.reason});
  if (a.work->nature() == workload::Nature::job) {
    facts.push_back({"time", time_text(f.duration, *a.estimate)});
    facts.push_back(
        {"step", fmt::format("{}{}", units::show_duration(f.step),
                             f.mfu > 0 ? fmt::format(", MFU {:.1f} %", f.mfu * 100) : "")});
  } else {
    facts.push_back({"latency", latency_text(f, *a.estimate)});
  }
  facts.push_back({"throughput", throughput_text(*a.work, f.throughput)});
  if (a.estimate->capacity)
    facts.push_back({"carries", capacity_text(*a.work, *a.estimate->capacity)});
  facts.push_back({"how sure", a.estimate->basis});
  if (a.estimate->rule_of_thumb_memory > units::Bytes{}) {
    facts.push_back(
        {"rule of thumb", fmt::format("{} of memory and {} per step; {}",
                                      units::show_gib(a.estimate->rule_of_thumb_memory),
                                      units::show_flops(a.estimate->rule_of_thumb_flops),
                                      a.estimate->rule_of_thumb_note)});
  }
  return section;
}

// A verdict without ledgers, as a row for CSV.
report::Table unfit_table(const estimate::DoesNotFit& why) {
  return {
      {{"fits", "fits"}, {"reason", "reason"}, {"figure", "figure"}, {"remedy", "what would help"}},
      {{report::boolean(false), report::text("fit." + why.resource), report::text(why.text),
        report::text(why.what_would_help)}},
      ""};
}

}  // namespace

report::Document view_estimate(const EstimateAnswer& a) {
  report::Document document;
  document.value = whole_value(a);
  document.sections.push_back(headline(a));
  if (a.estimate) {
    for (const Ledger& ledger : a.estimate->ledgers)
      document.sections.push_back(ledger_section(ledger, *a.work));
    document.main_section = 1;  // memory
    document.sections.push_back(inputs_section(a));
  } else {
    document.csv = unfit_table(a.verdict->error());
  }
  document.sections.push_back(assumptions_section(assumptions_of(a)));
  return document;
}

}  // namespace gpusel::cli
